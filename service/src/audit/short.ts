import { type ChainEntry, nativeTokenId } from '../catalogue/chains.ts'
import { openSubjects } from '../journal/raise-alert.ts'
import type { Tx } from '../store/database.ts'
import { DIFFERENCE, findingSubject } from './finding.ts'
import { selectOpenFindings } from './rows.ts'

/**
 * Organizations and tokens of contracts, each as `<organization> <token>`, of which an address
 * holds less than the ledger places there: who runs the contract may have burnt it. Nothing of
 * these is paid until the audit comes out even, or an operator has looked and closed the alert
 * (E09).
 */
export async function readShort(tx: Tx, entry: ChainEntry): Promise<Set<string>> {
  const native = nativeTokenId(entry)
  const short = (await selectOpenFindings(tx)).filter(
    ({ chainId, tokenId, found, expected }) =>
      chainId === entry.id && tokenId !== native && found < expected,
  )
  if (short.length === 0) return new Set()
  const open = new Set(await openSubjects(tx, DIFFERENCE))
  return new Set(
    short
      .filter((finding) => open.has(findingSubject(finding)))
      .map(({ orgId, tokenId }) => `${orgId} ${tokenId}`),
  )
}
