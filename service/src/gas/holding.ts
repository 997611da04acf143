import type { ChainId, TokenId } from '@sluice/wire'
import type { Address } from '../chains/port.ts'
import { type Claim, place, type PlaceKind } from '../ledger/account.ts'
import { readBalance, readBalancesOf } from '../ledger/balance.ts'
import type { Catalogue } from '../catalogue/find.ts'
import type { Tx } from '../store/database.ts'
import { gasOf } from '../transactions/core/funds.ts'
import { unminedOutflow } from '../transactions/core/read.ts'

/** Balance of a gas wallet at our tip, and the part of it that may be spent; base units. */
export async function readGasHolding(
  tx: Tx,
  wallet: { orgId: string; chainId: ChainId; native: TokenId; address: Address },
): Promise<{ placed: bigint; spendable: bigint }> {
  const { orgId, chainId, native: tokenId, address } = wallet
  const account = place('gas', address)
  const placed = await readBalance(tx, { orgId, chainId, tokenId, account })
  const gas = await gasOf(tx, wallet)
  return { placed, spendable: gas > 0n ? gas : 0n }
}

/** An address of ours that holds native currency. */
interface GasPlace {
  orgId: string
  chainId: ChainId
  native: TokenId
  kind: PlaceKind
  address: Address
}

/**
 * Base units of the native currency that the ledger places on an address of ours, less what its
 * unmined spends may take.
 */
export async function freeAt(
  tx: Tx,
  { orgId, chainId, native: tokenId, kind, address }: GasPlace,
): Promise<bigint> {
  const account = place(kind, address)
  const placed = await readBalance(tx, { orgId, chainId, tokenId, account })
  const leaving = await unminedOutflow(tx, { chainId, sender: address, tokenId, native: true })
  return placed - leaving
}

/** Whether an organization has a positive balance of any token of a chain on these claims. */
export async function hasFunds(
  tx: Tx,
  catalogue: Catalogue,
  { orgId, chainId, claims }: { orgId: string; chainId: ChainId; claims: readonly Claim[] },
): Promise<boolean> {
  const keys = catalogue
    .tokensOf(chainId)
    .flatMap(({ id: tokenId }) => claims.map((account) => ({ orgId, chainId, tokenId, account })))
  return (await readBalancesOf(tx, keys)).some(({ amount }) => amount > 0n)
}
