import type { BalanceReason } from '@sluice/wire'
import { readOwnAddress } from '../accounts/own-address.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { displayAddress } from '../chains/format-address.ts'
import { CLAIM, type Claim } from '../ledger/account.ts'
import { readBalances, readBalancesOf } from '../ledger/balance.ts'
import { post } from '../ledger/post.ts'
import type { Posting } from '../ledger/posting.ts'
import { reversalOf, withdrawalHeld, withdrawalReleased } from '../ledger/spend-postings.ts'
import type { Tx } from '../store/database.ts'
import { tellBalance } from '../webhooks/tell-balance.ts'
import { holdFee, releaseHeldFee } from './request/held-fee.ts'
import type { Withdrawal } from './withdrawal.ts'

interface Reserved {
  catalogue: Catalogue
  withdrawal: Withdrawal
}

/**
 * Sets a withdrawal's amount aside, and what is held for its fee (base units of the native
 * currency), and tells that less is available. Throws Overdrawn where there is not so much.
 */
export function reserveAmount(tx: Tx, given: Reserved & { held?: bigint }): Promise<void> {
  return book(tx, { ...given, posting: withdrawalHeld(movedBy(given.withdrawal)) })
}

/**
 * Sets the amounts of several withdrawals of one organization aside, in one posting, and tells of
 * each what it left over. Throws Overdrawn where there is not so much for all of them.
 */
export async function reserveAmounts(
  tx: Tx,
  { catalogue, withdrawals }: { catalogue: Catalogue; withdrawals: readonly Withdrawal[] },
): Promise<void> {
  if (withdrawals.length === 0) return
  const onChains = new Map(withdrawals.map((one) => [one.chainId, one]))
  const accounts = new Map<string, string>()
  const asked = [...onChains].map(async ([chainId, withdrawal]) => {
    accounts.set(chainId, await accountOf(tx, withdrawal))
  })
  const posting = post(
    tx,
    withdrawals.map((withdrawal) => withdrawalHeld(movedBy(withdrawal))),
  )
  // Sent after the posting, the question is answered after it.
  const reading = readAvailables(tx, withdrawals)
  // Where the posting is refused the reading fails as well, and must not be heard first.
  reading.catch(() => undefined)
  await Promise.all([...asked, posting])
  const balances = await reading
  // What stands now is what the last of a token left; each before left its successors' more.
  for (const { tokenId, amount } of withdrawals)
    balances.set(tokenId, (balances.get(tokenId) ?? 0n) + amount)
  for (const withdrawal of withdrawals) {
    const { chainId, tokenId, amount } = withdrawal
    const balance = (balances.get(tokenId) ?? 0n) - amount
    balances.set(tokenId, balance)
    const accountId = accounts.get(chainId) ?? ''
    const given = { catalogue, withdrawal, accountId, delta: -amount, balance }
    tellAvailable(tx, { ...given, reason: 'withdrawal' })
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

async function book(tx: Tx, given: Reserved & { posting: Posting; held?: bigint }): Promise<void> {
  const { catalogue, withdrawal, posting, held = 0n } = given
  const accountId = await accountOf(tx, withdrawal)
  await post(tx, [posting])
  await holdFee(tx, withdrawal, held)
  const isGivenBack = posting.credit === CLAIM.available
  const rest = isGivenBack ? await releaseHeldFee(tx, { catalogue, withdrawal }) : 0n
  const delta = isGivenBack ? posting.amount + rest : -posting.amount - held
  const reason = posting.reversal ? 'reversal' : 'withdrawal'
  const balance = await readAvailable(tx, withdrawal)
  tellAvailable(tx, { catalogue, withdrawal, accountId, delta, balance, reason })
}

/** What the ledger must know of a withdrawal that no block shows yet. */
export function movedBy(withdrawal: Withdrawal, blockHeight: number | null = null) {
  const { orgId, chainId, tokenId, amount, id: referenceId } = withdrawal
  return { orgId, chainId, tokenId, amount, referenceId, blockHeight }
}

/** Base units that an organization can use of a token. */
export function readAvailable(tx: Tx, whose: Whose): Promise<bigint> {
  return readClaim(tx, whose, CLAIM.available)
}

/** Base units of a token that were paid to an organization and are not confirmed. */
export function readUnconfirmed(tx: Tx, whose: Whose): Promise<bigint> {
  return readClaim(tx, whose, CLAIM.unconfirmed)
}

type Whose = Pick<Withdrawal, 'orgId' | 'chainId' | 'tokenId'>

async function readClaim(
  tx: Tx,
  { orgId, chainId, tokenId }: Whose,
  account: Claim,
): Promise<bigint> {
  const [balance] = await readBalances(tx, { orgId, chainId, tokenId, account })
  return balance?.amount ?? 0n
}

/** What an organization can use of several tokens, in base units by token. */
export async function readAvailables(
  tx: Tx,
  wanted: readonly Pick<Withdrawal, 'orgId' | 'chainId' | 'tokenId'>[],
): Promise<Map<string, bigint>> {
  const keys = new Map(
    wanted.map(({ orgId, chainId, tokenId }) => [
      tokenId,
      { orgId, chainId, tokenId, account: CLAIM.available },
    ]),
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
