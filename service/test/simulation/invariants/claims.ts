import type { StoredWithdrawal } from '../picture.ts'
import { spendsOf, subjectsOf } from './subjects.ts'
import type { View } from './view.ts'

/**
 * I1, I4: places equal claims for every organization and token, each claim matches the records, and
 * no balance is negative, except by a flagged reversal after a reorg below a settled block.
 */
export function checkClaims(view: View): string[] {
  const wrongs: string[] = []
  const sums = new Map<string, { places: bigint; claims: bigint; by: Map<string, bigint> }>()
  for (const { org, token, account, amount, overdrawn } of view.picture.balances) {
    const key = `${org} ${token}`
    const sum = sums.get(key) ?? { places: 0n, claims: 0n, by: new Map<string, bigint>() }
    sums.set(key, sum)
    if (account.startsWith('place:')) sum.places += BigInt(amount)
    else sum.claims += BigInt(amount)
    sum.by.set(account, BigInt(amount))
    const mayOwe = overdrawn && (account !== 'claim:available' || view.world.books.isDeep)
    if (BigInt(amount) < 0n && !mayOwe) wrongs.push(`I4: ${account} of ${token} is ${amount}`)
  }
  const expected = expectedClaims(view)
  for (const key of new Set([...sums.keys(), ...expected.keys()])) {
    const { places, claims, by } = sums.get(key) ?? { places: 0n, claims: 0n, by: new Map() }
    if (places !== claims) wrongs.push(`I1: ${key}: places ${places}, claims ${claims}`)
    for (const claim of CLAIMS) {
      const stands = by.get(`claim:${claim}`) ?? 0n
      const wanted = expected.get(key)?.get(claim) ?? 0n
      if (stands !== wanted) wrongs.push(`I1: ${key}: ${claim} is ${stands}, not ${wanted}`)
    }
  }
  return wrongs
}

/** Claims that follow from the records alone. */
const CLAIMS = ['unconfirmed', 'reserved', 'below_minimum', 'held', 'unattributed'] as const

const LIVE = ['PendingApproval', 'Pending', 'Processing', 'Completed']

function expectedClaims(view: View): Map<string, Map<string, bigint>> {
  const { deposits, fundings, withdrawals, unattributed } = view.picture
  const expected = new Map<string, Map<string, bigint>>()
  const add = (org: string, token: string, claim: string, amount: string) => {
    const key = `${org} ${token}`
    const claims = expected.get(key) ?? new Map<string, bigint>()
    expected.set(key, claims)
    claims.set(claim, (claims.get(claim) ?? 0n) + BigInt(amount))
  }
  for (const { org, token, booked, amount } of deposits) add(org, token, booked, amount)
  for (const { org, token, booked, amount } of fundings) add(org, token, booked, amount)
  for (const { org, token, state, amount } of unattributed)
    if (state !== 'Assigned') add(org, token, 'unattributed', amount)
  const paid = paidBy(view)
  for (const row of withdrawals) {
    const { id, org, token, amount } = row
    if (isTaken(view, row) && !paid.has(id)) add(org, token, 'reserved', amount)
  }
  return expected
}

/** Whether its amount is unavailable to others: it was paid, or is still to be paid. */
export function isTaken(view: View, { id, status }: StoredWithdrawal): boolean {
  return LIVE.includes(status) || isContradicted(view, id) || paidBy(view).has(id)
}

const PAID = new WeakMap<View, ReadonlySet<string>>()

/** The withdrawals that were paid in a block. */
function paidBy(view: View): ReadonlySet<string> {
  const known = PAID.get(view)
  if (known !== undefined) return known
  const paid = new Set(
    view.picture.spends.flatMap(({ id, subject, succeeded, block }) =>
      succeeded === true && block !== null ? [subject, ...subjectsOf(view.picture, id)] : [],
    ),
  )
  PAID.set(view, paid)
  return paid
}

/** A failed withdrawal whose spend is pending again has its amount reserved again. */
function isContradicted(view: View, id: string): boolean {
  const [row] = view.picture.withdrawals.filter((one) => one.id === id)
  const [spend] = spendsOf(view.picture, id)
  return row?.status === 'Failed' && spend?.state === 'Sent'
}
