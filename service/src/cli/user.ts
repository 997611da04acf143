import { Command, Option } from 'commander'
import { openOwnServiceKey } from '../app/keys.ts'
import type { Random } from '../base/random.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import { type ChangedUser, disableUser, setRole } from '../orgs/change-user.ts'
import { createUser } from '../orgs/create-user.ts'
import { listUsers } from '../orgs/list-users.ts'
import { resetPassword, resetTotp } from '../orgs/reset-credentials.ts'
import { unlockUser } from '../orgs/unlock-user.ts'
import { type Role, ROLES } from '../orgs/user.ts'
import type { Tx } from '../store/database.ts'
import { pendingThresholds } from '../withdrawals/approve/pending-thresholds.ts'
import { actor, onGround, parseId, print, table } from './context.ts'
import { totpLines } from './totp-lines.ts'

type HumanRole = Exclude<Role, 'api'>

interface CreateOptions {
  org: string
  username: string
  role: HumanRole
}

/** `sluice user`: manages users of an organization. */
export function userCommands(): Command {
  const user = new Command('user')
  user
    .command('create')
    .description('create a user; the password and the TOTP secret are shown once')
    .requiredOption('--org <id>', 'the organization', parseId)
    .requiredOption('--username <name>', '3 to 64 characters')
    .addOption(roleOption())
    .action(create)
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
    .command('set-role <user>')
    .description("change a user's role and end the user's sessions")
    .addOption(roleOption())
    .action(changeRole)
  user
    .command('reset-password <user>')
    .description("set a new password, shown once, and end the user's sessions")
    .action(renewPassword)
  user
    .command('reset-totp <user>')
    .description("set a new TOTP secret, shown once, and end the user's sessions")
    .action(renewTotp)
  user
    .command('unlock <user>')
    .description('reset the failed sign-ins and codes of a user')
    .action(unlock)
  return user
}

function roleOption(): Option {
  const roles = ROLES.filter((role) => role !== 'api')
  return new Option('--role <role>', 'role of the user').choices(roles).makeOptionMandatory()
}

async function create({ org, username, role }: CreateOptions, command: Command): Promise<void> {
  const made = await inOneStep((tx, { serviceKey, random }) =>
    createUser(tx, serviceKey, { orgId: org, username, role, actor: actor(), random }),
  )
  const shown = {
    id: made.user.id,
    username,
    role,
    password: made.password.reveal(),
    totpSecret: made.totpSecret.reveal(),
    otpauthUri: made.otpauthUri.reveal(),
  }
  const totp = await totpLines(shown)
  print(command, shown, () => [
    `User ${username} (${role}) has the id ${shown.id}.`,
    `Password (shown only once): ${shown.password}`,
    ...totp,
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
  printChanged(command, changed, `User ${changed.user.username} is disabled.`)
}

async function changeRole(
  user: string,
  options: { role: HumanRole },
  command: Command,
): Promise<void> {
  const change = { user, role: options.role, actor: actor() }
  const changed = await inOneStep((tx, { serviceKey }) =>
    setRole(tx, serviceKey, change, pendingThresholds),
  )
  const { username, role } = changed.user
  printChanged(command, changed, `User ${username} now has the role ${role}.`)
}

function printChanged(command: Command, { user, leftOut }: ChangedUser, done: string): void {
  const { orgId, id, username, role, status } = user
  const { thresholds, withdrawals } = leftOut
  print(command, { id, username, role, status, leftOut }, () => [
    done,
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

async function renewPassword(user: string, _options: unknown, command: Command): Promise<void> {
  const renewed = await inOneStep((tx, { serviceKey, random }) =>
    resetPassword(tx, serviceKey, { user, actor: actor(), random }),
  )
  const { id, username } = renewed.user
  const shown = { id, username, password: renewed.password.reveal() }
  print(command, shown, () => [`New password (shown only once): ${shown.password}`])
}

async function renewTotp(user: string, _options: unknown, command: Command): Promise<void> {
  const renewed = await inOneStep((tx, { serviceKey, random }) =>
    resetTotp(tx, serviceKey, { user, actor: actor(), random }),
  )
  const { id, username } = renewed.user
  const totpSecret = renewed.totpSecret.reveal()
  const shown = { id, username, totpSecret, otpauthUri: renewed.otpauthUri.reveal() }
  const totp = await totpLines(shown)
  print(command, shown, () => totp)
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
