import { decode, encode } from 'ripple-binary-codec'
import { PREFIX, hexOf, sha512Half } from './hash.ts'
import { parseHeader } from './header.ts'
import type { LedgerHeader } from './header.ts'
import { demand, isJson, malformed, parseBytes, parseHash, parseJson, parseList } from './read.ts'
import type { Json } from './read.ts'
import { transactionRoot } from './transaction-tree.ts'
import type { Leaf } from './transaction-tree.ts'

/** A validated ledger with all its transactions, proved complete by the root in its header. */
export interface Ledger extends LedgerHeader {
  leaves: readonly Leaf[]
}

/** A transaction and its metadata, as JSON. */
export interface Entry {
  txnHash: string
  transaction: Json
  meta: Json
  /** The node's own value if it computed one; no hash covers it. */
  delivered: unknown
}

/**
 * Reads the answer to `ledger` with its transactions in any form: bytes or JSON, API version 1 or
 * 2. Null if the ledger is not validated. An Outage if header, hash and transactions do not match.
 */
export function parseLedger(result: Json): Ledger | null {
  if (result['validated'] !== true) return null
  const ledger = parseJson(result['ledger'], 'ledger')
  const header = parseHeader(ledger, result['ledger_hash'] ?? ledger['ledger_hash'])
  const leaves = parseList(ledger['transactions'], 'ledger.transactions').map(parseLeaf)
  const ids = new Set(leaves.map(({ id }) => hexOf(id)))
  demand(ids.size === leaves.length, 'a transaction that is there twice')
  const root = hexOf(transactionRoot(leaves))
  demand(root === header.transactionRoot, 'transactions that are not those of the ledger')
  return { ...header, leaves }
}

/** The JSON of a leaf. An Outage if the codec cannot read it: it may be a payment to us. */
export function entryOf({ id, transaction, meta }: Leaf): Entry {
  return {
    txnHash: hexOf(id),
    transaction: decoded(transaction),
    meta: decoded(meta),
    delivered: undefined,
  }
}

/** One of the transactions of an answer in JSON, of either API version. */
export function parseEntry(value: unknown): Entry {
  const record = parseJson(value, 'a transaction')
  const inner = record['tx_json'] ?? record['tx']
  const { meta: _meta, metaData: _metaData, ...inline } = record
  const transaction = isJson(inner) ? inner : inline
  const meta = parseJson(record['meta'] ?? record['metaData'], 'the meta of a transaction')
  return {
    txnHash: parseHash(record['hash'] ?? transaction['hash'], 'transaction.hash'),
    transaction: withAmount(transaction),
    meta,
    delivered: meta['delivered_amount'],
  }
}

/** Version 2 renames the amount of a payment; the signature covers the old name. */
function withAmount(transaction: Json): Json {
  const { DeliverMax: most, ...rest } = transaction
  return most === undefined || rest['Amount'] !== undefined ? rest : { ...rest, Amount: most }
}

function parseLeaf(value: unknown): Leaf {
  const record = parseJson(value, 'a transaction')
  const blob = record['tx_blob']
  const leaf =
    blob === undefined
      ? leafOf(parseEntry(record))
      : leafOfBytes(
          parseBytes(blob, 'tx_blob'),
          parseBytes(record['meta_blob'] ?? record['meta'], 'meta_blob'),
        )
  const named = record['hash']
  demand(named === undefined || parseHash(named, 'hash') === hexOf(leaf.id), 'another hash')
  return leaf
}

function leafOf({ transaction, meta }: Entry): Leaf {
  return leafOfBytes(encoded(transaction), encoded(meta))
}

function leafOfBytes(transaction: Buffer, meta: Buffer): Leaf {
  return { id: sha512Half(PREFIX.transaction, transaction), transaction, meta }
}

function encoded(json: Json): Buffer {
  try {
    return Buffer.from(encode(json), 'hex')
  } catch {
    throw malformed('a transaction that cannot be written as bytes')
  }
}

function decoded(bytes: Uint8Array): Json {
  try {
    return decode(Buffer.from(bytes).toString('hex'))
  } catch {
    throw malformed('a transaction that cannot be read')
  }
}
