import { Command } from 'commander'
import { openServiceKeyOf } from '../app/keys.ts'
import { iso } from '../base/clock.ts'
import type { Catalogue } from '../catalogue/find.ts'
import type { Alert } from '../alerts/alert.ts'
import { closeByOperator } from '../audit-log/close-alert.ts'
import { listAlerts } from '../alerts/list-alerts.ts'
import { actor, onGround, parseCount, print, table, warnIfCut } from './context.ts'

const LIST_MAX = 1_000

/** `sluice alert`: lists and closes alerts. */
export function alertCommands(): Command {
  const alert = new Command('alert')
  alert
    .command('list')
    .description('list open alerts, newest first')
    .option('--all', 'include resolved alerts')
    .option('--limit <count>', 'maximum number of rows', parseCount, LIST_MAX)
    .action(list)
  alert
    .command('close')
    .argument('<code>', 'its code, such as withdrawal.tampered')
    .argument('<subject...>', 'its subject, as listed')
    .description(
      'close an alert after a check. It is raised again while its cause lasts, except ' +
        'ledger.difference, which is raised again only if the difference changes',
    )
    .requiredOption('--reason <text>', 'the reason, recorded in the audit log')
    .action(close)
  return alert
}

async function list(
  { all = false, limit }: { all?: boolean; limit: number },
  command: Command,
): Promise<void> {
  const filter = { limit, ...(!all && { open: true }) }
  const alerts = await onGround(({ database }) =>
    database.transaction((tx) => listAlerts(tx, filter)),
  )
  const shown = alerts.map(shownOf)
  print(command, shown, () =>
    table(
      ['last', 'code', 'subject', 'times', ...(all ? ['resolved'] : []), 'message'],
      shown.map((one) => [
        one.lastAt,
        one.code,
        one.subject,
        String(one.times),
        ...(all ? [one.resolvedAt ?? '-'] : []),
        one.message,
      ]),
      all ? 'There are no alerts.' : 'There are no open alerts.',
    ),
  )
  warnIfCut(shown, limit)
}

async function close(
  code: string,
  words: readonly string[],
  { reason }: { reason: string },
  command: Command,
): Promise<void> {
  // Some subjects are two words (a token and an address), given without quotes.
  const subject = words.join(' ')
  const closed = await onGround(({ database, catalogue, config, random }) => {
    const isGone = isOfNoChain(catalogue, subject)
    const openKey = () => openServiceKeyOf(config, random)
    const request = { code, subject, actor: actor(), reason, isGone, openKey }
    return database.transaction((tx) => closeByOperator(tx, request))
  })
  print(command, shownOf(closed), () => [`The alert ${code} of ${subject} is closed.`])
}

/** Whether a subject begins with a chain that has no configured nodes. */
function isOfNoChain(catalogue: Catalogue, subject: string): boolean {
  const chainId = /^[a-z0-9-]+:[A-Za-z0-9-]+/.exec(subject)?.[0]
  return chainId !== undefined && !catalogue.isConfigured(chainId)
}

function shownOf(alert: Alert) {
  const { raisedAt, lastAt, resolvedAt } = alert
  const resolved = resolvedAt === null ? null : iso(resolvedAt)
  return { ...alert, raisedAt: iso(raisedAt), lastAt: iso(lastAt), resolvedAt: resolved }
}
