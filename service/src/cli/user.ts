import { Command, Option } from 'commander'
import qrcode from 'qrcode'
import { openServiceKeyOf } from '../app/keys.ts'
import { createUser } from '../orgs/create-user.ts'
import { listUsers } from '../orgs/list-users.ts'
import { type Role, ROLES } from '../orgs/user.ts'
import { actor, onGround, parseId, print, table } from './context.ts'

type HumanRole = Exclude<Role, 'api'>

interface CreateOptions {
  org: string
  username: string
  role: HumanRole
}

/** `sluice user`: the people of an organization. */
export function userCommands(): Command {
  const user = new Command('user')
  const roles = ROLES.filter((role) => role !== 'api')
  user
    .command('create')
    .description('add a person; the one-time password and the TOTP secret are shown once')
    .requiredOption('--org <id>', 'the organization', parseId)
    .requiredOption('--username <name>', '3 to 64 characters')
    .addOption(new Option('--role <role>', 'what they may do').choices(roles).makeOptionMandatory())
    .action(create)
  user
    .command('list')
    .description('all people')
    .option('--org <id>', 'of one organization', parseId)
    .action(list)
  return user
}

async function create({ org, username, role }: CreateOptions, command: Command): Promise<void> {
  const made = await onGround(({ config, dice, database }) => {
    const serviceKey = openServiceKeyOf(config, dice)
    return database.transaction((tx) =>
      createUser(tx, serviceKey, { orgId: org, username, role, actor: actor(), dice }),
    )
  })
  const shown = {
    id: made.user.id,
    username,
    role,
    password: made.password.reveal(),
    totpSecret: made.totpSecret.reveal(),
    otpauthUri: made.otpauthUri.reveal(),
  }
  const type = process.stdout.isTTY ? 'terminal' : 'utf8'
  const picture = await qrcode.toString(shown.otpauthUri, { type, small: true })
  print(command, shown, () => [
    `User ${username} (${role}) has the id ${shown.id}.`,
    `One-time password, shown this once: ${shown.password}`,
    `TOTP secret, shown this once: ${shown.totpSecret}`,
    shown.otpauthUri,
    picture,
  ])
}

async function list({ org }: { org?: string }, command: Command): Promise<void> {
  const users = await onGround(({ config, dice, database }) => {
    const serviceKey = openServiceKeyOf(config, dice)
    const filter = org === undefined ? {} : { orgId: org }
    return database.transaction((tx) => listUsers(tx, serviceKey, filter))
  })
  print(command, users, () =>
    table(
      ['id', 'organization', 'username', 'role', 'status'],
      users.map((one) => [one.id, one.orgId, one.username, one.role, one.status]),
      'There are no users.',
    ),
  )
}
