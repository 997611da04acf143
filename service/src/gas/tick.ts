import type { SpendDeps } from '../transactions/core/payment-request.ts'
import { type DustBook, openDustBook } from './dust.ts'
import type { FeeBook } from './fee-book.ts'
import { watchLevels } from './level.ts'
import { type NativeDemand, refillSettlements, type Unsettled } from './refill.ts'
import type { Send } from './send-top-up.ts'

/**
 * One round of gas for a chain: checks the gas wallets and tops settlement accounts up. Returns the
 * number of top-ups sent. Throws an Outage if the fee of a transfer is unknown.
 */
export async function keepGas(
  deps: SpendDeps,
  gas: {
    fees: FeeBook
    /** A wallet is low when fewer sweeps are left. */
    lowAt: number
    demands: readonly NativeDemand[]
    unsettled: Unsettled
    /** Organizations of which a withdrawal waits for gas. */
    starved?: ReadonlySet<string>
    /** Cache of the gas on deposit addresses; kept between rounds. */
    dust?: DustBook
    send?: Send
  },
): Promise<number> {
  const { catalogue, entry, database, caps } = deps
  const chainId = entry.id
  const native = catalogue.nativeToken(chainId).id
  const dearest = catalogue.tokensOf(chainId).find((token) => !token.native)?.id ?? native
  // No transaction of ours pays more than the cap, for any answer of a node (N11).
  const capOf = (price: bigint) => (price < caps.absolute ? price : caps.absolute)
  const topUpFee = capOf(await gas.fees.feeOf(chainId, native))
  const fee = capOf(await gas.fees.feeOf(chainId, dearest))
  const sweepCost = fee + topUpFee
  const { serviceKey } = deps.keys
  const levels = { serviceKey, catalogue, chainId, sweepCost, lowAt: gas.lowAt }
  await watchLevels(database, levels)
  const { demands, unsettled, starved = new Set(), dust = openDustBook(), send } = gas
  const keep = BigInt(gas.lowAt) * sweepCost
  const refill = { fee, topUpFee, keep, dust, demands, unsettled, starved }
  return refillSettlements(deps, refill, send)
}
