import type { ChainId, TokenId } from '@sluice/wire'
import { listOwnAddresses } from '../accounts/own-address.ts'
import { sum } from '../base/amount.ts'
import type { Catalogue } from '../catalogue/find.ts'
import type { Address } from '../chains/port.ts'
import { CLAIM } from '../ledger/account.ts'
import { readBalancesOf } from '../ledger/balance.ts'
import { gasOf } from '../spends/funds.ts'
import type { SpendMeans } from '../spends/mandate.ts'
import type { Database, Tx } from '../store/database.ts'
import { type FloatQuestion, floatWanted } from './float.ts'
import { freeAt } from './holding.ts'
import { type Send, sendTopUp, topUpsUnderWay } from './send-top-up.ts'

/** An organization's own two addresses on a chain. */
interface Pair {
  orgId: string
  settlement: Address
  gas: Address
}

/** What an organization's withdrawals that wait lack of the native currency. */
export interface NativeDemand {
  orgId: string
  tokenId: TokenId
  /** Base units. */
  missing: bigint
}

/** Base units that were paid to addresses from outside and are not credited yet, by token. */
export type Unsettled = (
  tx: Tx,
  given: { chainId: ChainId; addresses: readonly Address[] },
) => Promise<readonly { tokenId: TokenId; amount: bigint }[]>

/**
 * Gives settlement accounts the native currency that their withdrawals need for fees, a batch at a
 * time, from the gas wallets (engineering, 2): of organizations that have something to withdraw.
 * Fees in base units of the native currency. Answers with how many were topped up.
 */
export async function refillSettlements(
  means: SpendMeans,
  given: {
    fee: bigint
    topUpFee: bigint
    demands: readonly NativeDemand[]
    unsettled: Unsettled
  },
  send?: Send,
): Promise<number> {
  const chainId = means.entry.id
  const native = means.catalogue.nativeToken(chainId).id
  let sent = 0
  for (const pair of await listPairs(means.database, chainId)) {
    const missing = sum(
      given.demands
        .filter(({ orgId, tokenId }) => orgId === pair.orgId && tokenId === native)
        .map((demand) => demand.missing),
    )
    const amount = await means.database.transaction((tx) =>
      wantedBy(tx, means.catalogue, { ...given, chainId, pair, missing }),
    )
    if (amount === 0n) continue
    const { orgId, settlement: address } = pair
    const wanted = { orgId, address, place: 'settlement', amount } as const
    const { outcome } = await sendTopUp(means, wanted, send)
    if (outcome === 'sent') sent += 1
    if (outcome === 'frozen') return sent
  }
  return sent
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
  given: {
    chainId: ChainId
    pair: Pair
    fee: bigint
    topUpFee: bigint
    missing: bigint
    unsettled: Unsettled
  },
): Promise<bigint> {
  const { chainId, pair, unsettled } = given
  if (!(await hasMoney(tx, catalogue, { orgId: pair.orgId, chainId }))) return 0n
  const addresses = [pair.settlement]
  if ((await topUpsUnderWay(tx, { chainId, addresses })).size > 0) return 0n
  return floatWanted({ ...given, ...(await holdings(tx, catalogue, { chainId, pair, unsettled })) })
}

async function hasMoney(
  tx: Tx,
  catalogue: Catalogue,
  { orgId, chainId }: { orgId: string; chainId: ChainId },
): Promise<boolean> {
  const keys = catalogue
    .tokensOf(chainId)
    .flatMap(({ id: tokenId }) =>
      [CLAIM.available, CLAIM.reserved].map((account) => ({ orgId, chainId, tokenId, account })),
    )
  return (await readBalancesOf(tx, keys)).some(({ amount }) => amount > 0n)
}

async function holdings(
  tx: Tx,
  catalogue: Catalogue,
  { chainId, pair, unsettled }: { chainId: ChainId; pair: Pair; unsettled: Unsettled },
): Promise<Pick<FloatQuestion, 'settlement' | 'wallet' | 'gas'>> {
  const { orgId } = pair
  const native = catalogue.nativeToken(chainId).id
  const free = (kind: 'settlement' | 'gas', address: Address) =>
    freeAt(tx, { orgId, chainId, native, kind, address })
  // Until it is confirmed it is on no claim on gas: it would look like a debt to the settlement.
  const apart = (await unsettled(tx, { chainId, addresses: [pair.gas] }))
    .filter(({ tokenId }) => tokenId === native)
    .map(({ amount }) => amount)
  return {
    settlement: await free('settlement', pair.settlement),
    wallet: (await free('gas', pair.gas)) - sum(apart),
    gas: await gasOf(tx, { orgId, chainId, native }),
  }
}
