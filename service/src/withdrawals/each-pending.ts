import { Outage } from '../base/fault.ts'
import { Doubt } from '../chains/doubt.ts'
import { LeaseLost } from '../store/lease.ts'
import type { WithdrawalMeans } from './means.ts'
import { type PendingPlace, selectPending } from './rows.ts'
import type { Withdrawal } from './withdrawal.ts'

/** Looked at in one go. */
const PAGE = 100
/** Nodes that fail so often in a row are away, whatever is asked. */
const OUTAGES_MAX = 3

/**
 * The pending withdrawals of a chain, oldest first; those of organizations that wait by the time a
 * page is read are left out of it.
 */
export async function* eachPending(
  { database, entry }: Pick<WithdrawalMeans, 'database' | 'entry'>,
  waiting: ReadonlySet<string>,
): AsyncGenerator<Withdrawal> {
  for (let after: PendingPlace | null = null; ; ) {
    const asked = { chainId: entry.id, after, limit: PAGE, but: [...waiting] }
    const page: Withdrawal[] = await database.transaction((tx) => selectPending(tx, asked))
    yield* page
    after = page.at(-1) ?? null
    if (page.length < PAGE) return
  }
}

/**
 * Does what concerns some withdrawals; what is thrown about them is logged, added to `failures`,
 * and keeps the others from nothing: then the answer is null. Throws `LeaseLost`, and what came
 * last once outages say that the nodes are away; a Doubt is about those withdrawals alone.
 */
export async function keepGoing<T>(
  { log }: Pick<WithdrawalMeans, 'log'>,
  { told, says, failures }: { told: Record<string, unknown>; says: string; failures: unknown[] },
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof LeaseLost) throw error
    log.warn({ ...told, err: error }, says)
    failures.push(error)
    if (failures.filter(isOfNodes).length >= OUTAGES_MAX) throw error
    return null
  }
}

/** Whether what was thrown says that the nodes may be away. */
function isOfNodes(thrown: unknown): boolean {
  return thrown instanceof Outage && !(thrown instanceof Doubt)
}
