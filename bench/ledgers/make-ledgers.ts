import { createHash } from 'node:crypto'
import { encode } from 'ripple-binary-codec'
import { type Applied, SAYS, halfHash, treeHash } from '../../simulator/src/xrpl/hashing.ts'
import { accountIndex } from '../../simulator/src/xrpl/state.ts'
import { xrplWallet } from '../../simulator/src/xrpl/wallet.ts'

/** The contents of the ledgers. Ledgers of the main network have about this size. */
export const LEDGERS = {
  /** Number of the ledger under the first. */
  origin: 1_000,
  /** Transactions of strangers in each. */
  strangers: 60,
  /** Payments with tags of ours in each. */
  deposits: 2,
  /** Drops that the base account has in the beginning. */
  funds: 100_000_000n,
} as const

const POOL = 400
const USD = { currency: 'USD', issuer: 'rMwjYedjc7qqtKYVLiAccJSmCwih4LnE2q', value: '12.5' }
const START = 848_000_000
const NOTHING = '0'.repeat(64)

/** One ledger as a node has it. */
export interface MadeLedger {
  height: number
  hash: string
  /** The header, in hex. */
  data: string
  transactions: readonly Applied[]
  /** Drops of the base account at its end. */
  balance: bigint
}

/** Drops of the deposit in this place of a ledger. */
export function plannedDrops(height: number, slot: number): bigint {
  return BigInt(1_000_000 + ((height * 7 + slot * 13) % 999) * 100)
}

/** The ledger under the first: empty. */
export function originLedger(): MadeLedger {
  return header(LEDGERS.origin, NOTHING, [], LEDGERS.funds)
}

/** A chain of ledgers, with real hashes, in which strangers trade and users pay with their tags. */
export function makeLedgers(given: {
  count: number
  base: string
  tags: readonly number[]
}): MadeLedger[] {
  const { count, base, tags } = given
  const pool = Array.from({ length: POOL }, (_, at) => strangers(at))
  const made: MadeLedger[] = [originLedger()]
  for (let step = 1; step <= count; step += 1) {
    const height = LEDGERS.origin + step
    const last = made.at(-1)
    let balance = last?.balance ?? LEDGERS.funds
    const others = pool.slice(((step * 37) % (POOL - LEDGERS.strangers)) | 0)
    const transactions = others.slice(0, LEDGERS.strangers)
    for (let slot = 0; slot < LEDGERS.deposits; slot += 1) {
      const tag = tags[(step * LEDGERS.deposits + slot) % tags.length] ?? 0
      const drops = plannedDrops(height, slot)
      const index = LEDGERS.strangers + slot
      transactions.push(deposit({ base, tag, drops, before: balance, height, index }))
      balance += drops
    }
    made.push(header(height, last?.hash ?? NOTHING, transactions, balance))
  }
  return made
}

function header(
  height: number,
  parent: string,
  transactions: readonly Applied[],
  balance: bigint,
): MadeLedger {
  const closeTime = START + height * 4
  const data = [
    hex(height, 4),
    hex(99_999_999_999_999_999n, 8),
    parent,
    treeHash(transactions),
    noise(`accounts ${height}`, 32),
    hex(closeTime - 4, 4),
    hex(closeTime, 4),
    hex(10, 1),
    hex(0, 1),
  ].join('')
  return { height, hash: halfHash(SAYS.ledger, data), data, transactions, balance }
}

function deposit(given: {
  base: string
  tag: number
  drops: bigint
  before: bigint
  height: number
  index: number
}): Applied {
  const { base, tag, drops, before, height, index } = given
  const payer = addressOf(`payer ${tag % 50}`)
  const fields = {
    TransactionType: 'Payment',
    Account: payer,
    Destination: base,
    DestinationTag: tag,
    Amount: drops.toString(),
    ...signedFields(height * LEDGERS.deposits + index),
  }
  const nodes = [
    account(payer, 10n ** 12n, 10n ** 12n - drops),
    account(base, before, before + drops),
  ]
  return applied(fields, index, nodes)
}

/** Offers, and payments of XRP and of a currency. */
function strangers(at: number): Applied {
  const from = addressOf(`maker ${at % 60}`)
  const to = addressOf(`taker ${at % 50}`)
  const sender = account(from, 5_000_000_000n, 5_000_000_000n - 12n)
  if (at % 3 !== 0) {
    const Amount = at % 3 === 1 ? '2500000' : USD
    const fields = { TransactionType: 'Payment', Account: from, Destination: to, Amount }
    const nodes = [sender, account(to, 7_000_000n, 9_500_000n)]
    return applied({ ...fields, ...signedFields(at) }, at % LEDGERS.strangers, nodes)
  }
  const offer = { TakerGets: '150000000', TakerPays: USD }
  const fields = { TransactionType: 'OfferCreate', Account: from, ...offer }
  const made = {
    LedgerEntryType: 'Offer',
    LedgerIndex: noise(`offer ${at}`, 32),
    NewFields: {
      Account: from,
      BookDirectory: noise(`book ${at}`, 32),
      Sequence: at + 9,
      ...offer,
    },
  }
  const listed = {
    LedgerEntryType: 'DirectoryNode',
    LedgerIndex: noise(`directory ${at}`, 32),
    FinalFields: { Flags: 0, Owner: from, RootIndex: noise(`root ${at}`, 32) },
  }
  const nodes = [sender, { CreatedNode: made }, { ModifiedNode: listed }]
  return applied({ ...fields, ...signedFields(at) }, at % LEDGERS.strangers, nodes)
}

function applied(fields: object, index: number, nodes: readonly object[]): Applied {
  const blob = encode({ ...fields })
  const result = { TransactionIndex: index, TransactionResult: 'tesSUCCESS' }
  const meta = encode({ ...result, AffectedNodes: nodes })
  return { blob, meta, hash: halfHash(SAYS.transaction, blob) }
}

/** Signatures of validated ledgers are not verified, so any bytes will do. */
function signedFields(seed: number) {
  return {
    Fee: '12',
    Flags: 0x8000_0000,
    Sequence: seed + 1,
    LastLedgerSequence: seed + 1_000,
    SigningPubKey: `02${noise(`key ${seed % 100}`, 32)}`,
    TxnSignature: `3044${noise(`r ${seed}`, 32)}${noise(`s ${seed}`, 38)}`,
  }
}

function account(address: string, before: bigint, after: bigint) {
  const FinalFields = {
    Account: address,
    Balance: after.toString(),
    Flags: 0,
    OwnerCount: 0,
    Sequence: 5,
  }
  return {
    ModifiedNode: {
      LedgerEntryType: 'AccountRoot',
      LedgerIndex: accountIndex(address),
      FinalFields,
      PreviousFields: { Balance: before.toString() },
    },
  }
}

const addresses = new Map<string, string>()

function addressOf(name: string): string {
  const address = addresses.get(name) ?? xrplWallet(name).address
  addresses.set(name, address)
  return address
}

function noise(text: string, bytes: number): string {
  const digest = createHash('sha512').update(text).digest('hex')
  return digest.slice(0, bytes * 2).toUpperCase()
}

function hex(value: number | bigint, bytes: number): string {
  return value
    .toString(16)
    .toUpperCase()
    .padStart(bytes * 2, '0')
}
