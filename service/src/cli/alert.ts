import { Command } from 'commander'
import { iso } from '../base/clock.ts'
import { listAlerts } from '../journal/list-alerts.ts'
import { onGround, print, table } from './context.ts'

/** `sluice alert`: what an operator must know. */
export function alertCommands(): Command {
  const alert = new Command('alert')
  alert
    .command('list')
    .description('open alerts, newest first')
    .option('--all', 'resolved ones too')
    .action(async ({ all }: { all?: boolean }, command: Command) => {
      const filter = all === true ? {} : { open: true }
      const alerts = await onGround(({ database }) =>
        database.transaction((tx) => listAlerts(tx, filter)),
      )
      const shown = alerts.map((one) => ({
        ...one,
        raisedAt: iso(one.raisedAt),
        lastAt: iso(one.lastAt),
        resolvedAt: one.resolvedAt === null ? null : iso(one.resolvedAt),
      }))
      print(command, shown, () =>
        table(
          ['last', 'code', 'subject', 'times', 'message'],
          shown.map((one) => [one.lastAt, one.code, one.subject, String(one.times), one.message]),
          'There are no open alerts.',
        ),
      )
    })
  return alert
}
