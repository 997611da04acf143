import type { Movement, SoakChain } from './chains/chain.ts'
import type { LedgerDeposit, LedgerWithdrawal } from './ledger.ts'
import type { Address, Wanted } from './load.ts'

/** What should have been and was not, or the other way round. */
export interface Difference {
  what: string
  details: string
}

/** A chain at the end of a run: what it shows, and what was asked of the service there. */
export interface Told {
  chain: SoakChain
  movements: readonly Movement[]
  /** Deposit addresses that were given to users. */
  addresses: readonly Address[]
  wanted: readonly Wanted[]
  /** Whether anything was to be withdrawn. */
  withdraws: boolean
  /** Every address of the house on the chain, of any kind. */
  own: readonly { address: string; purpose: string }[]
  deposits: readonly LedgerDeposit[]
  withdrawals: readonly LedgerWithdrawal[]
}

/** An address as it is compared: letters of the EVM's have no case. */
export function plain(address: string): string {
  return address.startsWith('0x') ? address.toLowerCase() : address
}

/** Every payment from outside to a user's address is credited to him once, and nothing else is. */
export function judgeDeposits(told: Told): Difference[] {
  const expected = new Map<string, number>()
  for (const one of paidIn(told)) add(expected, depositKey(one), 1)
  const { users, differences } = ownersOf(told)
  for (const deposit of told.deposits) {
    add(expected, depositKey({ ...deposit, to: deposit.address }), -1)
    if (deposit.status !== 'Confirmed') {
      differences.push({ what: 'a deposit is not credited', details: JSON.stringify(deposit) })
    }
    const user = users.get(ownerKey(deposit))
    if (user !== undefined && user !== deposit.userId) {
      const details = `${user}: ${JSON.stringify(deposit)}`
      differences.push({ what: 'a deposit is credited to another user', details })
    }
  }
  for (const [key, count] of expected) {
    if (count > 0) differences.push({ what: 'a deposit is lost', details: `${count} × ${key}` })
    if (count < 0) {
      differences.push({ what: 'a deposit nobody paid', details: `${-count} × ${key}` })
    }
  }
  return differences
}

/** Payments from outside to addresses of users. */
export function paidIn({ movements, addresses, own }: Told): Movement[] {
  const house = new Set(own.map(({ address }) => plain(address)))
  const users = new Set(addresses.map(ownerKey))
  return movements.filter(
    ({ from, to, tag }) => users.has(ownerKey({ address: to, tag })) && !house.has(plain(from)),
  )
}

/** To whom each address was given: to one user, and no other. */
function ownersOf({ addresses }: Told): { users: Map<string, string>; differences: Difference[] } {
  const users = new Map<string, string>()
  const differences: Difference[] = []
  for (const one of addresses) {
    const key = ownerKey(one)
    const first = users.get(key) ?? one.userId
    users.set(key, first)
    if (first === one.userId) continue
    const details = `${key}: ${first} and ${one.userId}`
    differences.push({ what: 'two users were given one address', details })
  }
  return { users, differences }
}

function ownerKey({ address, tag }: { address: string; tag: string | null }): string {
  return `${plain(address)}/${tag ?? ''}`
}

/** Nothing is recorded of a chain that is none of the soak's. */
export function judgeElsewhere(
  chains: readonly { id: string }[],
  rows: readonly { chainId: string }[],
): Difference[] {
  const known = new Set(chains.map(({ id }) => id))
  return rows
    .filter(({ chainId }) => !known.has(chainId))
    .map((row) => ({ what: 'a row of a chain nobody named', details: JSON.stringify(row) }))
}

/**
 * No token of a soak lies, and its nodes know all states that are asked for: what was held all the
 * same had waited for an operator without a cause, even if he let it go.
 */
export function judgeReleased(released: readonly { what: string; cause: string }[]): Difference[] {
  return released.map(({ what, cause }) => ({
    what: 'money was held for a doubt',
    details: `${what}: ${cause}`,
  }))
}

function depositKey(one: {
  txnHash: string
  to: string
  tag: string | null
  tokenId: string
  amount: bigint | string
}): string {
  const { txnHash, to, tag, tokenId, amount } = one
  return `${txnHash.toLowerCase()} to ${ownerKey({ address: to, tag })} ${plain(tokenId)} ${amount}`
}

/**
 * What was promised is paid once with its amount to its recipient under its tag, what failed was
 * never paid, nothing else was promised, and no money of the house has gone anywhere else.
 */
export function judgeWithdrawals(told: Told): Difference[] {
  const differences = judgeAsked(told)
  const paid = paidOut(told)
  const standing = new Set(told.movements.map(({ txnHash }) => txnHash))
  const rows = new Map(told.withdrawals.map((one) => [one.reference, one]))
  for (const wanted of told.wanted) {
    const row = rows.get(wanted.reference)
    const key = payeeKey({ ...wanted, to: wanted.recipient, tag: wanted.memo })
    const payments = paid.get(key) ?? []
    paid.delete(key)
    const wrong = wrongWith(wanted, row, { payments, standing })
    if (wrong === null) continue
    const details = [wanted.reference, row?.status, row?.failureCode, key, wanted.amount]
    const seen = payments.map(({ txnHash, amount }) => `${txnHash} ${amount}`).join(', ')
    differences.push({ what: wrong, details: `${details.join(' ')}: ${seen}` })
  }
  for (const [key, payments] of paid) {
    const details = `${key}: ${payments.map(({ txnHash }) => txnHash).join(', ')}`
    differences.push({ what: 'money went to somebody nobody named', details })
  }
  return differences
}

/** Each row was asked for, and each was asked for once. */
function judgeAsked({ wanted, withdrawals }: Told): Difference[] {
  const asked = new Set(wanted.map(({ reference }) => reference))
  const seen = new Set<string>()
  return withdrawals.flatMap(({ id, reference, status }) => {
    const isSecond = seen.has(reference)
    seen.add(reference)
    const details = `${reference} ${id} ${status}`
    if (isSecond) return [{ what: 'a reference has two withdrawals', details }]
    return asked.has(reference) ? [] : [{ what: 'a withdrawal nobody asked for', details }]
  })
}

function wrongWith(
  { heard, amount }: Wanted,
  row: LedgerWithdrawal | undefined,
  { payments, standing }: { payments: readonly Movement[]; standing: ReadonlySet<string> },
): string | null {
  if (heard === null) return 'a withdrawal was never answered'
  if (heard !== 201) return row === undefined ? paidAll(payments, []) : 'a refusal made a row'
  if (row === undefined) return 'an acknowledged withdrawal is lost'
  if (row.status === 'Completed') return paidAll(payments, [amount])
  if (row.status === 'Failed') {
    return paidAll(payments, []) ?? (lostItsCoins(row, standing) ? null : 'a withdrawal failed')
  }
  return 'a withdrawal has not ended'
}

/**
 * Whether a reorg took for good what it was to be paid with (docs/decisions/0017): as long as one
 * transaction that was signed for it has all of its coins, that one may be included.
 */
function lostItsCoins(
  { failureCode, signed }: LedgerWithdrawal,
  standing: ReadonlySet<string>,
): boolean {
  if (failureCode !== 'DISPLACED' || signed.length === 0) return false
  return signed.every((coins) => coins.some((coin) => !standing.has(coin)))
}

function paidAll(payments: readonly Movement[], amounts: readonly bigint[]): string | null {
  if (payments.length < amounts.length) return 'a withdrawal is not paid'
  if (payments.length > amounts.length) {
    return amounts.length === 0 ? 'paid, and it has failed' : 'a withdrawal is paid twice'
  }
  return payments.every((one, at) => one.amount === amounts[at]) ? null : 'a wrong amount is paid'
}

/** What left the house, by whom it went to. */
function paidOut({ movements, own }: Told): Map<string, Movement[]> {
  const house = new Set(own.map(({ address }) => plain(address)))
  const paid = new Map<string, Movement[]>()
  for (const one of movements) {
    if (!house.has(plain(one.from)) || house.has(plain(one.to))) continue
    const key = payeeKey(one)
    paid.set(key, [...(paid.get(key) ?? []), one])
  }
  return paid
}

function payeeKey(one: { to: string; tag: string | null; tokenId: string }): string {
  return `${plain(one.to)}/${one.tag ?? ''} ${plain(one.tokenId)}`
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count)
}
