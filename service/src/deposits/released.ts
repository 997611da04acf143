import { selectLastActions } from '../journal/rows.ts'
import type { Tx } from '../store/database.ts'
import type { Deposit } from './deposit.ts'
import { HOLD, RELEASE } from './hold.ts'
import { CLEAR } from './unwitnessed.ts'

/**
 * Ids of those deposits that an operator let go, whatever held them. What the audit let go is not
 * among them: it has only been the witness that was wanting.
 */
export async function releasedAmong(
  tx: Tx,
  deposits: readonly Pick<Deposit, 'id'>[],
): Promise<ReadonlySet<string>> {
  if (deposits.length === 0) return new Set()
  const objects = deposits.map(({ id }) => id)
  const words = await selectLastActions(tx, { objects, actions: [HOLD, RELEASE, CLEAR] })
  return new Set(objects.filter((id) => words.get(id)?.action === RELEASE))
}
