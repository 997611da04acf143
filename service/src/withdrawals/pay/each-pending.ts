import { Outage } from '../../base/fault.ts'
import { logOutage, logSuccess, type OutageLog } from '../../base/log.ts'
import { Doubt } from '../../chains/doubt.ts'
import { LeaseLost } from '../../store/lease.ts'
import type { WithdrawalMeans } from './inspect.ts'
import { type PendingPlace, selectPending } from '../rows.ts'
import type { Withdrawal } from '../withdrawal.ts'

/** Looked at in one go. */
const PAGE = 100
/** Nodes that fail so often in a row are away, whatever is asked. */
const OUTAGES_MAX = 3

/**
 * The pending withdrawals of a chain, oldest first; those of organizations that wait by the time a
 * page is read are left out of it. Those that were `putLast` in an earlier round come after all
 * others, in the order in which they were.
 */
export async function* eachPending(
  { database, entry, last = new Set() }: Pick<WithdrawalMeans, 'database' | 'entry' | 'last'>,
  waiting: ReadonlySet<string>,
): AsyncGenerator<Withdrawal> {
  const before = new Set(last)
  const found = new Map<string, Withdrawal>()
  let after: PendingPlace | null = null
  for (let isMore = true; isMore; ) {
    const asked = { chainId: entry.id, after, limit: PAGE, but: [...waiting] }
    const page: Withdrawal[] = await database.transaction((tx) => selectPending(tx, asked))
    for (const one of page) if (before.has(one.id)) found.set(one.id, one)
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
 * Does what concerns some withdrawals; what is thrown about them is logged, added to `failures`,
 * and keeps the others from nothing: then the answer is null. Throws `LeaseLost`, and what came
 * last once outages say that the nodes are away; a Doubt is about those withdrawals alone.
 */
export async function keepGoing<T>(
  { log, clock }: OutageLog,
  { told, says, failures }: { told: Record<string, unknown>; says: string; failures: unknown[] },
  work: () => Promise<T>,
): Promise<T | null> {
  const name = `${says} ${JSON.stringify(told)}`
  try {
    const result = await work()
    logSuccess({ clock, log }, name)
    return result
  } catch (error) {
    if (error instanceof LeaseLost) throw error
    if (isOfNodes(error)) logOutage({ clock, log }, { ...told, work: name, outage: error })
    else log.warn({ ...told, err: error }, says)
    failures.push(error)
    if (failures.filter(isOfNodes).length >= OUTAGES_MAX) throw error
    return null
  }
}

/**
 * Notes how a look at one withdrawal ended; null for what was thrown, which is among the failures.
 * One that met with an outage before any other did is put last from the next round on: it may be
 * what broke the node, which keeps those behind it from being asked about (W20). Those that fail
 * after it stay where they are. One that found no gas goes last too: what is behind it may cost
 * less.
 */
export function putLast(
  { last }: Pick<WithdrawalMeans, 'last'>,
  { id, outcome, failures }: { id: string; outcome: unknown; failures: readonly unknown[] },
): void {
  const isFirst = isOfNodes(failures.at(-1)) && failures.filter(isOfNodes).length === 1
  if (outcome !== null || isFirst) last?.delete(id)
  if ((outcome === null && isFirst) || outcome === 'short-of-gas') last?.add(id)
}

/** Whether what was thrown says that the nodes may be away. */
function isOfNodes(thrown: unknown): thrown is Outage {
  return thrown instanceof Outage && !(thrown instanceof Doubt)
}
