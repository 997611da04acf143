import { showOwnAddress } from '../../accounts/own-address.ts'
import { orRaiseTampered } from '../../accounts/tampered.ts'
import type { ChainEntry } from '../../catalogue/chains.ts'
import { displayAddress } from '../../chains/format-address.ts'
import { readGasHolding } from '../../gas/holding.ts'
import { liveBalance } from '../../gas/live-balance.ts'
import type { Tx } from '../../store/database.ts'
import { route } from '../http/route.ts'

/**
 * Section 4.7: the gas wallets of the organization on all chains that have nodes and such wallets,
 * with what they hold at the head of the chain. Where no node answers in time, it is what they held
 * at our last block, and `live` is false. Refuses with INTERNAL_ERROR, and raises an alert,
 * if the row of a gas wallet's address was changed in the database.
 */
export const getGasStation = route(
  'getGasStation',
  async ({ database, catalogue, chains, clock, serviceKey, caller: { orgId } }) => {
    const entries = catalogue.chains.filter(
      (entry) => catalogue.isConfigured(entry.id) && entry.hasGasWallets,
    )
    const read = async (tx: Tx) => {
      const found = []
      for (const entry of entries) {
        const question = { orgId, chainId: entry.id, purpose: 'gas' } as const
        const address = await showOwnAddress(tx, serviceKey, question)
        if (address === null) continue
        const native = catalogue.nativeToken(entry.id).id
        const held = await readGasHolding(tx, { orgId, chainId: entry.id, native, address })
        found.push({ entry, address, native, held })
      }
      return found
    }
    const standing = await orRaiseTampered(database, () => database.forOrg(orgId, read))
    const gasWallets = standing.map(async ({ entry, address, native, held }) => {
      const adapter = chains.get(entry.id)
      const asked = { address, native, clock }
      const live = adapter === null ? null : await liveBalance(adapter, asked)
      return {
        chainId: entry.id,
        address: displayAddress(entry.id, address),
        balance: (live ?? held.placed).toString(),
        live: live !== null,
        spendable: held.spendable.toString(),
        Chain: viewOf(entry),
      }
    })
    return { gasWallets: await Promise.all(gasWallets) }
  },
)

function viewOf({ name, nativeCurrency, decimals }: ChainEntry) {
  return { name, properties: { nativeCurrency, decimals } }
}
