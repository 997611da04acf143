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
import { tellBalance } from '../webhooks/tell-balance.ts'
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
    tellAvailable(tx, { ...change, reason: 'withdrawal' })
  }
}

/** Gives the amount back that a withdrawal had set aside, and tells of it. */
export function releaseAmount(tx: Tx, given: Reserved): Promise<void> {
  return book(tx, { ...given, posting: withdrawalReleased(movedBy(given.withdrawal)) })
}

/**
 * Sets aside again what was given back, below zero where it must be: the transaction that had
 * failed left the chain, and may pay after all.
 */
export function reserveAgain(tx: Tx, given: Reserved): Promise<void> {
  const posting = reversalOf(withdrawalReleased(movedBy(given.withdrawal)))
  return book(tx, { ...given, posting })
}

/** Gives back what was held for the fee of a withdrawal that has paid, and tells of it. */
export async function releaseFee(tx: Tx, { catalogue, withdrawal }: Reserved): Promise<void> {
  const delta = await releaseHeldFee(tx, { catalogue, withdrawal })
  if (delta === 0n) return
  const accountId = await accountOf(tx, withdrawal)
  const balance = await readAvailable(tx, withdrawal)
  const told = { catalogue, withdrawal, accountId, delta, balance }
  tellAvailable(tx, { ...told, reason: 'withdrawal' })
}

async function book(tx: Tx, given: Reserved & { posting: Posting }): Promise<void> {
  const { catalogue, withdrawal, posting } = given
  const accountId = await accountOf(tx, withdrawal)
  await post(tx, [posting])
  const isGivenBack = posting.credit === CLAIM.available
  const rest = isGivenBack ? await releaseHeldFee(tx, { catalogue, withdrawal }) : 0n
  const delta = isGivenBack ? posting.amount + rest : -posting.amount
  const reason = posting.reversal ? 'reversal' : 'withdrawal'
  const balance = await readAvailable(tx, withdrawal)
  tellAvailable(tx, { catalogue, withdrawal, accountId, delta, balance, reason })
}

/** What the ledger must know of a withdrawal that no block shows yet. */
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

/** The settlement account as people read it; "" while the organization has none on the chain. */
async function accountOf(tx: Tx, { orgId, chainId }: Withdrawal): Promise<string> {
  const address = await readOwnAddress(tx, { orgId, chainId, purpose: 'settlement' })
  return address === null ? '' : displayAddress(chainId, address)
}

function tellAvailable(
  tx: Tx,
  given: Reserved & {
    accountId: string
    delta: bigint
    balance: bigint
    reason: BalanceReason
  },
): void {
  const { catalogue, withdrawal, accountId, delta, balance, reason } = given
  const { orgId, chainId, tokenId, id: referenceId } = withdrawal
  const change = { orgId, chainId, tokenId, accountId, balance, delta, reason, referenceId }
  tellBalance(tx, catalogue, change)
}
