import { Command } from 'commander'
import { openServiceKeyOf } from '../app/keys.ts'
import { iso } from '../base/clock.ts'
import { listApiKeys } from '../orgs/api-key.ts'
import { revokeApiKey, rotateForOperator } from '../orgs/change-api-key.ts'
import { actor, onGround, parseId, print, table } from './context.ts'

/** `sluice api-key`: lists, revokes and rotates the API keys of an organization. */
export function apiKeyCommands(): Command {
  const apiKey = new Command('api-key')
  apiKey
    .command('list')
    .description('list the API keys of an organization')
    .requiredOption('--org <id>', 'the organization', parseId)
    .action(list)
  apiKey
    .command('revoke')
    .description('revoke an API key')
    .argument('<key>', 'the id of the API key', parseId)
    .requiredOption('--org <id>', 'the organization', parseId)
    .action(revoke)
  apiKey
    .command('rotate')
    .description('create a new default key and revoke the old one')
    .requiredOption('--org <id>', 'the organization', parseId)
    .action(rotate)
  return apiKey
}

async function list({ org }: { org: string }, command: Command): Promise<void> {
  const keys = await onGround(({ database }) => database.transaction((tx) => listApiKeys(tx, org)))
  const shown = keys.map(({ networks, ...key }) => ({
    ...key,
    allowedCidrs: networks,
    createdAt: iso(key.createdAt),
    expiresAt: key.expiresAt === null ? null : iso(key.expiresAt),
    revokedAt: key.revokedAt === null ? null : iso(key.revokedAt),
    lastUsedAt: key.lastUsedAt === null ? null : iso(key.lastUsedAt),
  }))
  print(command, shown, () =>
    table(
      ['key', 'name', 'last four', 'scopes', 'networks', 'expires', 'revoked', 'last used'],
      shown.map((key) => [
        key.id,
        key.isDefault ? `${key.name} (default)` : key.name,
        key.lastFour,
        key.scopes.join(' '),
        key.allowedCidrs.join(' ') || '-',
        key.expiresAt ?? '-',
        key.revokedAt ?? '-',
        key.lastUsedAt ?? '-',
      ]),
      'No API keys.',
    ),
  )
}

async function revoke(id: string, { org: orgId }: { org: string }, command: Command) {
  await onGround(({ config, database, random }) => {
    const serviceKey = openServiceKeyOf(config, random)
    const revocation = { orgId, id, actor: actor() }
    return database.transaction((tx) => revokeApiKey(tx, serviceKey, revocation))
  })
  print(command, { id, revoked: true }, () => [`API key ${id} is revoked.`])
}

async function rotate({ org: orgId }: { org: string }, command: Command): Promise<void> {
  const key = await onGround(({ config, database, random }) => {
    const serviceKey = openServiceKeyOf(config, random)
    return database.transaction((tx) =>
      rotateForOperator(tx, serviceKey, { orgId, actor: actor(), random }),
    )
  })
  const shown = { orgId, apiKey: key.reveal() }
  print(command, shown, () => [`New API key (shown only once): ${shown.apiKey}`])
}
