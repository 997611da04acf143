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

/**
 * Multiple of the current fee that is held: fees can rise while a withdrawal waits for approvals.
 */
const HELD_FEES = 10n

/**
 * The amount held for the fee of a withdrawal on chains without gas wallets (engineering, 2), in
 * base units of the native currency: at most the fee cap. Zero if gas wallets pay.
 */
export function heldFeeFor(
  entry: Pick<ChainEntry, 'hasGasWallets' | 'feeCap'>,
  fee: bigint | null,
): bigint {
  if (entry.hasGasWallets) return 0n
  assert(fee !== null, 'the fee of a withdrawal was not read')
  const held = fee * HELD_FEES
  return held < entry.feeCap ? held : entry.feeCap
}

/**
 * Base units held for the fees of an organization's open withdrawals, by native token; only on
 * chains without gas wallets.
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
 * Releases what is held and was not paid, unless a signed payment relies on it: a fee above its own
 * held amount uses what is held for others. Idempotent. Returns the released amount.
 */
export async function releaseHeldFee(
  tx: Tx,
  { catalogue, withdrawal }: { catalogue: Catalogue; withdrawal: Held },
): Promise<bigint> {
  const entry = catalogue.chain(withdrawal.chainId)
  if (entry === null || entry.hasGasWallets) return 0n
  const { orgId, id: referenceId } = withdrawal
  const native = nativeTokenId(entry)
  // First: it waits for a concurrent release, which may pass an amount on to this withdrawal.
  const unclaimed = await unclaimedGas(tx, { orgId, chainId: entry.id, native })
  const held = (await heldForFee(tx, { orgId, referenceId })) - (withdrawal.fee ?? 0n)
  const least = held < unclaimed ? held : unclaimed
  const rest = least > 0n ? least : 0n
  if (rest > 0n) await post(tx, [feeReleased(movedBy(withdrawal, native, rest))])
  if (held > rest && entry.paymentModel === 'utxo')
    await passOn(tx, { withdrawal, native, left: held - rest })
  return rest
}

/**
 * Moves the amount that a pending payment relies on to the withdrawal of that payment, which
 * releases it with its own rest if it costs less than its cap.
 */
async function passOn(
  tx: Tx,
  { withdrawal, native, left }: { withdrawal: Held; native: TokenId; left: bigint },
): Promise<void> {
  const { orgId, chainId } = withdrawal
  const whose = { orgId, chainId, tokenId: native }
  // A negative balance has no amount to pass on.
  for (const account of [CLAIM.available, CLAIM.gas])
    if ((await readBalance(tx, { ...whose, account })) < 0n) return
  const waiting = (await selectUnmined(tx, { chainId })).filter(
    (spend) => spend.orgId === orgId && spend.purpose === 'withdrawal',
  )
  const [costliest] = waiting.toSorted((a, b) => (a.maxFee > b.maxFee ? -1 : 1))
  if (costliest === undefined) return
  const [paid] = await paymentsOf(tx, costliest)
  if (paid === undefined) return
  const taker = { ...withdrawal, id: paid.subjectId }
  const [back, taken] = [movedBy(withdrawal, native, left), movedBy(taker, native, left)]
  await post(tx, [feeReleased(back), feeHeld(taken)])
}

function movedBy(withdrawal: Held, tokenId: Withdrawal['tokenId'], amount: bigint) {
  const { orgId, chainId, id: referenceId } = withdrawal
  return { orgId, chainId, tokenId, amount, referenceId, blockHeight: null }
}
