import type { BALANCE_OPERATIONS } from '@sluice/wire'
import { showOwnAddress } from '../../accounts/own-address.ts'
import { orRaiseTampered } from '../../accounts/tampered.ts'
import { displayAddress } from '../../chains/format-address.ts'
import { readGasHolding } from '../../gas/holding.ts'
import { liveBalance } from '../../gas/live-balance.ts'
import type { Tx } from '../../store/database.ts'
import type { Call, Handlers } from '../http/route.ts'
import { readPortfolio } from '../views/portfolio.ts'

export const balanceRoutes: Handlers<keyof typeof BALANCE_OPERATIONS> = {
  /** Without a response of a node in time, the balance is that of our last block. */
  getGasStation: async (call) => {
    const { database, chains, clock, caller } = call
    const wallets = await orRaiseTampered(database, () =>
      database.forOrg(caller.orgId, (tx) => readGasWallets(tx, call)),
    )
    const gasWallets = wallets.map(async ({ entry, address, native, held }) => {
      const adapter = chains.get(entry.id)
      const live = adapter === null ? null : await liveBalance(adapter, { address, native, clock })
      const { name, nativeCurrency, decimals } = entry
      return {
        chainId: entry.id,
        address: displayAddress(entry.id, address),
        balance: (live ?? held.placed).toString(),
        live: live !== null,
        spendable: held.spendable.toString(),
        Chain: { name, properties: { nativeCurrency, decimals } },
      }
    })
    return { gasWallets: await Promise.all(gasWallets) }
  },

  getPortfolio: async ({ database, catalogue, serviceKey, caller: { orgId }, query }) => {
    const portfolio = await orRaiseTampered(database, () =>
      database.forOrg(orgId, (tx) => readPortfolio(tx, { catalogue, serviceKey, orgId, ...query })),
    )
    return { portfolio }
  },
}

async function readGasWallets(
  tx: Tx,
  { catalogue, serviceKey, caller: { orgId } }: Call<'getGasStation'>,
) {
  const wallets = []
  for (const entry of catalogue.chains) {
    if (!catalogue.isConfigured(entry.id) || !entry.hasGasWallets) continue
    const { id: chainId } = entry
    const address = await showOwnAddress(tx, serviceKey, { orgId, chainId, purpose: 'gas' })
    if (address === null) continue
    const native = catalogue.nativeToken(chainId).id
    const held = await readGasHolding(tx, { orgId, chainId, native, address })
    wallets.push({ entry, address, native, held })
  }
  return wallets
}
