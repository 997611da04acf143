import { Command, InvalidArgumentError } from 'commander'
import { foundOrganization } from '../app/found-organization.ts'
import { openOwnServiceKey } from '../app/keys.ts'
import { iso } from '../base/clock.ts'
import { listOrganizations } from '../orgs/settings.ts'
import { setMinHumans, setThresholds } from '../orgs/signers.ts'
import { orRaiseForged } from '../orgs/thresholds.ts'
import { emitThreshold } from '../webhooks/emit-setting.ts'
import { actor, onGround, parseId, print, table } from './context.ts'

/** `sluice org`: creates and lists organizations and sets their thresholds. */
export function orgCommands(): Command {
  const org = new Command('org')
  org
    .command('create')
    .description('create an organization; its API key is shown once')
    .requiredOption('--name <name>', 'its name, 1 to 100 characters')
    .action(createOrg)
  org.command('list').description('all organizations').action(listOrgs)
  org
    .command('require-humans')
    .description('set how many approvals of a new withdrawal people must give')
    .argument('<count>', 'a whole number, 0 for none; or `default`', parseHumans)
    .requiredOption('--org <id>', 'the organization', parseId)
    .action(requireHumans)
  org
    .command('set-thresholds')
    .description('set both numbers again after they were changed in the database')
    .argument('<signers>', 'required approvals of a new withdrawal', parseCount)
    .argument('<humans>', 'how many of them people must give, or `default`', parseHumans)
    .requiredOption('--org <id>', 'the organization', parseId)
    .action(setBoth)
  return org
}

async function createOrg({ name }: { name: string }, command: Command): Promise<void> {
  const { organization, apiKey } = await onGround(async (ground) => {
    const { random, database } = ground
    const serviceKey = await openOwnServiceKey(ground)
    return foundOrganization(database, serviceKey, { name, actor: actor(), random })
  })
  const shown = { id: organization.id, name: organization.name, apiKey: apiKey.reveal() }
  print(command, shown, () => [
    `Organization ${shown.name} has the id ${shown.id}.`,
    `API key (shown only once): ${shown.apiKey}`,
    `Next: sluice user invite-admin --org ${shown.id} --username <name>`,
  ])
}

function parseCount(text: string): number {
  if (/^[0-9]{1,3}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number from 0 to 999.')
}

/** Null for the default. */
function parseHumans(text: string): number | null {
  return text === 'default' ? null : parseCount(text)
}

async function requireHumans(
  value: number | null,
  { org: orgId }: { org: string },
  command: Command,
): Promise<void> {
  await onGround(async (ground) => {
    const { database } = ground
    const serviceKey = await openOwnServiceKey(ground)
    const request = { orgId, value, actor: actor() }
    return orRaiseForged(database, () =>
      database.transaction(async (tx) => {
        const { previous } = await setMinHumans(tx, serviceKey, request)
        const caller = { orgId, userId: '', credential: 'commandLine' } as const
        emitThreshold(tx, { caller, setting: 'minHumanApprovals', previous, current: value })
      }),
    )
  })
  print(command, { orgId, minHumanApprovals: value }, () => [
    value === null
      ? 'The default number of people must approve new withdrawals.'
      : `At least ${value} people must approve new withdrawals.`,
  ])
}

async function setBoth(
  signers: number,
  humans: number | null,
  { org: orgId }: { org: string },
  command: Command,
): Promise<void> {
  await onGround(async (ground) => {
    const { database } = ground
    const serviceKey = await openOwnServiceKey(ground)
    const request = { orgId, signers, humans, actor: actor() }
    await database.transaction(async (tx) => {
      const { previous } = await setThresholds(tx, serviceKey, request)
      const caller = { orgId, userId: '', credential: 'commandLine' } as const
      emitThreshold(tx, { caller, setting: 'minWithdrawalSigners', previous, current: signers })
    })
  })
  const shown = { orgId, minWithdrawalSigners: signers, minHumanApprovals: humans }
  print(command, shown, () => [
    `New withdrawals need ${signers} approvals.`,
    humans === null
      ? 'The default number of people must give them.'
      : `At least ${humans} of them must be given by people.`,
  ])
}

async function listOrgs(_options: unknown, command: Command): Promise<void> {
  const organizations = await onGround(({ database }) =>
    database.transaction((tx) => listOrganizations(tx)),
  )
  const shown = organizations.map((one) => ({
    id: one.id,
    name: one.name,
    webhookUrl: one.webhookUrl,
    minWithdrawalSigners: one.minWithdrawalSigners,
    minHumanApprovals: one.minHumanApprovals,
    createdAt: iso(one.createdAt),
    updatedAt: iso(one.updatedAt),
  }))
  print(command, shown, () =>
    table(
      ['id', 'name', 'webhook', 'signers', 'created'],
      shown.map((one) => [
        one.id,
        one.name,
        one.webhookUrl || '-',
        String(one.minWithdrawalSigners),
        one.createdAt,
      ]),
      'No organizations. Next: sluice org create --name <name>',
    ),
  )
}
