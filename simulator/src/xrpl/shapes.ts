import { decode } from 'ripple-binary-codec'
import type { XrplLedger } from '../xrpl-chain.ts'
import { PARTIAL } from './deeds.ts'
import type { Applied } from './hashing.ts'

type Json = Record<string, unknown>

const EPOCH = 946_684_800

/** A ledger as `ledger` answers it: its header, or all with `transactions`. */
export function ledgerShape(
  ledger: XrplLedger,
  asked: { version: number; binary: boolean; transactions: boolean; expand: boolean },
): Json {
  const { version, binary, transactions, expand } = asked
  const header = binary ? { closed: true, ledger_data: ledger.data } : headerShape(ledger, version)
  if (!transactions) return header
  const list = ledger.transactions.map((one) => {
    if (!expand) return one.hash
    return binary ? bytesShape(one, version) : jsonShape(one, ledger, version)
  })
  return { ...header, transactions: list }
}

/** A transaction as `tx` answers it. */
export function transactionShape(one: Applied, ledger: XrplLedger, version: number): Json {
  const { tx, meta } = parts(one)
  const date = ledger.closeTime
  const { height } = ledger
  if (version === 1) {
    const inline = { ...withDeliverMax(tx, version), date, hash: one.hash, inLedger: height }
    return { ...inline, ledger_index: height, meta, validated: true }
  }
  const where = { ledger_index: height, ledger_hash: ledger.hash }
  const tx_json = { ...withDeliverMax(tx, version), date, ledger_index: height }
  const close_time_iso = isoOf(ledger.closeTime)
  return { close_time_iso, hash: one.hash, ...where, meta, tx_json, validated: true }
}

/** The same in a list of `account_tx`. */
export function historyShape(one: Applied, ledger: XrplLedger, version: number): Json {
  const { meta: told, ...rest } = transactionShape(one, ledger, version)
  if (version === 2) return { ...rest, meta: told }
  const { validated, ...tx } = rest
  return { meta: told, tx, validated }
}

function headerShape(ledger: XrplLedger, version: number): Json {
  const { height, closeTime } = ledger
  return {
    account_hash: ledger.accountHash,
    close_flags: 0,
    close_time: closeTime,
    close_time_human: humanOf(closeTime),
    close_time_iso: isoOf(closeTime),
    close_time_resolution: 10,
    closed: true,
    ledger_hash: ledger.hash,
    ledger_index: version === 1 ? String(height) : height,
    parent_close_time: ledger.parentCloseTime,
    parent_hash: ledger.parentHash,
    total_coins: ledger.coins.toString(),
    transaction_hash: ledger.transactionHash,
  }
}

function bytesShape({ hash, blob, meta }: Applied, version: number): Json {
  return version === 1 ? { meta, tx_blob: blob } : { hash, meta_blob: meta, tx_blob: blob }
}

function jsonShape(one: Applied, ledger: XrplLedger, version: number): Json {
  const { tx, meta } = parts(one)
  if (version === 1) return { ...withDeliverMax(tx, version), hash: one.hash, metaData: meta }
  return {
    close_time_iso: isoOf(ledger.closeTime),
    hash: one.hash,
    ledger_hash: ledger.hash,
    ledger_index: ledger.height,
    meta,
    tx_json: withDeliverMax(tx, version),
    validated: true,
  }
}

function parts({ blob, meta }: Applied): { tx: Json; meta: Json } {
  const tx: Json = decode(blob)
  const told: Json = decode(meta)
  const delivered = deliveredOf(tx, told)
  return { tx, meta: delivered === undefined ? told : { ...told, delivered_amount: delivered } }
}

/** The server's own field: only some transaction types deliver. */
function deliveredOf(tx: Json, meta: Json): unknown {
  const delivers = ['Payment', 'CheckCash', 'AccountDelete'].includes(String(tx['TransactionType']))
  if (!delivers || meta['TransactionResult'] !== 'tesSUCCESS') return undefined
  const isPartial = (Number(tx['Flags'] ?? 0) & PARTIAL) !== 0
  return meta['DeliveredAmount'] ?? (isPartial ? 'unavailable' : tx['Amount'])
}

/** Version 1 has both names of the amount of a payment, version 2 the new one alone. */
export function withDeliverMax(tx: Json, version: number): Json {
  if (tx['TransactionType'] !== 'Payment') return tx
  const { Amount: amount, ...rest } = tx
  return version === 1 ? { ...tx, DeliverMax: amount } : { ...rest, DeliverMax: amount }
}

function isoOf(closeTime: number): string {
  return new Date((closeTime + EPOCH) * 1_000).toISOString().replace('.000', '')
}

function humanOf(closeTime: number): string {
  const date = new Date((closeTime + EPOCH) * 1_000)
  const month = date.toLocaleString('en', { month: 'short', timeZone: 'UTC' })
  const [, time = ''] = date.toISOString().split('T')
  const day = String(date.getUTCDate()).padStart(2, '0')
  return `${date.getUTCFullYear()}-${month}-${day} ${time.replace('.000Z', '.000000000')} UTC`
}
