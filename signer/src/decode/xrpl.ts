import { sha512 } from '@noble/hashes/sha2.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import { hash160, xrplAddress } from './address.ts'
import { ByteReader, fromBigEndian, isEqual } from './bytes.ts'
import { type Action, type Decoded, demand, type Slot } from './decoded.ts'

/** `STX\0`: what follows is signed by a single key. */
const PREFIX = hexToBytes('53545800')

/**
 * The fields that we write: header (type and field code, and the length of variable ones) and
 * bytes. They have the canonical order of the serialization format, by type and field code, and
 * each has a fixed length, so that a set of fields has one encoding.
 */
const FIELDS = {
  TransactionType: ['12', 2],
  Flags: ['22', 4],
  Sequence: ['24', 4],
  DestinationTag: ['2e', 4],
  LastLedgerSequence: ['201b', 4],
  SetFlag: ['2021', 4],
  TicketCount: ['2028', 4],
  TicketSequence: ['2029', 4],
  Amount: ['61', 8],
  Fee: ['68', 8],
  SigningPubKey: ['7321', 33],
  Account: ['8114', 20],
  Destination: ['8314', 20],
} as const satisfies Record<string, readonly [header: string, bytes: number]>
type Name = keyof typeof FIELDS
type Fields = ReadonlyMap<string, Uint8Array>

/** The fields of each transaction type: those it must have, in addition to COMMON; and may have. */
const COMMON: readonly Name[] = [
  'TransactionType',
  'Flags',
  'Sequence',
  'LastLedgerSequence',
  'Fee',
  'SigningPubKey',
  'Account',
]
const PAYMENT = 0
const ACCOUNT_SET = 3
const TICKET_CREATE = 10
const FORMS: Readonly<Record<number, { must: readonly Name[]; may: readonly Name[] }>> = {
  [PAYMENT]: { must: ['Amount', 'Destination'], may: ['TicketSequence', 'DestinationTag'] },
  [ACCOUNT_SET]: { must: ['SetFlag'], may: ['TicketSequence'] },
  [TICKET_CREATE]: { must: ['TicketCount'], may: ['TicketSequence'] },
}

/** tfFullyCanonicalSig alone: no partial payment, no limit on paths. */
const FLAGS = 0x8000_0000
/** asfRequireDest. */
const REQUIRE_DEST = 1
const TICKETS_MAX = 250
/** The upper two bits of an amount: not a token, and positive. */
const POSITIVE_XRP = 0b01n
const AMOUNT_BITS = 62n
/** 100 billion XRP. */
const DROPS_MAX = 10n ** 17n

/**
 * Decodes an XRPL transaction that is serialized for signing: a Payment of XRP, an AccountSet that
 * only requires tags, or a TicketCreate, with a last ledger, and signed by the account's own key.
 * Throws Undecodable for anything else. The last ledger is not part of the result.
 */
export function decodeXrpl(body: Uint8Array): Decoded {
  const fields = readFields(body)
  const type = numberOf(fields, 'TransactionType')
  demandForm(fields, type)
  demand(numberOf(fields, 'Flags') === FLAGS, 'the flags are not tfFullyCanonicalSig alone')
  demand(numberOf(fields, 'LastLedgerSequence') > 0, 'the last ledger is 0')
  const account = bytesOf(fields, 'Account')
  const isOwnKey = isEqual(hash160(bytesOf(fields, 'SigningPubKey')), account)
  demand(isOwnKey, "the signing key is not the account's own key")
  const maxFee = dropsOf(fields, 'Fee')
  return {
    chainId: null,
    from: xrplAddress(account),
    action: actionOf(fields, type),
    slot: slotOf(fields),
    maxFee,
  }
}

/** The digest that the account signs: the first half of SHA-512 of the body. */
export function digestOfXrpl(body: Uint8Array): Uint8Array {
  return sha512(body).subarray(0, 32)
}

function actionOf(fields: Fields, type: number): Action {
  if (type === ACCOUNT_SET) {
    demand(numberOf(fields, 'SetFlag') === REQUIRE_DEST, 'the set flag is not asfRequireDest')
    return { kind: 'require-tag' }
  }
  if (type === TICKET_CREATE) {
    const count = numberOf(fields, 'TicketCount')
    demand(count > 0 && count <= TICKETS_MAX, `the number of tickets is not 1 to ${TICKETS_MAX}`)
    return { kind: 'tickets', count }
  }
  const to = bytesOf(fields, 'Destination')
  demand(!isEqual(to, bytesOf(fields, 'Account')), 'the payment is to its own account')
  const memo = fields.has('DestinationTag') ? String(numberOf(fields, 'DestinationTag')) : null
  const amount = dropsOf(fields, 'Amount')
  return { kind: 'payment', contract: null, to: xrplAddress(to), amount, memo }
}

/** A transaction with a ticket has the Sequence 0. */
function slotOf(fields: Fields): Slot {
  const sequence = numberOf(fields, 'Sequence')
  if (!fields.has('TicketSequence')) {
    demand(sequence > 0, 'the transaction has neither a Sequence nor a ticket')
    return { kind: 'nonce', nonce: sequence }
  }
  const ticket = numberOf(fields, 'TicketSequence')
  demand(sequence === 0 && ticket > 0, 'the transaction has a Sequence and a ticket, or ticket 0')
  return { kind: 'ticket', ticket }
}

/** Reads the fields in their order; each at most once. */
function readFields(body: Uint8Array): Fields {
  const reader = new ByteReader(body)
  demand(reader.skip(PREFIX), 'the bytes do not begin with STX, for signing by one key')
  const fields = new Map<string, Uint8Array>()
  for (const [name, [header, bytes]] of Object.entries(FIELDS)) {
    if (reader.skip(hexToBytes(header))) fields.set(name, reader.take(bytes))
  }
  demand(reader.left === 0, 'an unknown field, or fields in another order')
  return fields
}

function demandForm(fields: Fields, type: number): void {
  const form = FORMS[type]
  demand(form !== undefined, `the unknown transaction type ${type}`)
  const must = [...COMMON, ...form.must]
  for (const name of must) demand(fields.has(name), `the field ${name} is missing`)
  const allowed: readonly string[] = [...must, ...form.may]
  for (const name of fields.keys())
    demand(allowed.includes(name), `the field ${name} is not allowed`)
}

function dropsOf(fields: Fields, name: Name): bigint {
  const value = fromBigEndian(bytesOf(fields, name))
  demand(value >> AMOUNT_BITS === POSITIVE_XRP, `${name} is not an amount of XRP`)
  const drops = value & ((1n << AMOUNT_BITS) - 1n)
  demand(drops > 0n && drops <= DROPS_MAX, `${name} is not 1 to 10^17 drops`)
  return drops
}

function numberOf(fields: Fields, name: Name): number {
  return Number(fromBigEndian(bytesOf(fields, name)))
}

function bytesOf(fields: Fields, name: Name): Uint8Array {
  const bytes = fields.get(name)
  demand(bytes !== undefined, `the field ${name} is missing`)
  return bytes
}
