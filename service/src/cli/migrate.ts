import { Command } from 'commander'
import { MIGRATIONS, requireOwner } from '../app/ground.ts'
import { migrationStatus } from '../store/migrate.ts'
import { onGround, print } from './context.ts'

/** `sluice migrate`: migrates the database to this version's schema. */
export function migrateCommand(): Command {
  return new Command('migrate').action(async (_options, command: Command) => {
    // Opening the database as the service does has migrated it.
    const { applied } = await onGround(
      ({ urls }) => migrationStatus({ ownerUrl: requireOwner(urls), folder: MIGRATIONS }),
      'service',
    )
    const count = `${applied.length} ${applied.length === 1 ? 'migration' : 'migrations'}`
    print(command, { applied }, () => [`The schema is current: ${count}, ${applied.at(-1)} last.`])
  })
}
