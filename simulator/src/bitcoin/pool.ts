import { checkPolicy, checkScripts } from './check-scripts.ts'
import { checkFinal, checkInputs, type CoinView, Invalid, outpointOf, spentBy } from './coins.ts'
import { checkFamily, childrenOf, replacedBy } from './pool-rules.ts'
import {
  type BitcoinTransaction,
  isCoinbase,
  serialize,
  txidOf,
  vsizeOf,
  weightOf,
} from './transaction.ts'
import type { Waiting } from './waiting.ts'

/** A refusal of `sendrawtransaction`, with Core's code. */
export class PoolRefusal extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** RPC_VERIFY_ERROR, RPC_VERIFY_REJECTED and RPC_VERIFY_ALREADY_IN_UTXO_SET. */
const ERROR = -25
const REJECTED = -26
const IN_A_BLOCK = -27
const STANDARD_WEIGHT_MAX = 400_000
const SMALL_BYTES = 65
/** Satoshi for a virtual byte: what nodes pass on, and what an output must be worth. */
const RELAY_RATE = 1n
const DUST_RATE = 3n
const MEANT = 'configured by user (e.g. -maxtxfee, maxfeerate)'

/**
 * Unconfirmed transactions under Core's rules: standard, final, with mature coins, minimum fee and
 * limited ancestors; a higher fee replaces conflicts (full RBF).
 */
export class Pool {
  /** Minimum rate of a full pool, in satoshi per 1,000 vbytes; 0 for no minimum. */
  least = 0n
  readonly #waiting = new Map<string, Waiting>()
  readonly #spenders = new Map<string, string>()

  get size(): number {
    return this.#waiting.size
  }

  get(txid: string): Waiting | undefined {
    return this.#waiting.get(txid)
  }

  /** In the order in which they came. */
  all(): Waiting[] {
    return [...this.#waiting.values()]
  }

  /** Id of the transaction that spends an output. */
  spender(outpoint: string): string | undefined {
    return this.#spenders.get(outpoint)
  }

  /**
   * Accepts a transaction; throws PoolRefusal as a node does. `most`: the highest accepted rate, in
   * satoshi per 1,000 vbytes.
   */
  accept(
    transaction: BitcoinTransaction,
    at: { coins: CoinView; height: number; time: number; most?: bigint },
  ): Waiting {
    const txid = txidOf(transaction)
    const known = this.#waiting.get(txid)
    if (known !== undefined) return known
    const isMined = transaction.outputs.some((_, vout) => at.coins.get(`${txid}:${vout}`))
    if (isMined) throw new PoolRefusal(IN_A_BLOCK, 'Transaction outputs already in utxo set')
    try {
      checkStandard(transaction)
      checkFinal(transaction, at)
      const spent = spentBy(this.#over(at), transaction)
      const fee = checkInputs(transaction, spent, at.height)
      const vsize = vsizeOf(transaction)
      if (fee * 1_000n < this.least * BigInt(vsize)) {
        throw new Invalid('mempool min fee not met')
      }
      if (fee < RELAY_RATE * BigInt(vsize)) throw new Invalid('min relay fee not met')
      const waiting = { txid, transaction, fee, vsize }
      checkFamily(this, waiting)
      const evicted = replacedBy(this, waiting)
      checkPolicy(transaction, spent)
      checkScripts(transaction, spent, 'mempool')
      if (at.most !== undefined && fee * 1_000n > at.most * BigInt(vsize)) {
        throw new PoolRefusal(ERROR, `Fee exceeds maximum ${MEANT}`)
      }
      for (const one of evicted) this.remove(one.txid)
      this.#add(waiting)
      return waiting
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      const isMissing = error.message === 'bad-txns-inputs-missingorspent'
      throw new PoolRefusal(isMissing ? ERROR : REJECTED, error.message)
    }
  }

  /** Takes one out, and all that spend its outputs. */
  remove(txid: string): void {
    const waiting = this.#waiting.get(txid)
    if (waiting === undefined) return
    for (const child of childrenOf(this, txid)) this.remove(child)
    this.#waiting.delete(txid)
    for (const input of waiting.transaction.inputs) this.#spenders.delete(outpointOf(input))
  }

  /** Removes the transactions of a new block, and those that conflict with them. */
  connect(transactions: readonly BitcoinTransaction[], txids: readonly string[]): void {
    transactions.forEach(({ inputs }, rank) => {
      const txid = txids[rank]
      if (txid !== undefined) this.#drop(txid)
      for (const input of inputs) {
        const rival = this.#spenders.get(outpointOf(input))
        if (rival !== undefined) this.remove(rival)
      }
    })
  }

  clear(): void {
    this.#waiting.clear()
    this.#spenders.clear()
  }

  /** Without what spends its outputs, which may go on waiting. */
  #drop(txid: string): void {
    const waiting = this.#waiting.get(txid)
    this.#waiting.delete(txid)
    for (const input of waiting?.transaction.inputs ?? []) this.#spenders.delete(outpointOf(input))
  }

  #add(waiting: Waiting): void {
    this.#waiting.set(waiting.txid, waiting)
    for (const input of waiting.transaction.inputs) {
      this.#spenders.set(outpointOf(input), waiting.txid)
    }
  }

  /** The coins of the chain, and those that waiting transactions make. */
  #over({ coins, height }: { coins: CoinView; height: number }): CoinView {
    return {
      get: (outpoint) => {
        const [txid = '', vout] = outpoint.split(':')
        const output = this.#waiting.get(txid)?.transaction.outputs[Number(vout)]
        return output ? { ...output, height, isCoinbase: false } : coins.get(outpoint)
      },
    }
  }
}

/** Core's IsStandardTx, as far as it goes for what is sent here. */
function checkStandard(transaction: BitcoinTransaction): void {
  if (isCoinbase(transaction)) throw new Invalid('coinbase')
  if (transaction.version < 1 || transaction.version > 3) throw new Invalid('version')
  if (weightOf(transaction) > STANDARD_WEIGHT_MAX) throw new Invalid('tx-size')
  if (serialize(transaction, false).length < SMALL_BYTES) throw new Invalid('tx-size-small')
  for (const { value, script } of transaction.outputs) {
    if (script[0] !== 0x6a && value < dustOf(script)) throw new Invalid('dust')
  }
}

function dustOf(script: Buffer): bigint {
  const isWitness = script.length >= 4 && script.length <= 42 && script[1] === script.length - 2
  const spending = isWitness ? 32 + 4 + 1 + 26 + 4 : 148
  return BigInt(8 + 1 + script.length + spending) * DUST_RATE
}
