import type { BitcoinChain } from '../bitcoin-chain.ts'
import { type BitcoinBlock, serializeBlock, type Utxo } from './block.ts'
import { type AddressKind, addressOfScript, typeOfScript } from './scripts.ts'
import {
  type BitcoinTransaction,
  isCoinbase,
  serialize,
  txidOf,
  vsizeOf,
  weightOf,
  wtxidOf,
} from './transaction.ts'

const COIN = 100_000_000n
const MARK = 'coins:'
const MARKED = /"coins:(-?[0-9]+\.[0-9]{8})"/g
const MEDIAN_BLOCKS = 11

/** Satoshi as Core writes coins: eight places, never an exponent. `writeJson` takes the quotes. */
export function coins(satoshi: bigint): string {
  const whole = satoshi / COIN
  return `${MARK}${whole}.${String(satoshi % COIN).padStart(8, '0')}`
}

/** JSON in which coins are numbers of eight places. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(MARKED, '$1')
}

/** `getblockheader`. */
export function headerJson(chain: BitcoinChain, block: BitcoinBlock) {
  const { header, height, hash, time, transactions, previous } = block
  const next = chain.isActive(block) ? chain.blockAt(height + 1) : undefined
  return {
    hash,
    confirmations: confirmationsOf(chain, block),
    height,
    version: header.readInt32LE(0),
    versionHex: header.readUInt32LE(0).toString(16).padStart(8, '0'),
    merkleroot: Buffer.from(header.subarray(36, 68)).reverse().toString('hex'),
    time,
    mediantime: medianTime(block),
    nonce: header.readUInt32LE(76),
    bits: header.readUInt32LE(72).toString(16).padStart(8, '0'),
    difficulty: 4.656542373906925e-10,
    chainwork: ((height + 1) * 2).toString(16).padStart(64, '0'),
    nTx: transactions.length,
    ...(previous === null ? {} : { previousblockhash: previous.hash }),
    ...(next === undefined ? {} : { nextblockhash: next.hash }),
  }
}

/** `getblock`, from verbosity 1 on: ids, whole transactions, or these with what they spend. */
export function blockJson(chain: BitcoinChain, block: BitcoinBlock, verbosity: number) {
  const bytes = serializeBlock(block)
  const stripped = block.transactions.map((one) => serialize(one, false).length)
  const witnesses = block.transactions.map((one) => serialize(one).length)
  const saved = sum(witnesses) - sum(stripped)
  const tx = block.transactions.map((transaction, rank) =>
    verbosity === 1
      ? block.txids[rank]
      : transactionJson(transaction, chain.network.kind, {
          spent: rank === 0 ? null : (block.undo[rank] ?? null),
          shows: verbosity >= 3,
        }),
  )
  return {
    ...headerJson(chain, block),
    strippedsize: bytes.length - saved,
    size: bytes.length,
    weight: (bytes.length - saved) * 3 + bytes.length,
    tx,
  }
}

/** A transaction; `spent` adds its fee and, if `shows`, the coins it spends. */
export function transactionJson(
  transaction: BitcoinTransaction,
  kind: AddressKind,
  { spent, shows }: { spent: readonly Utxo[] | null; shows: boolean },
) {
  const { version, lockTime, inputs, outputs } = transaction
  const paid = outputs.reduce((total, { value }) => total + value, 0n)
  const got = spent?.reduce((total, { value }) => total + value, 0n) ?? 0n
  return {
    txid: txidOf(transaction),
    hash: wtxidOf(transaction),
    version,
    size: serialize(transaction).length,
    vsize: vsizeOf(transaction),
    weight: weightOf(transaction),
    locktime: lockTime,
    vin: inputs.map(({ txid, vout, script, sequence, witness }, at) => {
      const coin = shows ? spent?.[at] : undefined
      const txinwitness = witness.map((one) => one.toString('hex'))
      const shown = txinwitness.length === 0 ? {} : { txinwitness }
      if (isCoinbase(transaction)) return { coinbase: script.toString('hex'), ...shown, sequence }
      return {
        txid,
        vout,
        scriptSig: { asm: '', hex: script.toString('hex') },
        ...shown,
        ...(coin === undefined ? {} : { prevout: prevoutJson(coin, kind) }),
        sequence,
      }
    }),
    vout: outputs.map(({ value, script }, n) => ({
      value: coins(value),
      n,
      scriptPubKey: scriptJson(script, kind),
    })),
    ...(spent === null ? {} : { fee: coins(got - paid) }),
    hex: serialize(transaction).toString('hex'),
  }
}

/** The script of an output. */
export function scriptJson(script: Buffer, kind: AddressKind) {
  const address = addressOfScript(script, kind)
  return {
    asm: script.toString('hex'),
    hex: script.toString('hex'),
    ...(address === undefined ? {} : { address }),
    type: typeOfScript(script),
  }
}

/** 1 in the highest block, one more for each above; -1 off the chain. */
export function confirmationsOf(chain: BitcoinChain, block: BitcoinBlock): number {
  return chain.isActive(block) ? chain.tip.height - block.height + 1 : -1
}

function prevoutJson({ isCoinbase: generated, height, value, script }: Utxo, kind: AddressKind) {
  return { generated, height, value: coins(value), scriptPubKey: scriptJson(script, kind) }
}

/** The middle of the times of the last eleven. */
export function medianTime(block: BitcoinBlock): number {
  const times: number[] = []
  for (let at: BitcoinBlock | null = block; at && times.length < MEDIAN_BLOCKS; at = at.previous) {
    times.push(at.time)
  }
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? block.time
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
