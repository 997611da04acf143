import { Command } from 'commander'
import { openOwnServiceKey } from '../app/keys.ts'
import { iso } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import { disableUser } from '../orgs/change-user.ts'
import { inviteAdmin } from '../orgs/invite-user.ts'
import { listUsers } from '../orgs/list-users.ts'
import { unlockUser } from '../orgs/unlock-user.ts'
import type { Tx } from '../store/database.ts'
import { pendingThresholds } from '../withdrawals/approve/pending-thresholds.ts'
import { actor, onGround, parseId, print, table } from './context.ts'

interface InviteOptions {
  org: string
  username: string
  reason?: string
}

/** `sluice user`: invites the first admin of an organization, lists and disables users. */
export function userCommands(): Command {
  const user = new Command('user')
  user
    .command('invite-admin')
    .description('invite the first admin of an organization; the token is shown once')
    .requiredOption('--org <id>', 'the organization', parseId)
    .requiredOption('--username <name>', '3 to 64 characters')
    .option(
      '--reason <text>',
      'required if the organization has an admin: all admins lost their credentials',
    )
    .action(invite)
  user
    .command('list')
    .description('all people')
    .option('--org <id>', 'of one organization', parseId)
    .action(list)
  user
    .command('disable <user>')
    .description("disable a user, by name or id, and end the user's sessions")
    .action(disable)
  user
    .command('unlock <user>')
    .description('reset the failed sign-ins and codes of a user')
    .action(unlock)
  return user
}

async function invite(options: InviteOptions, command: Command): Promise<void> {
  const { org: orgId, ...draft } = options
  const { user, invitation } = await inOneStep((tx, { serviceKey, random }) =>
    inviteAdmin(tx, serviceKey, { ...draft, orgId, actor: actor(), random }),
  )
  const { id, username, role } = user
  const { token, expiresAt } = invitation
  const shown = { id, username, role, token: token.reveal(), expiresAt: iso(expiresAt) }
  print(command, shown, () => [
    `User ${username} (${role}) has the id ${id}.`,
    `Invitation token (shown only once, until ${shown.expiresAt}): ${shown.token}`,
    'Next: the person sets password and authenticator with POST /auth/invitation and',
    'POST /auth/invitation/accept.',
  ])
}

async function list({ org }: { org?: string }, command: Command): Promise<void> {
  const filter = org === undefined ? {} : { orgId: org }
  const users = await inOneStep((tx, { serviceKey }) => listUsers(tx, serviceKey, filter))
  print(command, users, () =>
    table(
      ['id', 'organization', 'username', 'role', 'status'],
      users.map((one) => [one.id, one.orgId, one.username, one.role, one.status]),
      'No users.',
    ),
  )
}

async function disable(user: string, _options: unknown, command: Command): Promise<void> {
  const changed = await inOneStep((tx, { serviceKey }) =>
    disableUser(tx, serviceKey, { user, actor: actor() }, pendingThresholds),
  )
  const { leftOut, user: disabled } = changed
  const { orgId, id, username, role, status } = disabled
  const { thresholds, withdrawals } = leftOut
  print(command, { id, username, role, status, leftOut }, () => [
    `User ${username} is disabled.`,
    ...(thresholds
      ? [
          'The required approvals were changed in the database and are not used.',
          `Next: sluice org set-thresholds <signers> <humans> --org ${orgId}`,
        ]
      : []),
    ...withdrawals.map(
      (one) => `Withdrawal ${one} was changed in the database and is not counted.`,
    ),
  ])
}

async function unlock(user: string, _options: unknown, command: Command): Promise<void> {
  const { id, username } = await inOneStep((tx, { serviceKey }) =>
    unlockUser(tx, serviceKey, { user, actor: actor() }),
  )
  print(command, { id, username }, () => [`User ${username} is unlocked.`])
}

function inOneStep<T>(
  work: (tx: Tx, keys: { serviceKey: ServiceKey; random: Random }) => Promise<T>,
): Promise<T> {
  return onGround(async (ground) => {
    const { random, database } = ground
    const serviceKey = await openOwnServiceKey(ground)
    return database.transaction((tx) => work(tx, { serviceKey, random }))
  })
}
