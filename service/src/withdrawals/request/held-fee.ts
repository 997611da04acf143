import type { TokenId } from '@sluice/wire'
import { type ChainEntry, nativeTokenId } from '../../catalogue/chains.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import { assert } from '../../base/assert.ts'
import { CLAIM } from '../../ledger/account.ts'
import { readBalance } from '../../ledger/balance.ts'
import { heldForFee, heldForFees } from '../../ledger/standing.ts'
import { post } from '../../ledger/post.ts'
import type { Posting } from '../../ledger/posting.ts'
import { feeHeld, feeReleased } from '../../ledger/spend-postings.ts'
import { unclaimedGas } from '../../transactions/core/funds.ts'
import { selectUnmined } from '../../transactions/core/spend-rows.ts'
import { paymentsOf } from '../../transactions/core/subjects.ts'
import type { Tx } from '../../store/database.ts'
import { selectOpenIds } from '../open-rows.ts'
import type { Withdrawal } from '../withdrawal.ts'

type Held = Pick<Withdrawal, 'orgId' | 'id' | 'chainId' | 'tokenId' | 'fee'>

/** Fees grow while a withdrawal waits for its approvals: so many times that of now is set aside. */
const HELD_FEES = 10n

/**
 * What is set aside for the fee of a withdrawal on chains where fees come out of what is paid
 * (engineering, 2), in base units of the native currency: never more than one transaction may cost.
 * Nothing where gas wallets pay.
 */
export function heldFeeFor(
  entry: Pick<ChainEntry, 'hasGasWallets' | 'feeCap'>,
  fee: bigint | null,
): bigint {
  if (entry.hasGasWallets) return 0n
  assert(fee !== null, 'a withdrawal whose fee nobody asked for')
  const held = fee * HELD_FEES
  return held < entry.feeCap ? held : entry.feeCap
}

/**
 * What is held for the fees of an organization's withdrawals that have not ended, by native token;
 * only of chains where fees come out of what is paid. In base units.
 */
export async function heldFeesOf(
  tx: Tx,
  { orgId, chains }: { orgId: string; chains: readonly ChainEntry[] },
): Promise<ReadonlyMap<TokenId, bigint>> {
  const chainIds = chains.filter((entry) => !entry.hasGasWallets).map(({ id }) => id)
  if (chainIds.length === 0) return new Map()
  const referenceIds = await selectOpenIds(tx, { orgId, chainIds })
  return heldForFees(tx, { orgId, referenceIds })
}

/** The posting that holds an amount for the fee of a withdrawal; none for zero. */
export function feeHoldsOf(withdrawal: Held, held: bigint): Posting[] {
  return held > 0n ? [feeHeld(movedBy(withdrawal, withdrawal.tokenId, held))] : []
}

/**
 * Gives back what was set aside and not paid, as far as it is there and no signed payment counts on
 * it: a fee dearer than what was set aside for it takes of what others set aside. To ask again
 * changes nothing. Answers with how much came back.
 */
export async function releaseHeldFee(
  tx: Tx,
  { catalogue, withdrawal }: { catalogue: Catalogue; withdrawal: Held },
): Promise<bigint> {
  const entry = catalogue.chain(withdrawal.chainId)
  if (entry === null || entry.hasGasWallets) return 0n
  const { orgId, id: referenceId } = withdrawal
  const native = nativeTokenId(entry)
  // First, for it waits for whoever is counting: he may be passing something on to this one.
  const there = await unclaimedGas(tx, { orgId, chainId: entry.id, native })
  const held = (await heldForFee(tx, { orgId, referenceId })) - (withdrawal.fee ?? 0n)
  const least = held < there ? held : there
  const rest = least > 0n ? least : 0n
  if (rest > 0n) await post(tx, [feeReleased(movedBy(withdrawal, native, rest))])
  if (held > rest && entry.paymentModel === 'utxo')
    await passOn(tx, { withdrawal, native, left: held - rest })
  return rest
}

/**
 * What a payment that waits counts on, of what was set aside for another, is set aside for itself
 * from now on: should it cost less than it may, that comes back with its own rest.
 */
async function passOn(
  tx: Tx,
  given: { withdrawal: Held; native: Withdrawal['tokenId']; left: bigint },
): Promise<void> {
  const { withdrawal, native, left } = given
  const { orgId, chainId } = withdrawal
  const whose = { orgId, chainId, tokenId: native }
  // What is below zero is nobody's to pass on.
  for (const account of [CLAIM.available, CLAIM.gas])
    if ((await readBalance(tx, { ...whose, account })) < 0n) return
  const waiting = (await selectUnmined(tx, { chainId })).filter(
    (one) => one.orgId === orgId && one.purpose === 'withdrawal',
  )
  const [dearest] = waiting.toSorted((a, b) => (a.maxFee > b.maxFee ? -1 : 1))
  if (dearest === undefined) return
  const [paid] = await paymentsOf(tx, dearest)
  if (paid === undefined) return
  const taker = { ...withdrawal, id: paid.subjectId }
  const [back, taken] = [movedBy(withdrawal, native, left), movedBy(taker, native, left)]
  await post(tx, [feeReleased(back), feeHeld(taken)])
}

function movedBy(withdrawal: Held, tokenId: Withdrawal['tokenId'], amount: bigint) {
  const { orgId, chainId, id: referenceId } = withdrawal
  return { orgId, chainId, tokenId, amount, referenceId, blockHeight: null }
}
