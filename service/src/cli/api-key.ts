import { Command } from 'commander'
import { openServiceKeyOf } from '../app/keys.ts'
import { rotateForOperator } from '../orgs/api-key.ts'
import { actor, onGround, parseId, print } from './context.ts'

/** `sluice api-key`: the key with which an organization's servers call. */
export function apiKeyCommands(): Command {
  const apiKey = new Command('api-key')
  apiKey
    .command('rotate')
    .description('make a new key; the one before is refused at once')
    .requiredOption('--org <id>', 'the organization', parseId)
    .action(async ({ org }: { org: string }, command: Command) => {
      const key = await onGround(({ config, database, dice }) => {
        const serviceKey = openServiceKeyOf(config, dice)
        return database.transaction((tx) =>
          rotateForOperator(tx, serviceKey, { orgId: org, actor: actor(), dice }),
        )
      })
      const shown = { orgId: org, apiKey: key.reveal() }
      print(command, shown, () => [`The new API key, shown this once: ${shown.apiKey}`])
    })
  return apiKey
}
