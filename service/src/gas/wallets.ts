import { listOwnAddresses, openOwnAddress } from '../accounts/own-address.ts'
import { selectCompleteWallets } from '../accounts/wallet-rows.ts'
import { type AccountKeys, lockWallet } from '../accounts/wallet.ts'
import { readChainState } from '../catalogue/chain-state.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import { listOrganizations } from '../orgs/settings.ts'
import type { Database } from '../store/database.ts'
import { forEachIsolated } from '../transactions/core/for-each-isolated.ts'

/**
 * Opens every organization's own addresses on a chain: the settlement address and, if the chain has
 * them, the gas wallet. Also opens the deposit wallet, from whose xpub processes without the seed
 * derive addresses. Requires the chain's cursor, because payments to an address without one could
 * be missed (engineering, 13). Returns the number of new addresses.
 */
export async function ensureOwnAddresses(
  database: Database,
  { keys, entry }: { keys: AccountKeys; entry: ChainEntry },
): Promise<number> {
  const purposes = entry.hasGasWallets
    ? (['settlement', 'gas'] as const)
    : (['settlement'] as const)
  const missing = await database.transaction(async (tx) => {
    if ((await readChainState(tx, entry.id)) === null) return { own: [], wallets: [] }
    const standing = await listOwnAddresses(tx, { chainId: entry.id })
    const has = new Set(standing.map(({ orgId, purpose }) => `${orgId} ${purpose}`))
    const organizations = await listOrganizations(tx)
    const own = organizations.flatMap(({ id: orgId }) =>
      purposes
        .filter((purpose) => !has.has(`${orgId} ${purpose}`))
        .map((purpose) => ({
          orgId,
          purpose,
        })),
    )
    if (entry.sharesAddresses) return { own, wallets: [] }
    const needsTaproot = entry.addressType === 'p2tr'
    const complete = new Set(await selectCompleteWallets(tx, { chainId: entry.id, needsTaproot }))
    const wallets = organizations.map(({ id }) => id).filter((id) => !complete.has(id))
    return { own, wallets }
  })
  const opened = await forEachIsolated(missing.own, async ({ orgId, purpose }) => {
    await database.transaction((tx) => openOwnAddress(tx, { keys, entry, orgId, purpose }))
    return true
  })
  // Emits nothing: the wallet has no address yet.
  await forEachIsolated(missing.wallets, async (orgId) => {
    await database.transaction((tx) => lockWallet(tx, { keys, entry, orgId }))
    return true
  })
  return opened
}
