import { decode } from 'ripple-binary-codec'
import {
  claimOf,
  type Deed,
  escrowOf,
  failureOf,
  issuedOf,
  mptOf,
  partialOf,
  paymentOf,
  type XrplPartialPayment,
  type XrplPayment,
} from './xrpl/deeds.ts'
import { type Effect, type Tried, tryOut, type XrplTransaction } from './xrpl/engine.ts'
import { type Applied, SAYS, halfHash, hexOf, treeHash } from './xrpl/hashing.ts'
import { metaBytes } from './xrpl/meta.ts'
import type { XrplAccount, XrplAccounts, XrplFees } from './xrpl/state.ts'
import { GENESIS_SECRET, isWellSigned, signXrpl, walletOf, type XrplWallet } from './xrpl/wallet.ts'

/** The hash of signed bytes, in hex. */
export function xrplHash(blob: string): string {
  return halfHash(SAYS.transaction, blob)
}

/** A closed ledger. Its fields are those that its hash covers, and what they stand for. */
export interface XrplLedger {
  height: number
  hash: string
  parentHash: string
  transactionHash: string
  accountHash: string
  coins: bigint
  /** Seconds since the year 2000. */
  closeTime: number
  parentCloseTime: number
  /** The header as bytes, in hex. */
  data: string
  transactions: readonly Applied[]
  /** Null if the state was not kept. */
  accounts: XrplAccounts | null
}

export interface XrplChainOptions {
  /** 1 is the test network, 0 the main one. */
  networkId?: number
  /** Seconds since 1970, at each close; each ledger is at least a second later than the last. */
  now?: () => number
  fees?: Partial<XrplFees>
}

/** Result of a submission: provisional, until a validated ledger has it. */
export interface Submitted {
  hash: string
  result: string
  isApplied: boolean
}

interface Pending {
  hash: string
  blob: string
  transaction: XrplTransaction
  effect?: Effect
}

const FIRST_HEIGHT = 2
const EPOCH = 946_684_800
const COINS = 100_000_000_000_000_000n
const CLOSE_SECONDS = 4
const RESOLUTION = 10
const START = 1_790_000_000
const NOTHING = '0'.repeat(64)

/** A refusal of bytes that are not a transaction, or not signed correctly. */
export class XrplInvalid extends Error {}

/**
 * A network of the XRP Ledger whose ledgers a test closes. Hashes of headers, trees and
 * transactions are the real ones; signatures, Sequences, reserves, flags and fees are checked. The
 * genesis account pays the test's payments.
 */
export class XrplChain {
  readonly wallet: XrplWallet = walletOf(GENESIS_SECRET)
  readonly fees: XrplFees
  networkId: number
  /** Lowest fee for the next ledger. */
  openFee: bigint
  /** How many of the last ledgers are closed and not validated yet. */
  unvalidated = 0
  #ledgers: XrplLedger[] = []
  #pending: Pending[] = []
  readonly #hearers = new Set<(ledger: XrplLedger) => void>()
  readonly #now: () => number

  constructor({ networkId = 1, now, fees = {} }: XrplChainOptions = {}) {
    this.networkId = networkId
    this.fees = { baseFee: 10n, reserveBase: 1_000_000n, reserveStep: 200_000n, ...fees }
    this.openFee = this.fees.baseFee
    this.#now = now ?? (() => START + this.#ledgers.length * CLOSE_SECONDS)
    const nothing = { flags: 0, ownerCount: 0, tickets: [], previous: null }
    const all = { balance: COINS, sequence: 1, ...nothing }
    this.#append([], new Map([[this.wallet.address, all]]))
  }

  /** All closed ledgers, the oldest first. */
  get ledgers(): readonly XrplLedger[] {
    return this.#ledgers
  }

  /** Transactions that wait for a ledger. */
  get waiting(): readonly string[] {
    return this.#pending.map(({ hash }) => hash)
  }

  /** The last closed ledger. */
  closed(): XrplLedger {
    const last = this.#ledgers.at(-1)
    if (last === undefined) throw new Error('a chain without ledgers')
    return last
  }

  /** The last validated ledger. */
  validated(): XrplLedger {
    return this.#ledgers.at(-1 - this.unvalidated) ?? this.closed()
  }

  ledgerAt(height: number): XrplLedger | undefined {
    return this.#ledgers[height - FIRST_HEIGHT]
  }

  ledgerOf(hash: string): XrplLedger | undefined {
    return this.#ledgers.find((ledger) => ledger.hash === hash)
  }

  /** The accounts as they would be if the next ledger closed now. */
  current(): XrplAccounts {
    return this.#play().accounts
  }

  account(address: string): XrplAccount | undefined {
    return this.current().get(address)
  }

  /** Takes signed bytes, in hex. Throws XrplInvalid for what no node would take up at all. */
  submit(blob: string, effect?: Effect): Submitted {
    const transaction = parseBlob(blob)
    if (!isWellSigned(transaction)) {
      throw new XrplInvalid('fails local checks: Invalid signature.')
    }
    const hash = halfHash(SAYS.transaction, blob)
    const ground = { ...this.#ground(), accounts: this.current() }
    // A queued transaction has used its number: submitting it again changes nothing.
    const { result, isApplied } = tryOut(ground, transaction, effect)
    const isKept = isApplied || /^ter(PRE_|QUEUED)/.test(result)
    if (isKept && !this.waiting.includes(hash))
      this.#pending.push({ hash, blob, transaction, ...(effect ? { effect } : {}) })
    return { hash, result, isApplied }
  }

  /** Closes ledgers, of which the first takes what waits. */
  close(count = 1): XrplLedger {
    for (let closed = 0; closed < count; closed += 1) {
      const { applied, accounts, left } = this.#play()
      this.#pending = left
      this.#append(applied, accounts)
      for (const hearer of this.#hearers) hearer(this.closed())
    }
    return this.closed()
  }

  /** Calls back for each ledger that is closed, until the answer is called. */
  hear(onClose: (ledger: XrplLedger) => void): () => void {
    this.#hearers.add(onClose)
    return () => void this.#hearers.delete(onClose)
  }

  /** Forgets what waits, as servers do that restart; or only what a rule names. */
  forget(which: (hash: string, transaction: XrplTransaction) => boolean = () => true): void {
    this.#pending = this.#pending.filter(({ hash, transaction }) => !which(hash, transaction))
  }

  pay(payment: XrplPayment): string {
    return this.#send(paymentOf(payment))
  }

  payPartially(payment: XrplPartialPayment): string {
    return this.#send(partialOf(payment))
  }

  payIssued(payment: Omit<XrplPayment, 'amount'> & { currency: string }): string {
    return this.#send(issuedOf(payment))
  }

  payMpt(payment: Omit<XrplPayment, 'amount'>): string {
    return this.#send(mptOf(payment))
  }

  finishEscrow(payment: XrplPayment): string {
    return this.#send(escrowOf(this.wallet.address, payment))
  }

  claimChannel(payment: XrplPayment): string {
    return this.#send(claimOf(this.wallet.address, payment))
  }

  /** A payment that fails in its ledger. */
  payInVain(payment: XrplPayment, result = 'tecPATH_DRY'): string {
    return this.#send(failureOf(payment, result))
  }

  /** Payments that succeeded from one address to another, in their order. */
  paymentsBetween(from: string, to: string): { amount: unknown; tag: unknown }[] {
    return this.#ledgers
      .flatMap(({ transactions }) => transactions)
      .filter(({ meta }) => decode(meta)['TransactionResult'] === 'tesSUCCESS')
      .map(({ blob }) => decode(blob))
      .filter((one) => one['Account'] === from && one['Destination'] === to)
      .map((one) => ({ amount: one['Amount'], tag: one['DestinationTag'] ?? null }))
  }

  /** Fields that every transaction has, for a wallet's next one. */
  fieldsFor(address: string): Record<string, unknown> {
    return {
      Account: address,
      Fee: this.fees.baseFee.toString(),
      Sequence: this.account(address)?.sequence ?? 1,
      LastLedgerSequence: this.closed().height + 100,
    }
  }

  /**
   * Replaces the last ledgers, as a reinstalled node may but no network does. The named
   * transactions return in the last new one.
   */
  rewrite(depth: number, keep: readonly string[] = []): void {
    const gone = this.#ledgers.splice(-depth, depth).flatMap(({ transactions }) => transactions)
    const kept = gone.filter(({ hash }) => keep.includes(hash))
    const before = this.#pending
    this.#pending = []
    // Another close time makes another ledger.
    this.#append([], this.#accounts(), 1)
    for (let left = depth - 1; left > 0; left -= 1) {
      if (left === 1) this.#again(kept)
      this.close()
    }
    if (depth === 1) this.#again(kept)
    this.#pending.push(...before)
  }

  /** State for a file; states before the last are omitted. */
  save(): string {
    const text = (_key: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)
    const ledgers = this.#ledgers.map((ledger, at) => ({
      ...ledger,
      accounts: at === this.#ledgers.length - 1 ? [...(ledger.accounts ?? [])] : null,
    }))
    return JSON.stringify({ networkId: this.networkId, ledgers }, text)
  }

  /** Goes on from what was saved. */
  load(saved: string): void {
    const read = (_key: string, value: unknown) =>
      typeof value === 'string' && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value
    const { ledgers } = Object(JSON.parse(saved, read))
    this.#ledgers = parseLedgers(ledgers)
  }

  #send({ fields, effect }: Deed): string {
    const transaction = { ...this.fieldsFor(this.wallet.address), ...fields }
    const { hash, result, isApplied } = this.submit(signXrpl(transaction, this.wallet), effect)
    if (!isApplied) throw new Error(`a payment of the world's own wallet: ${result}`)
    return hash
  }

  #again(transactions: readonly Applied[]): void {
    for (const { hash, blob } of transactions) {
      this.#pending.push({ hash, blob, transaction: parseBlob(blob) })
    }
  }

  #accounts(): XrplAccounts {
    return this.closed().accounts ?? new Map()
  }

  #ground() {
    const { fees, openFee } = this
    return { fees, openFee, height: this.closed().height + 1 }
  }

  /** The next ledger; transactions that must wait are retried after each that is applied. */
  #play(): { applied: Applied[]; accounts: XrplAccounts; left: Pending[] } {
    const ground = this.#ground()
    const applied: Applied[] = []
    let accounts = this.#accounts()
    let waiting = [...this.#pending]
    for (let moved = true; moved; ) {
      moved = false
      const left: Pending[] = []
      for (const one of waiting) {
        const tried = tryOut({ ...ground, accounts }, one.transaction, one.effect)
        if (tried.isApplied) {
          applied.push(writeDown(one, { before: accounts, tried, index: applied.length }))
          accounts = threaded(accounts, tried.accounts, one.hash, ground.height)
          moved = true
        } else if (tried.result.startsWith('ter')) left.push(one)
      }
      waiting = left
    }
    return { applied, accounts, left: waiting }
  }

  #append(transactions: readonly Applied[], accounts: XrplAccounts, later = 0): void {
    const parent = this.#ledgers.at(-1)
    const height = parent === undefined ? FIRST_HEIGHT : parent.height + 1
    const parentCloseTime = parent?.closeTime ?? 0
    const now = Math.floor(this.#now()) - EPOCH
    const closeTime = Math.max(now, parentCloseTime + 1) + later
    const header = {
      height,
      parentHash: parent?.hash ?? NOTHING,
      transactionHash: treeHash(transactions),
      accountHash: hashOfAccounts(accounts),
      coins: [...accounts.values()].reduce((sum, { balance }) => sum + balance, 0n),
      closeTime,
      parentCloseTime,
    }
    const data = headerData(header)
    const hash = halfHash(SAYS.ledger, data)
    this.#ledgers.push({ ...header, hash, data, transactions, accounts })
  }
}

/** The bytes that the hash of a ledger is made of. */
function headerData(header: Omit<XrplLedger, 'data' | 'hash' | 'transactions' | 'accounts'>) {
  return [
    hexOf(header.height, 4),
    hexOf(header.coins, 8),
    header.parentHash,
    header.transactionHash,
    header.accountHash,
    hexOf(header.parentCloseTime, 4),
    hexOf(header.closeTime, 4),
    hexOf(RESOLUTION, 1),
    hexOf(0, 1),
  ].join('')
}

function writeDown(
  { hash, blob }: Pending,
  step: { before: XrplAccounts; tried: Tried & { isApplied: true }; index: number },
): Applied {
  const { before, tried, index } = step
  const { accounts: after, outcome } = tried
  return { hash, blob, meta: metaBytes({ before, after, outcome, index }) }
}

/** Every account that a transaction changed remembers it. */
function threaded(
  before: XrplAccounts,
  after: XrplAccounts,
  hash: string,
  ledger: number,
): XrplAccounts {
  const accounts = new Map(after)
  for (const [address, account] of after) {
    if (before.get(address) === account) continue
    accounts.set(address, { ...account, previous: { hash, ledger } })
  }
  return accounts
}

/** No tree of states is kept here: any hash that follows from the accounts will do. */
function hashOfAccounts(accounts: XrplAccounts): string {
  const lines = [...accounts].map(([address, one]) => `${address} ${one.balance} ${one.sequence}`)
  return halfHash(null, Buffer.from(lines.sort().join('\n')).toString('hex'))
}

function parseBlob(blob: string): XrplTransaction {
  try {
    return decode(blob)
  } catch {
    throw new XrplInvalid('Transaction length invalid')
  }
}

function parseLedgers(saved: unknown): XrplLedger[] {
  const ledgers = saved as (Omit<XrplLedger, 'accounts'> & { accounts: never })[]
  return ledgers.map((ledger) => ({
    ...ledger,
    accounts: ledger.accounts === null ? null : new Map(ledger.accounts),
  }))
}
