import type { SpendMeans } from '../transactions/core/mandate.ts'
import { type DustBook, openDustBook } from './dust.ts'
import type { FeeBook } from './fee-book.ts'
import { watchLevels } from './level.ts'
import { type NativeDemand, refillSettlements, type Unsettled } from './refill.ts'
import type { Send } from './send-top-up.ts'

/**
 * One look at the gas of a chain: tells of wallets that have become low, and gives settlement
 * accounts what they need for fees. Answers with how many top-ups were sent. Throws an Outage where
 * nobody says what a transfer costs.
 */
export async function keepGas(
  deps: SpendMeans,
  gas: {
    fees: FeeBook
    /** A wallet is low when fewer sweeps are left. */
    lowAt: number
    demands: readonly NativeDemand[]
    unsettled: Unsettled
    /** Organizations of which a withdrawal waits for gas. */
    starved?: ReadonlySet<string>
    /** Kept from look to look, so that not every one counts what lies on deposit addresses. */
    dust?: DustBook
    send?: Send
  },
): Promise<number> {
  const { catalogue, entry, database, caps } = deps
  const chainId = entry.id
  const native = catalogue.nativeToken(chainId).id
  const dearest = catalogue.tokensOf(chainId).find((token) => !token.native)?.id ?? native
  // Whatever a node says, no transaction of ours pays more than the cap (N11).
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
