import type { BalanceReason } from '@sluice/wire'
import { readOwnAddress } from '../accounts/own-address.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { displayAddress } from '../chains/format-address.ts'
import { CLAIM, type Claim } from '../ledger/account.ts'
import { readBalancesOf } from '../ledger/balance.ts'
import { post } from '../ledger/post.ts'
import type { Posting } from '../ledger/posting.ts'
import { reversalOf, withdrawalHeld, withdrawalReleased } from '../ledger/spend-postings.ts'
import type { Tx } from '../store/database.ts'
import { emitBalance } from '../webhooks/emit-balance.ts'
import { feeHoldsOf, releaseHeldFee } from './request/held-fee.ts'
import type { Withdrawal } from './withdrawal.ts'

interface Reserved {
  catalogue: Catalogue
  withdrawal: Withdrawal
}

/** A withdrawal, and base units of the native currency that are held for its fee. */
interface Reservation {
  withdrawal: Withdrawal
  held: bigint
}

/**
 * Reserves the amounts of withdrawals of one organization, and what is held for their fees, in one
 * posting, and emits for each how much remains available. Throws Overdrawn if the balance does not
 * cover all of them.
 */
export async function reserveAmounts(
  tx: Tx,
  { catalogue, reservations }: { catalogue: Catalogue; reservations: readonly Reservation[] },
): Promise<void> {
  if (reservations.length === 0) return
  const withdrawals = reservations.map(({ withdrawal }) => withdrawal)
  const onChains = new Map(withdrawals.map((withdrawal) => [withdrawal.chainId, withdrawal]))
  const accounts = new Map<string, string>()
  const asked = [...onChains].map(async ([chainId, withdrawal]) => {
    accounts.set(chainId, await accountOf(tx, withdrawal))
  })
  const posting = post(
    tx,
    reservations.flatMap(({ withdrawal, held }) => [
      withdrawalHeld(movedBy(withdrawal)),
      ...feeHoldsOf(withdrawal, held),
    ]),
  )
  // Sent after the posting, the query is answered after it.
  const reading = readClaims(tx, withdrawals, CLAIM.available)
  // If the posting is refused the reading fails as well, and must not be reported first.
  reading.catch(() => undefined)
  await Promise.all([...asked, posting])
  const balances = await reading
  // The balance read is what the last reservation of a token left; each earlier one left more.
  for (const { withdrawal, held } of reservations) {
    const { tokenId, amount } = withdrawal
    balances.set(tokenId, (balances.get(tokenId) ?? 0n) + amount + held)
  }
  for (const { withdrawal, held } of reservations) {
    const { chainId, tokenId, amount } = withdrawal
    const delta = -amount - held
    const balance = (balances.get(tokenId) ?? 0n) + delta
    balances.set(tokenId, balance)
    const accountId = accounts.get(chainId) ?? ''
    const change = { catalogue, withdrawal, accountId, delta, balance }
    emitAvailable(tx, { ...change, reason: 'withdrawal' })
  }
}

/** Releases the reserved amount of a withdrawal, and emits the new balance. */
export function releaseAmount(tx: Tx, reserved: Reserved): Promise<void> {
  return book(tx, { ...reserved, posting: withdrawalReleased(movedBy(reserved.withdrawal)) })
}

/**
 * Reserves a released amount again, below zero if necessary: the failed transaction left the chain
 * and may still pay.
 */
export function reserveAgain(tx: Tx, reserved: Reserved): Promise<void> {
  const posting = reversalOf(withdrawalReleased(movedBy(reserved.withdrawal)))
  return book(tx, { ...reserved, posting })
}

/** Releases what is held for the fee of a paid withdrawal, and emits the new balance. */
export async function releaseFee(tx: Tx, { catalogue, withdrawal }: Reserved): Promise<void> {
  const delta = await releaseHeldFee(tx, { catalogue, withdrawal })
  if (delta === 0n) return
  const accountId = await accountOf(tx, withdrawal)
  const balance = await readAvailable(tx, withdrawal)
  const change = { catalogue, withdrawal, accountId, delta, balance }
  emitAvailable(tx, { ...change, reason: 'withdrawal' })
}

async function book(
  tx: Tx,
  { catalogue, withdrawal, posting }: Reserved & { posting: Posting },
): Promise<void> {
  const accountId = await accountOf(tx, withdrawal)
  await post(tx, [posting])
  const isReleased = posting.credit === CLAIM.available
  const rest = isReleased ? await releaseHeldFee(tx, { catalogue, withdrawal }) : 0n
  const delta = isReleased ? posting.amount + rest : -posting.amount
  const reason = posting.reversal ? 'reversal' : 'withdrawal'
  const balance = await readAvailable(tx, withdrawal)
  emitAvailable(tx, { catalogue, withdrawal, accountId, delta, balance, reason })
}

/** The fields of a posting for a withdrawal; without a block until one includes it. */
export function movedBy(withdrawal: Withdrawal, blockHeight: number | null = null) {
  const { orgId, chainId, tokenId, amount, id: referenceId } = withdrawal
  return { orgId, chainId, tokenId, amount, referenceId, blockHeight }
}

type Whose = Pick<Withdrawal, 'orgId' | 'chainId' | 'tokenId'>

/** Base units that an organization can use of a token. */
export async function readAvailable(tx: Tx, whose: Whose): Promise<bigint> {
  return (await readClaims(tx, [whose], CLAIM.available)).get(whose.tokenId) ?? 0n
}

/** Balances of one claim of an organization, in base units by token. */
export async function readClaims(
  tx: Tx,
  wanted: readonly Whose[],
  account: Claim,
): Promise<Map<string, bigint>> {
  const keys = new Map(
    wanted.map(({ orgId, chainId, tokenId }) => [tokenId, { orgId, chainId, tokenId, account }]),
  )
  const balances = await readBalancesOf(tx, [...keys.values()])
  return new Map<string, bigint>(balances.map(({ tokenId, amount }) => [tokenId, amount]))
}

/** The displayed settlement account; "" if the organization has none on the chain. */
async function accountOf(tx: Tx, { orgId, chainId }: Withdrawal): Promise<string> {
  const address = await readOwnAddress(tx, { orgId, chainId, purpose: 'settlement' })
  return address === null ? '' : displayAddress(chainId, address)
}

function emitAvailable(
  tx: Tx,
  change: Reserved & {
    accountId: string
    delta: bigint
    balance: bigint
    reason: BalanceReason
  },
): void {
  const { catalogue, withdrawal, accountId, delta, balance, reason } = change
  const { orgId, chainId, tokenId, id: referenceId } = withdrawal
  const event = { orgId, chainId, tokenId, accountId, balance, delta, reason, referenceId }
  emitBalance(tx, catalogue, event)
}
