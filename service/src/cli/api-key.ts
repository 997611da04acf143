import { Command } from 'commander'
import { openServiceKeyOf } from '../app/keys.ts'
import { rotateForOperator } from '../orgs/change-api-key.ts'
import { actor, onGround, parseId, print } from './context.ts'

/** `sluice api-key`: rotates the API key of an organization. */
export function apiKeyCommands(): Command {
  const apiKey = new Command('api-key')
  apiKey
    .command('rotate')
    .description('create a new key and revoke the old one')
    .requiredOption('--org <id>', 'the organization', parseId)
    .action(async ({ org }: { org: string }, command: Command) => {
      const key = await onGround(({ config, database, random }) => {
        const serviceKey = openServiceKeyOf(config, random)
        return database.transaction((tx) =>
          rotateForOperator(tx, serviceKey, { orgId: org, actor: actor(), random }),
        )
      })
      const shown = { orgId: org, apiKey: key.reveal() }
      print(command, shown, () => [`New API key (shown only once): ${shown.apiKey}`])
    })
  return apiKey
}
