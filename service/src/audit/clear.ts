import type { BlockRef } from '../chains/port.ts'
import { clearUnwitnessed } from '../deposits/unwitnessed.ts'
import type { Deposit } from '../deposits/deposit.ts'
import { isOurBlock } from '../scanner/our-block.ts'
import type { Auditor } from './auditor.ts'
import { type Comparison, findingSubject } from './finding.ts'

/**
 * Lets those of the held deposits go whose address was seen to hold, at a block of ours, all that
 * the ledger places there, themselves among it. `held` was read before the ledger was, so that what
 * is expected counts them in. Whatever is short holds all deposits of its address and token.
 */
export async function clearDeposits(
  { database, entry }: Auditor,
  given: {
    held: readonly Deposit[]
    comparisons: readonly Comparison[]
    tip: BlockRef | null
  },
): Promise<void> {
  const { held, comparisons, tip } = given
  if (tip === null || held.length === 0) return
  const covered = new Map(
    comparisons
      .filter(({ found, expected }) => found >= expected)
      .map((one) => [findingSubject(one), one.height]),
  )
  const deposits = held.filter(
    (one) => one.block.height <= (covered.get(findingSubject(one)) ?? -1),
  )
  if (deposits.length === 0) return
  await database.transaction(async (tx) => {
    // What the node told is true of a block that may be gone by now.
    if (!(await isOurBlock(tx, { chainId: entry.id, block: tip }))) return
    await clearUnwitnessed(tx, { deposits, height: tip.height })
  })
}
