import type { Address } from '../port.ts'
import { parseXrplAddress } from './address.ts'
import type { Entry } from './ledger.ts'
import {
  demand,
  isJson,
  isMissing,
  malformed,
  parseDrops,
  parseJson,
  parseList,
  parseText,
  parseUint32,
  uint32OrNull,
} from './read.ts'
import type { Json } from './read.ts'

/** The XRP moves of one transaction. */
export interface Deed {
  txnHash: string
  type: string
  sender: Address
  /** The Sequence, or the ticket that replaces it. */
  sequence: number
  fee: bigint
  succeeded: boolean
  /** Its index among the transactions of the ledger. */
  rank: number
  changes: readonly Change[]
  /** The stated delivered XRP; `unavailable` if it is another currency, or unknown. */
  delivered: bigint | 'unavailable' | null
}

/** The change of one account's balance, in drops. */
export interface Change {
  address: Address
  before: bigint
  after: bigint
  /** The sender, by the object that paid; "" if unknown. */
  from: Address | ''
  /** Of the payment, or of the object that paid; null without one. */
  tag: number | null
}

interface Node {
  kind: 'CreatedNode' | 'ModifiedNode' | 'DeletedNode'
  type: string
  /** The ledger entry after the transaction, or its last state if it was deleted. */
  fields: Json
  previous: Json
}

/** Objects that hold XRP for another account and pay it out with their own tag. */
const PAYING: Readonly<Record<string, string>> = {
  EscrowFinish: 'Escrow',
  PaymentChannelClaim: 'PayChannel',
  CheckCash: 'Check',
}
const SUCCESS = 'tesSUCCESS'
const FEE_CLAIMED = /^tec[A-Z]/
const KINDS = ['CreatedNode', 'ModifiedNode', 'DeletedNode'] as const

/**
 * Reads the moves of a transaction from its changes of accounts, which works for every type of
 * transaction; `Amount` and `DeliverMax` are claims and are not used (X01).
 */
export function readDeed(entry: Entry): Deed {
  const { txnHash, transaction, meta } = entry
  const sender = parseAccount(transaction['Account'], 'Account')
  const nodes = parseList(meta['AffectedNodes'], 'AffectedNodes').map(parseNode)
  const giver = giverOf(transaction, nodes)
  const ticket = uint32OrNull(transaction['TicketSequence'], 'TicketSequence')
  return {
    txnHash,
    type: parseText(transaction['TransactionType'], 'TransactionType'),
    sender,
    sequence: ticket ?? parseUint32(transaction['Sequence'], 'Sequence'),
    fee: parseDrops(transaction['Fee'], 'Fee'),
    succeeded: parseResult(meta['TransactionResult']),
    rank: parseUint32(meta['TransactionIndex'], 'TransactionIndex'),
    changes: nodes.flatMap((node) => changeOf(node, giver) ?? []),
    delivered: deliveredOf(entry),
  }
}

/**
 * Whether a result means success. A ledger includes only successes and transactions that cost their
 * fee (`tec`): any other result in a ledger is an Outage.
 */
export function parseResult(value: unknown): boolean {
  const result = parseText(value, 'TransactionResult')
  demand(result === SUCCESS || FEE_CLAIMED.test(result), 'a result that no ledger includes')
  return result === SUCCESS
}

/**
 * Accounts whose entries the bytes of a `meta` may hold, in hex: a superset, found without
 * decoding.
 */
export function idsNamed(meta: Uint8Array): string[] {
  const bytes = Buffer.from(meta.buffer, meta.byteOffset, meta.length)
  const found: string[] = []
  for (let at = bytes.indexOf(ACCOUNT_FIELD); at >= 0; at = bytes.indexOf(ACCOUNT_FIELD, at + 1)) {
    const from = at + ACCOUNT_FIELD.length
    if (from + ID_BYTES <= bytes.length) found.push(bytes.toString('hex', from, from + ID_BYTES))
  }
  return found
}

/** The field `Account`, and the length of what follows. */
const ACCOUNT_FIELD = Buffer.from('8114', 'hex')
const ID_BYTES = 20

function parseNode(value: unknown): Node {
  const affected = parseJson(value, 'an affected node')
  const kind = KINDS.find((one) => isJson(affected[one]))
  if (kind === undefined) throw malformed('an affected node of no known kind')
  const node = parseJson(affected[kind], kind)
  const fields = kind === 'CreatedNode' ? node['NewFields'] : node['FinalFields']
  return {
    kind,
    type: parseText(node['LedgerEntryType'], 'LedgerEntryType'),
    fields: isJson(fields) ? fields : {},
    previous: isJson(node['PreviousFields']) ? node['PreviousFields'] : {},
  }
}

/** Drops of an account without an entry. */
const NOTHING = '0'

/** Null unless the balance of an account changed. */
function changeOf({ kind, type, fields, previous }: Node, giver: Giver): Change | null {
  if (type !== 'AccountRoot' || isMissing(fields['Account'])) return null
  const address = parseAccount(fields['Account'], 'AccountRoot.Account')
  const isNew = kind === 'CreatedNode'
  const old = isNew ? NOTHING : previous['Balance']
  if (old === undefined) return null
  // New entries omit defaults: a pool without XRP begins with zero (XLS-30, XLS-65).
  const now = fields['Balance'] ?? (isNew ? NOTHING : undefined)
  const after = parseDrops(now, 'AccountRoot.Balance')
  if (now === old) return null
  const before = parseDrops(old, 'AccountRoot.Balance before')
  const isMeant = giver.to === address
  return {
    address,
    before,
    after,
    from: isMeant ? giver.from : '',
    tag: isMeant ? giver.tag : null,
  }
}

/** The payee, sender and tag that a transaction names. */
interface Giver {
  to: Address | null
  from: Address | ''
  tag: number | null
}

function giverOf(transaction: Json, nodes: readonly Node[]): Giver {
  const type = parseText(transaction['TransactionType'], 'TransactionType')
  const paying = PAYING[type]
  if (paying === undefined) return namedIn(transaction)
  const paid = nodes.filter((node) => node.type === paying && node.kind !== 'CreatedNode')
  demand(paid.length <= 1, 'two objects that pay in one transaction')
  const [object] = paid
  return object === undefined ? NOBODY : namedIn(object.fields)
}

const NOBODY: Giver = { to: null, from: '', tag: null }

function namedIn(fields: Json): Giver {
  if (isMissing(fields['Destination']) || isMissing(fields['Account'])) return NOBODY
  return {
    to: parseAccount(fields['Destination'], 'Destination'),
    from: parseAccount(fields['Account'], 'Account'),
    tag: uint32OrNull(fields['DestinationTag'], 'DestinationTag'),
  }
}

/**
 * The delivered amount as the node states it, else as the ledger does, else, like rippled, the
 * requested amount: ledgers from before 2014 do not record partial payments.
 */
function deliveredOf({ transaction, meta, delivered }: Entry): Deed['delivered'] {
  const isPayment = transaction['TransactionType'] === 'Payment'
  const stated = delivered ?? meta['DeliveredAmount'] ?? meta['delivered_amount']
  const said = stated ?? (isPayment ? transaction['Amount'] : undefined)
  if (said === undefined) return null
  const isDrops = typeof said === 'string' && said !== 'unavailable'
  return isDrops ? parseDrops(said, 'delivered_amount') : 'unavailable'
}

function parseAccount(value: unknown, what: string): Address {
  const address = typeof value === 'string' ? parseXrplAddress(value) : null
  if (address === null) throw malformed(what)
  return address
}
