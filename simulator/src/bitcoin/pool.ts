import { opensKeyHash } from '../bitcoin-wallet.ts'
import type { Utxo } from './block.ts'
import { checkFinal, checkInputs, type CoinView, Invalid, outpointOf, spentBy } from './coins.ts'
import { type BitcoinTransaction, isCoinbase, txidOf, vsizeOf, weightOf } from './transaction.ts'

/** A transaction that waits for a block. */
export interface Waiting {
  txid: string
  transaction: BitcoinTransaction
  fee: bigint
  vsize: number
}

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
/** Satoshi for a virtual byte: what nodes pass on, and what a replacement must add. */
const RELAY_RATE = 1n
const DUST_RATE = 3n

/**
 * The transactions that wait, by Core's rules: standard, final, with mature coins, paying their
 * way; a dearer one replaces whatever it conflicts with (full RBF).
 */
export class Pool {
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

  /** Who spends an output. */
  spender(outpoint: string): string | undefined {
    return this.#spenders.get(outpoint)
  }

  /** Takes a transaction in; throws PoolRefusal as a node refuses. */
  accept(
    transaction: BitcoinTransaction,
    at: { coins: CoinView; height: number; time: number },
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
      if (fee < RELAY_RATE * BigInt(vsize)) throw new Invalid('min relay fee not met')
      const waiting = { txid, transaction, fee, vsize }
      const evicted = this.#replaced(waiting)
      checkScripts(transaction, spent)
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
    for (const child of this.#childrenOf(txid)) this.remove(child)
    this.#waiting.delete(txid)
    for (const input of waiting.transaction.inputs) this.#spenders.delete(outpointOf(input))
  }

  /** A block has come with these: they wait no longer, and what conflicts with them never will. */
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

  /** Whom a newcomer replaces (BIP-125, rules 3 and 4, and a higher rate); throws Invalid. */
  #replaced({ transaction, fee, vsize }: Waiting): Waiting[] {
    const direct = new Set(
      transaction.inputs.flatMap((input) => this.#spenders.get(outpointOf(input)) ?? []),
    )
    const all = new Set<string>()
    const gather = (txid: string) => {
      all.add(txid)
      for (const child of this.#childrenOf(txid)) gather(child)
    }
    for (const txid of direct) gather(txid)
    const evicted = [...all].flatMap((txid) => this.#waiting.get(txid) ?? [])
    const isDearer = evicted
      .filter(({ txid }) => direct.has(txid))
      .every((one) => fee * BigInt(one.vsize) > one.fee * BigInt(vsize))
    const owed = evicted.reduce((sum, one) => sum + one.fee, 0n) + RELAY_RATE * BigInt(vsize)
    if (evicted.length > 0 && (!isDearer || fee < owed)) throw new Invalid('insufficient fee')
    return evicted
  }

  #childrenOf(txid: string): string[] {
    const outputs = this.#waiting.get(txid)?.transaction.outputs ?? []
    return outputs.flatMap((_, vout) => this.#spenders.get(`${txid}:${vout}`) ?? [])
  }
}

/** Core's IsStandardTx, as far as it goes for what is sent here. */
function checkStandard(transaction: BitcoinTransaction): void {
  if (isCoinbase(transaction)) throw new Invalid('coinbase')
  if (transaction.version < 1 || transaction.version > 3) throw new Invalid('version')
  if (weightOf(transaction) > STANDARD_WEIGHT_MAX) throw new Invalid('tx-size')
  if (vsizeOf(transaction) < SMALL_BYTES) throw new Invalid('tx-size-small')
  for (const { value, script } of transaction.outputs) {
    if (script[0] !== 0x6a && value < dustOf(script)) throw new Invalid('dust')
  }
}

function dustOf(script: Buffer): bigint {
  const isWitness = script.length >= 4 && script.length <= 42 && script[1] === script.length - 2
  const spending = isWitness ? 32 + 4 + 1 + 26 + 4 : 148
  return BigInt(8 + 1 + script.length + spending) * DUST_RATE
}

/** Outputs of keys' hashes are really opened; others are taken for opened. */
function checkScripts(transaction: BitcoinTransaction, spent: readonly Utxo[]): void {
  const isOpen = spent.every((coin, at) => {
    const isKeyHash = coin.script.length === 22 && coin.script[0] === 0
    return !isKeyHash || opensKeyHash(transaction, at, coin)
  })
  if (!isOpen) throw new Invalid('mandatory-script-verify-flag-failed (Signature is not valid)')
}
