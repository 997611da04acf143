import type { ChainId, TokenId } from '@sluice/wire'
import { listOwnAddresses } from '../accounts/own-address.ts'
import { sum } from '../base/amount.ts'
import type { Catalogue } from '../catalogue/find.ts'
import type { Address } from '../chains/port.ts'
import { CLAIM } from '../ledger/account.ts'
import { readBalance } from '../ledger/balance.ts'
import type { Database, Tx } from '../store/database.ts'
import { forEachIsolated } from '../transactions/core/for-each-isolated.ts'
import { gasOf } from '../transactions/core/funds.ts'
import type { SpendDeps } from '../transactions/core/payment-request.ts'
import { unminedOutflow } from '../transactions/core/read.ts'
import type { DustBook } from './dust.ts'
import { dustMatters, type FloatQuestion, floatWanted } from './float.ts'
import { freeAt, hasFunds } from './holding.ts'
import { type Send, sendTopUp, topUpsUnderWay } from './send-top-up.ts'

/** An organization's own two addresses on a chain. */
interface Pair {
  orgId: string
  settlement: Address
  gas: Address
}

/** Native currency that the waiting withdrawals of an organization lack. */
export interface NativeDemand {
  orgId: string
  tokenId: TokenId
  /** Base units. */
  missing: bigint
}

/** Base units that were paid to addresses from outside and are not credited yet, by token. */
export type Unsettled = (
  tx: Tx,
  query: { chainId: ChainId; orgIds: readonly string[]; addresses: readonly Address[] },
) => Promise<readonly { tokenId: TokenId; amount: bigint }[]>

/** Inputs of a check of the settlement accounts; base units of the native currency. */
interface Refill {
  fee: bigint
  topUpFee: bigint
  /** Gas that a wallet keeps for sweeps while no withdrawal waits. */
  keep: bigint
  dust: DustBook
  unsettled: Unsettled
  /** Organizations of which a withdrawal waits for gas. */
  starved: ReadonlySet<string>
}

/**
 * Tops settlement accounts up from the gas wallets with the native currency that withdrawals need
 * for fees, a batch at a time (engineering, 2), if their organization has funds to withdraw.
 * Returns the number of top-ups. A Bug with one organization does not stop the others.
 */
export async function refillSettlements(
  deps: SpendDeps,
  refill: Refill & { demands: readonly NativeDemand[] },
  send?: Send,
): Promise<number> {
  const chainId = deps.entry.id
  const native = deps.catalogue.nativeToken(chainId).id
  let isFrozen = false
  return forEachIsolated(await listPairs(deps.database, chainId), async (pair) => {
    if (isFrozen) return false
    const missing = sum(
      refill.demands
        .filter(({ orgId, tokenId }) => orgId === pair.orgId && tokenId === native)
        .map((demand) => demand.missing),
    )
    const amount = await deps.database.transaction((tx) =>
      wantedBy(tx, deps.catalogue, { ...refill, chainId, pair, missing }),
    )
    if (amount === 0n) return false
    const { orgId, settlement: address } = pair
    const wanted = { orgId, address, place: 'settlement', amount } as const
    const { outcome } = await sendTopUp(deps, wanted, send)
    isFrozen = outcome === 'frozen'
    return outcome === 'sent'
  })
}

async function listPairs(database: Database, chainId: ChainId): Promise<Pair[]> {
  const addresses = await database.transaction((tx) => listOwnAddresses(tx, { chainId }))
  const settlements = addresses.filter(({ purpose }) => purpose === 'settlement')
  return settlements.flatMap(({ orgId, address: settlement }) => {
    const gas = addresses.find((one) => one.orgId === orgId && one.purpose === 'gas')?.address
    return gas === undefined ? [] : [{ orgId, settlement, gas }]
  })
}

async function wantedBy(
  tx: Tx,
  catalogue: Catalogue,
  refill: Refill & { chainId: ChainId; pair: Pair; missing: bigint },
): Promise<bigint> {
  const { chainId, pair, topUpFee: nativeFee } = refill
  const { orgId } = pair
  const claims = [CLAIM.available, CLAIM.reserved]
  if (!(await hasFunds(tx, catalogue, { orgId, chainId, claims }))) return 0n
  const addresses = [pair.settlement]
  if ((await topUpsUnderWay(tx, { chainId, addresses })).size > 0) return 0n
  const native = catalogue.nativeToken(chainId).id
  const held = await holdings(tx, { ...refill, native })
  const question = { ...refill, ...held, dust: 0n, isStarved: refill.starved.has(orgId) }
  if (!dustMatters(question)) return floatWanted(question)
  const dust = await refill.dust.dustOf(tx, { orgId, chainId, native, nativeFee })
  return floatWanted({ ...question, dust })
}

async function holdings(
  tx: Tx,
  query: { chainId: ChainId; native: TokenId; pair: Pair; unsettled: Unsettled },
): Promise<Pick<FloatQuestion, 'settlement' | 'wallet' | 'gas' | 'owed' | 'reserved'>> {
  const { chainId, native, pair } = query
  const { orgId } = pair
  const free = (kind: 'settlement' | 'gas', address: Address) =>
    freeAt(tx, { orgId, chainId, native, kind, address })
  // Until it is confirmed it is on no claim: it would look like a debt to the settlement, or like
  // float there.
  const unconfirmedAt = async (address: Address) =>
    sum(
      (await query.unsettled(tx, { chainId, orgIds: [orgId], addresses: [address] }))
        .filter(({ tokenId }) => tokenId === native)
        .map(({ amount }) => amount),
    )
  const leaving = { chainId, sender: pair.settlement, tokenId: native, native: false }
  // It is reserved until a block has it, and gone from what the account holds before.
  const paid = await unminedOutflow(tx, leaving)
  const claim = { orgId, chainId, tokenId: native }
  const reserved = (await readBalance(tx, { ...claim, account: CLAIM.reserved })) - paid
  const available = await readBalance(tx, { ...claim, account: CLAIM.available })
  return {
    settlement: await free('settlement', pair.settlement),
    wallet: (await free('gas', pair.gas)) - (await unconfirmedAt(pair.gas)),
    gas: await gasOf(tx, { orgId, chainId, native }),
    owed: available + reserved + (await unconfirmedAt(pair.settlement)),
    reserved,
  }
}
