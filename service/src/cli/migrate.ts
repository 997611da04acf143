import { Command } from 'commander'
import { MIGRATIONS, requireOwner } from '../app/ground.ts'
import { migrationStatus } from '../store/migrate.ts'
import { onGround, print } from './context.ts'

/** `sluice migrate`: brings the database to this program's schema and says where it stands. */
export function migrateCommand(): Command {
  return new Command('migrate').action(async (_options, command: Command) => {
    // Opening a ground as a service does migrates; what is left to do is to tell.
    const { applied } = await onGround(
      ({ urls }) => migrationStatus({ ownerUrl: requireOwner(urls), folder: MIGRATIONS }),
      'service',
    )
    const count = `${applied.length} ${applied.length === 1 ? 'migration' : 'migrations'}`
    print(command, { applied }, () => [`The schema is current: ${count}, ${applied.at(-1)} last.`])
  })
}
