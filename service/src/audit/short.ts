import { listOwnAddresses } from '../accounts/own-address.ts'
import { type ChainEntry, nativeTokenId } from '../catalogue/chains.ts'
import { openSubjects } from '../journal/raise-alert.ts'
import type { Tx } from '../store/database.ts'
import { DIFFERENCE, findingSubject } from './finding.ts'
import { type OpenFinding, selectOpenFindings } from './rows.ts'

/**
 * Organizations and tokens, each as `<organization> <token>`, of which an address holds less than
 * the ledger places there: who runs a contract may have burnt it (E09), and coins that are gone are
 * owed to somebody all the same (I3). Nothing of these is paid until the audit comes out even, or
 * an operator has looked and closed the alert. The coins of a gas wallet are the organization's
 * own: what they lack stops nothing.
 */
export async function readShort(tx: Tx, entry: ChainEntry): Promise<Set<string>> {
  const short = (await selectOpenFindings(tx)).filter(
    ({ chainId, found, expected }) => chainId === entry.id && found < expected,
  )
  if (short.length === 0) return new Set()
  const open = new Set(await openSubjects(tx, DIFFERENCE))
  const isForFees = await forFees(tx, entry)
  return new Set(
    short
      .filter((finding) => open.has(findingSubject(finding)) && !isForFees(finding))
      .map(({ orgId, tokenId }) => `${orgId} ${tokenId}`),
  )
}

/** Tells the coins of gas wallets from all others. */
async function forFees(tx: Tx, entry: ChainEntry): Promise<(finding: OpenFinding) => boolean> {
  const native = nativeTokenId(entry)
  const house = await listOwnAddresses(tx, { chainId: entry.id })
  const wallets = new Set<string>(
    house.flatMap(({ purpose, address }) => (purpose === 'gas' ? [address] : [])),
  )
  return ({ tokenId, address }) => tokenId === native && wallets.has(address)
}
