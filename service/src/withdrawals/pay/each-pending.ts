import { Outage } from '../../base/fault.ts'
import { logOutage, logSuccess, type OutageLog } from '../../base/log.ts'
import { Doubt } from '../../chains/doubt.ts'
import { isSignerAway } from '../../transactions/core/signer-outage.ts'
import { LeaseLost } from '../../store/lease.ts'
import type { WithdrawalDeps } from './inspect.ts'
import { type PendingPlace, selectPending } from '../rows.ts'
import type { Withdrawal } from '../withdrawal.ts'

/** Withdrawals read by one query. */
const PAGE = 100
/** Outages in a round after which the nodes count as unavailable. */
const OUTAGES_MAX = 3

/**
 * The pending withdrawals of a chain, oldest first, without organizations that are in `waiting`
 * when a page is read. Withdrawals that an earlier round `putLast` come after all others, in that
 * order.
 */
export async function* eachPending(
  { database, entry, last = new Set() }: Pick<WithdrawalDeps, 'database' | 'entry' | 'last'>,
  waiting: ReadonlySet<string>,
): AsyncGenerator<Withdrawal> {
  const before = new Set(last)
  const found = new Map<string, Withdrawal>()
  let after: PendingPlace | null = null
  for (let isMore = true; isMore; ) {
    const asked = { chainId: entry.id, after, limit: PAGE, but: [...waiting] }
    const page: Withdrawal[] = await database.transaction((tx) => selectPending(tx, asked))
    for (const withdrawal of page)
      if (before.has(withdrawal.id)) found.set(withdrawal.id, withdrawal)
    yield* page.filter(({ id }) => !found.has(id))
    after = page.at(-1) ?? null
    isMore = page.length === PAGE
  }
  for (const id of before) {
    const withdrawal = found.get(id)
    if (withdrawal === undefined) last.delete(id)
    else yield withdrawal
  }
}

/**
 * Runs work on some withdrawals. An error is logged and added to `failures`, and does not stop the
 * others: the result is null. Throws `LeaseLost`, an outage of the signer, and the last of
 * `OUTAGES_MAX` other outages; a Doubt concerns only those withdrawals and is not counted.
 */
export async function keepGoing<T>(
  { log, clock }: OutageLog,
  { details, says, failures }: { details: object; says: string; failures: unknown[] },
  work: () => Promise<T>,
): Promise<T | null> {
  const name = `${says} ${JSON.stringify(details)}`
  try {
    const result = await work()
    logSuccess({ clock, log }, name)
    return result
  } catch (error) {
    // Another payment must not take the place of one that the signer may have signed.
    if (error instanceof LeaseLost || isSignerAway(error)) throw error
    if (isOfNodes(error)) logOutage({ clock, log }, { ...details, work: name, outage: error })
    else log.warn({ ...details, err: error }, says)
    failures.push(error)
    if (failures.filter(isOfNodes).length >= OUTAGES_MAX) throw error
    return null
  }
}

/**
 * Moves a withdrawal to the end of the next rounds if its outcome asks for it; `outcome` is null
 * after an error, which is the last of the failures. The first withdrawal of a round that met an
 * outage goes last: it may have caused the outage, and would hide those behind it from the nodes
 * (W20). One that found no gas goes last too: those behind it may cost less.
 */
export function putLast(
  { last }: Pick<WithdrawalDeps, 'last'>,
  { id, outcome, failures }: { id: string; outcome: unknown; failures: readonly unknown[] },
): void {
  const isFirst = isOfNodes(failures.at(-1)) && failures.filter(isOfNodes).length === 1
  if (outcome !== null || isFirst) last?.delete(id)
  if ((outcome === null && isFirst) || outcome === 'short-of-gas') last?.add(id)
}

/** Whether an error indicates that the nodes are unavailable. */
function isOfNodes(thrown: unknown): thrown is Outage {
  return thrown instanceof Outage && !(thrown instanceof Doubt)
}
