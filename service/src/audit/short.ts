import { listOwnAddresses } from '../accounts/own-address.ts'
import { type ChainEntry, nativeTokenId } from '../catalogue/chains.ts'
import { openSubjects } from '../alerts/raise-alert.ts'
import type { Tx } from '../store/database.ts'
import { DIFFERENCE, findingSubject } from './finding.ts'
import { type OpenFinding, selectOpenFindings } from './rows.ts'

/**
 * Organizations and tokens, each as `<organization> <token>`, with a deficit on an address: the
 * operator of a contract may have burnt tokens (E09), which are still owed (I3). Their withdrawals
 * wait until the balance matches or an operator has resolved the alert. A deficit of native coins
 * on a gas wallet stops no withdrawal: they belong to the organization.
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

/** Whether a finding is about native coins of a gas wallet. */
async function forFees(tx: Tx, entry: ChainEntry): Promise<(finding: OpenFinding) => boolean> {
  const native = nativeTokenId(entry)
  const platform = await listOwnAddresses(tx, { chainId: entry.id })
  const wallets = new Set<string>(
    platform.flatMap(({ purpose, address }) => (purpose === 'gas' ? [address] : [])),
  )
  return ({ tokenId, address }) => tokenId === native && wallets.has(address)
}
