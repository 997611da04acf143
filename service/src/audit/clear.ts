import type { BlockRef } from '../chains/port.ts'
import { clearUnwitnessed } from '../deposits/unwitnessed.ts'
import type { Deposit } from '../deposits/deposit.ts'
import { isOurBlock } from '../scanner/our-block.ts'
import type { Auditor } from './auditor.ts'
import { type Comparison, findingSubject } from './finding.ts'

/**
 * Releases held deposits whose address holds, at a block of ours, at least what the ledger places
 * there, these deposits included. `held` must be read before the ledger, so that the expected
 * amount includes them. A deficit keeps all deposits of its address and token held.
 */
export async function clearDeposits(
  { database, entry }: Auditor,
  {
    held,
    comparisons,
    tip,
  }: { held: readonly Deposit[]; comparisons: readonly Comparison[]; tip: BlockRef | null },
): Promise<void> {
  if (tip === null || held.length === 0) return
  const covered = new Map(
    comparisons
      .filter(({ found, expected }) => found >= expected)
      .map((comparison) => [findingSubject(comparison), comparison.height]),
  )
  const deposits = held.filter(
    (deposit) => deposit.block.height <= (covered.get(findingSubject(deposit)) ?? -1),
  )
  if (deposits.length === 0) return
  await database.transaction(async (tx) => {
    // The block of the answer may have been replaced since.
    if (!(await isOurBlock(tx, { chainId: entry.id, block: tip }))) return
    await clearUnwitnessed(tx, { deposits, height: tip.height })
  })
}
