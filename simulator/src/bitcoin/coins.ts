import type { BitcoinBlock, Utxo } from './block.ts'
import { type BitcoinTransaction, isCoinbase } from './transaction.ts'

/** Why a transaction or block cannot stand, in Core's words. */
export class Invalid extends Error {}

const MATURITY = 100
const FINAL_SEQUENCE = 0xffffffff
const SEQUENCE_OFF = 0x80000000
const SEQUENCE_BY_TIME = 0x00400000
const SEQUENCE_MASK = 0xffff
const LOCK_TIME_THRESHOLD = 500_000_000

/** Coins by the output that they are, as `txid:vout`. */
export interface CoinView {
  get(outpoint: string): Utxo | undefined
}

/** Throws Invalid if an input's script is not satisfied. */
export type CheckScripts = (transaction: BitcoinTransaction, spent: readonly Utxo[]) => void

/** All coins after the highest block. */
export class Coins implements CoinView {
  readonly #coins = new Map<string, Utxo>()

  get(outpoint: string): Utxo | undefined {
    return this.#coins.get(outpoint)
  }

  /** Every coin, with the output that it is. */
  all(): IterableIterator<[outpoint: string, coin: Utxo]> {
    return this.#coins.entries()
  }

  /**
   * Applies the block's transactions and records what they spend. Throws Invalid, with nothing
   * changed, if one of them is invalid.
   */
  connect(block: BitcoinBlock, subsidy: bigint, check?: CheckScripts): void {
    const { height, time } = block
    const undo: Utxo[][] = []
    const applied: number[] = []
    let fees = 0n
    try {
      block.transactions.forEach((transaction, rank) => {
        const spent = rank === 0 ? [] : spentBy(this, transaction)
        if (rank > 0) {
          checkFinal(transaction, { height, time })
          fees += checkInputs(transaction, spent, height)
          check?.(transaction, spent)
        }
        undo.push(spent)
        applied.push(rank)
        this.#apply(block, rank)
      })
      const made = block.transactions[0]?.outputs.reduce((sum, { value }) => sum + value, 0n) ?? 0n
      if (made > subsidy + fees) throw new Invalid('bad-cb-amount')
      block.undo = undo
    } catch (error) {
      for (const rank of applied.toReversed()) this.#revert(block, rank, undo[rank] ?? [])
      throw error
    }
  }

  /** Takes back what `connect` did. */
  disconnect(block: BitcoinBlock): void {
    for (let rank = block.transactions.length - 1; rank >= 0; rank -= 1) {
      this.#revert(block, rank, block.undo[rank] ?? [])
    }
  }

  #apply({ transactions, txids, height }: BitcoinBlock, rank: number): void {
    const transaction = transactions[rank]
    const txid = txids[rank]
    if (transaction === undefined || txid === undefined) return
    if (rank > 0) for (const input of transaction.inputs) this.#coins.delete(outpointOf(input))
    // The coins of the first block can never be spent.
    if (height === 0) return
    transaction.outputs.forEach(({ value, script }, vout) => {
      if (script[0] === 0x6a) return
      const coin = { value, script, height, isCoinbase: rank === 0 }
      this.#coins.set(`${txid}:${vout}`, coin)
    })
  }

  #revert({ transactions, txids }: BitcoinBlock, rank: number, spent: readonly Utxo[]): void {
    const transaction = transactions[rank]
    transaction?.outputs.forEach((_, vout) => this.#coins.delete(`${txids[rank]}:${vout}`))
    spent.forEach((coin, at) => {
      const input = transaction?.inputs[at]
      if (input) this.#coins.set(outpointOf(input), coin)
    })
  }
}

/** `txid:vout`. */
export function outpointOf({ txid, vout }: { txid: string; vout: number }): string {
  return `${txid}:${vout}`
}

/** The coins that a transaction spends; throws Invalid if one is missing. */
export function spentBy(view: CoinView, { inputs }: BitcoinTransaction): Utxo[] {
  return inputs.map((input) => {
    const coin = view.get(outpointOf(input))
    if (coin === undefined) throw new Invalid('bad-txns-inputs-missingorspent')
    return coin
  })
}

/** Fee of a transaction in a block of that height; throws Invalid if it may not be in it. */
export function checkInputs(
  transaction: BitcoinTransaction,
  spent: readonly Utxo[],
  height: number,
): bigint {
  if (isCoinbase(transaction)) throw new Invalid('coinbase')
  const young = spent.find((coin) => coin.isCoinbase && height - coin.height < MATURITY)
  if (young !== undefined) {
    const depth = height - young.height
    const why = `tried to spend coinbase at depth ${depth}`
    throw new Invalid(`bad-txns-premature-spend-of-coinbase, ${why}`)
  }
  checkSequences(transaction, spent, height)
  const total = spent.reduce((sum, { value }) => sum + value, 0n)
  const fee = total - transaction.outputs.reduce((sum, { value }) => sum + value, 0n)
  if (fee < 0n) throw new Invalid('bad-txns-in-belowout')
  return fee
}

/** Whether the lock time lets a transaction into a block (IsFinalTx); throws Invalid otherwise. */
export function checkFinal(
  { lockTime, inputs }: BitcoinTransaction,
  { height, time }: { height: number; time: number },
): void {
  const limit = lockTime < LOCK_TIME_THRESHOLD ? height : time
  if (lockTime === 0 || lockTime < limit) return
  if (inputs.some(({ sequence }) => sequence !== FINAL_SEQUENCE)) throw new Invalid('non-final')
}

/** BIP-68, for locks by height; locks by time are held to be not over. */
function checkSequences(
  { version, inputs }: BitcoinTransaction,
  spent: readonly Utxo[],
  height: number,
): void {
  if (version < 2) return
  inputs.forEach(({ sequence }, at) => {
    if ((sequence & SEQUENCE_OFF) !== 0) return
    const wait = sequence & SEQUENCE_MASK
    const isEarly = height < (spent[at]?.height ?? height) + wait
    const isByTime = (sequence & SEQUENCE_BY_TIME) !== 0
    if (wait > 0 && (isByTime || isEarly)) throw new Invalid('non-BIP68-final')
  })
}
