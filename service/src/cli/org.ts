import { Command } from 'commander'
import { foundOrganization } from '../app/found-organization.ts'
import { openServiceKeyOf } from '../app/keys.ts'
import { iso } from '../base/clock.ts'
import { listOrganizations } from '../orgs/settings.ts'
import { actor, onGround, print, table } from './context.ts'

/** `sluice org`: organizations. */
export function orgCommands(): Command {
  const org = new Command('org')
  org
    .command('create')
    .description('make an organization; its API key is shown once')
    .requiredOption('--name <name>', 'its name, 1 to 100 characters')
    .action(createOrg)
  org.command('list').description('all organizations').action(listOrgs)
  return org
}

async function createOrg({ name }: { name: string }, command: Command): Promise<void> {
  const { organization, apiKey } = await onGround((ground) => {
    const { config, dice, database } = ground
    const serviceKey = openServiceKeyOf(config, dice)
    return foundOrganization(database, serviceKey, { name, actor: actor(), dice })
  })
  const shown = { id: organization.id, name: organization.name, apiKey: apiKey.reveal() }
  print(command, shown, () => [
    `Organization ${shown.name} has the id ${shown.id}.`,
    `Its API key, shown this once: ${shown.apiKey}`,
    `Next: sluice user create --org ${shown.id} --username <name> --role admin`,
  ])
}

async function listOrgs(_options: unknown, command: Command): Promise<void> {
  const organizations = await onGround(({ database }) =>
    database.transaction((tx) => listOrganizations(tx)),
  )
  const shown = organizations.map((one) => ({ ...one, createdAt: iso(one.createdAt) }))
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
      'There are no organizations. Next: sluice org create --name <name>',
    ),
  )
}
