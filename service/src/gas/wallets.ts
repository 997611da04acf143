import { listOwnAddresses, openOwnAddress } from '../accounts/own-address.ts'
import { selectCompleteWallets } from '../accounts/wallet-rows.ts'
import { type AccountKeys, lockWallet } from '../accounts/wallet.ts'
import { readChainState } from '../catalogue/chain-state.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import { listOrganizations } from '../orgs/settings.ts'
import type { Database } from '../store/database.ts'
import { forEachIsolated } from '../transactions/core/for-each-isolated.ts'

/**
 * Makes sure that every organization has its own addresses on a chain: the settlement account, and
 * the gas wallet where fees are paid in a currency of their own. And that it has the deposit wallet
 * from whose xpub processes without the seed derive addresses. None is made before the chain has
 * a cursor, since a payment to it could be missed (engineering, 13). Answers with how many are new.
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
  // Nobody is told of a wallet that has no address yet.
  await forEachIsolated(missing.wallets, async (orgId) => {
    await database.transaction((tx) => lockWallet(tx, { keys, entry, orgId }))
    return true
  })
  return opened
}
