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

/** What one transaction did, as far as XRP is concerned. */
export interface Deed {
  txnHash: string
  type: string
  sender: Address
  /** The Sequence, or the ticket that stood in for one. */
  sequence: number
  fee: bigint
  succeeded: boolean
  /** Its place among the transactions of the ledger. */
  rank: number
  changes: readonly Change[]
  /** XRP delivered, where that is stated; `unavailable` where it is no XRP, or nobody can say. */
  delivered: bigint | 'unavailable' | null
}

/** How the balance of one account changed, in drops. */
export interface Change {
  address: Address
  before: bigint
  after: bigint
  /** Who gave it, by the object that paid; "" where nobody can be named. */
  from: Address | ''
  /** Of the payment, or of the object that paid; null where none was given. */
  tag: number | null
}

interface Node {
  kind: 'CreatedNode' | 'ModifiedNode' | 'DeletedNode'
  type: string
  /** As the ledger entry is after the transaction, or was when it went. */
  fields: Json
  previous: Json
}

/** The objects that hold XRP for somebody else and pay it out with a tag of their own. */
const PAYING: Readonly<Record<string, string>> = {
  EscrowFinish: 'Escrow',
  PaymentChannelClaim: 'PayChannel',
  CheckCash: 'Check',
}
const SUCCESS = 'tesSUCCESS'
const FEE_CLAIMED = /^tec[A-Z]/
const KINDS = ['CreatedNode', 'ModifiedNode', 'DeletedNode'] as const

/**
 * Reads what a transaction did from the changes it made to accounts, which hold for every kind of
 * transaction there is or will be; `Amount` and `DeliverMax` are promises, and not looked at (X01).
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
 * Whether a result means success. A ledger includes nothing but that and what only cost its fee
 * (`tec`): another result beside a transaction of a ledger is an Outage.
 */
export function parseResult(value: unknown): boolean {
  const result = parseText(value, 'TransactionResult')
  demand(result === SUCCESS || FEE_CLAIMED.test(result), 'a result that no ledger includes')
  return result === SUCCESS
}

/** Accounts whose entries the bytes of a `meta` may hold, in hex: a superset, found unread. */
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
  const given = parseJson(value, 'an affected node')
  const kind = KINDS.find((one) => isJson(given[one]))
  if (kind === undefined) throw malformed('an affected node of no known kind')
  const node = parseJson(given[kind], kind)
  const fields = kind === 'CreatedNode' ? node['NewFields'] : node['FinalFields']
  return {
    kind,
    type: parseText(node['LedgerEntryType'], 'LedgerEntryType'),
    fields: isJson(fields) ? fields : {},
    previous: isJson(node['PreviousFields']) ? node['PreviousFields'] : {},
  }
}

/** Drops of who has none. */
const NOTHING = '0'

/** Null where the balance of no account changed. */
function changeOf({ kind, type, fields, previous }: Node, giver: Giver): Change | null {
  if (type !== 'AccountRoot' || isMissing(fields['Account'])) return null
  const address = parseAccount(fields['Account'], 'AccountRoot.Account')
  const isNew = kind === 'CreatedNode'
  const old = isNew ? NOTHING : previous['Balance']
  if (old === undefined) return null
  // A new node tells no defaults: that of a pool without XRP begins with nothing (XLS-30, XLS-65).
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

/** Whom a transaction pays by name, on whose behalf, and with which tag. */
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
 * What was delivered, as the node says, else as the ledger does, and else, as rippled reads it, all
 * that was asked for: ledgers from before 2014 do not tell of partial payments.
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
