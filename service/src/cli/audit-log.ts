import { Command } from 'commander'
import { iso } from '../base/clock.ts'
import { listAudit } from '../journal/list-audit.ts'
import { onGround, parseCount, parseId, print, table } from './context.ts'

const LIST_MAX = 100

/** `sluice audit-log`: who changed what, over the interface and from the command line alike. */
export function auditLogCommands(): Command {
  const auditLog = new Command('audit-log')
  auditLog
    .command('list')
    .description('what was changed by whom, newest first')
    .option('--org <id>', 'of one organization', parseId)
    .option('--limit <count>', 'at most', parseCount, LIST_MAX)
    .action(list)
  return auditLog
}

async function list(
  { org, limit }: { org?: string; limit: number },
  command: Command,
): Promise<void> {
  const filter = org === undefined ? { limit } : { orgId: org, limit }
  const entries = await onGround(({ database }) =>
    database.transaction((tx) => listAudit(tx, filter)),
  )
  const shown = entries.map((one) => ({ ...one, at: iso(one.at) }))
  print(command, shown, () =>
    table(
      ['time', 'organization', 'who', 'what', 'object', 'details'],
      shown.map((one) => [
        one.at,
        one.orgId ?? '-',
        one.actor,
        one.action,
        one.object,
        JSON.stringify(one.details),
      ]),
      'Nothing was changed yet.',
    ),
  )
}
