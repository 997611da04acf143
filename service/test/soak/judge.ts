import type { Movement, SoakChain } from './chains/chain.ts'
import type { LedgerDeposit, LedgerWithdrawal } from './ledger.ts'
import type { Address, Wanted } from './load.ts'

/** A missing or unexpected record. */
export interface Difference {
  what: string
  details: string
}

/** A chain at the end of a run: its movements, and the requests to the service. */
export interface Told {
  chain: SoakChain
  movements: readonly Movement[]
  /** Deposit addresses that were given to users. */
  addresses: readonly Address[]
  wanted: readonly Wanted[]
  /** Whether the run has withdrawals. */
  withdraws: boolean
  /** Every address of the service on the chain, for any purpose. */
  own: readonly { address: string; purpose: string }[]
  deposits: readonly LedgerDeposit[]
  withdrawals: readonly LedgerWithdrawal[]
}

/** An address as it is compared: letters of the EVM's have no case. */
export function plain(address: string): string {
  return address.startsWith('0x') ? address.toLowerCase() : address
}

/**
 * Every payment from outside to a user's address is credited to that user once, and there is no
 * other credit.
 */
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
      differences.push({ what: 'a deposit without a payment', details: `${-count} × ${key}` })
    }
  }
  return differences
}

/** Payments from outside to addresses of users. */
export function paidIn({ movements, addresses, own }: Told): Movement[] {
  const harness = new Set(own.map(({ address }) => plain(address)))
  const users = new Set(addresses.map(ownerKey))
  return movements.filter(
    ({ from, to, tag }) => users.has(ownerKey({ address: to, tag })) && !harness.has(plain(from)),
  )
}

/** The owner of each address: exactly one user. */
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

/** No row names a chain outside of the soak. */
export function judgeElsewhere(
  chains: readonly { id: string }[],
  rows: readonly { chainId: string }[],
): Difference[] {
  const known = new Set(chains.map(({ id }) => id))
  return rows
    .filter(({ chainId }) => !known.has(chainId))
    .map((row) => ({ what: 'a row of an unknown chain', details: JSON.stringify(row) }))
}

/**
 * All tokens of a soak are honest, and its nodes know all states: a deposit that was held had no
 * cause, even if the operator released it.
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
 * Each acknowledged withdrawal is paid once with its amount to its recipient under its tag, failed
 * withdrawals were never paid, none exists without a request, and no other payment left the
 * service.
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
    differences.push({ what: 'a payment to an unknown recipient', details })
  }
  return differences
}

/** Each row was requested, once. */
function judgeAsked({ wanted, withdrawals }: Told): Difference[] {
  const asked = new Set(wanted.map(({ reference }) => reference))
  const seen = new Set<string>()
  return withdrawals.flatMap(({ id, reference, status }) => {
    const isSecond = seen.has(reference)
    seen.add(reference)
    const details = `${reference} ${id} ${status}`
    if (isSecond) return [{ what: 'a reference has two withdrawals', details }]
    return asked.has(reference) ? [] : [{ what: 'a withdrawal without a request', details }]
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
 * Whether a reorg removed its inputs permanently (docs/decisions/0017): while one transaction
 * signed for it has all of its inputs, it may still be included.
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

/** Outgoing movements by recipient. */
function paidOut({ movements, own }: Told): Map<string, Movement[]> {
  const harness = new Set(own.map(({ address }) => plain(address)))
  const paid = new Map<string, Movement[]>()
  for (const one of movements) {
    if (!harness.has(plain(one.from)) || harness.has(plain(one.to))) continue
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
