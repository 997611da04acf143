import type { Books } from '../books.ts'
import type { Heard } from '../chains/sim-chain.ts'
import type { Picture } from '../picture.ts'

/**
 * R04: on a chain that is frozen or halted before and after an event, nodes receive no transaction
 * for the first time, and no deposit becomes Confirmed. Any process may send them known
 * transactions again; and a process that was paused between its check of the chain and the node
 * sends what it had signed when it continues.
 */
export function checkStopped(
  books: Pick<Books, 'sent'>,
  options: {
    before: Picture | null
    now: Picture
    heard: readonly Heard[]
    woken: string | null
  },
): string[] {
  const { before, now, heard, woken } = options
  if (before === null) return []
  const wasStopped = stoppedIn(before)
  const stopped = new Set([...stoppedIn(now)].filter((id) => wasStopped.has(id)))
  if (stopped.size === 0) return []
  const fresh = heard.filter(
    ({ chainId, txnHash }) => stopped.has(chainId) && !books.sent.has(txnHash) && woken === null,
  )
  const credited = confirmedIn(before)
  const late = [...confirmedIn(now).values()].filter(
    ({ id, chain }) => stopped.has(chain) && !credited.has(id),
  )
  // Several nodes may have received the same.
  const sent = new Set(fresh.map(({ txnHash, chainId }) => `${txnHash} was sent on ${chainId}`))
  return [
    ...[...sent].map((what) => `R04: ${what}, which is stopped`),
    ...late.map(({ hash, chain }) => `R04: ${hash} was credited on ${chain}, which is stopped`),
  ]
}

function stoppedIn({ chains }: Picture): Set<string> {
  return new Set(chains.filter(({ condition }) => condition !== 'running').map(({ id }) => id))
}

function confirmedIn({ deposits, fundings }: Picture) {
  const confirmed = [...deposits, ...fundings].filter(({ status }) => status === 'Confirmed')
  return new Map(confirmed.map((one) => [one.id, one]))
}
