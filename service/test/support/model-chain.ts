import { createHash } from 'node:crypto'
import type { Signer } from '@sluice/signer'
import type { Keyring } from '../../src/keys/keyring.ts'
import { publicKeysOf } from './signer.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { ChainId, TokenId } from '@sluice/wire'
import { Bug, assert } from '../../src/base/assert.ts'
import { Outage } from '../../src/base/fault.ts'
import { rateNamed } from '../../src/chains/evm/named-price.ts'
import { addressOf } from '../../src/chains/format-address.ts'
import { type ChainAdapter, payingBy, type WindowAdapter } from '../../src/chains/chain-adapter.ts'
import type {
  Address,
  Block,
  Decoded,
  Intent,
  Signed,
  Transfer,
  Unsigned,
} from '../../src/chains/port.ts'
import { nonceOf } from '../../src/chains/reservation.ts'
import {
  type FeeMarketTerms,
  type Terms,
  gasTermsOf,
  maxFeeOf,
  priceOf,
} from '../../src/chains/spending.ts'

const GAS_USED = 21_000n
const BLOCK_MS = 12_000

interface Signable extends Intent {
  nonce: number
  terms: FeeMarketTerms
}

interface Known extends Decoded {
  raw: Uint8Array
  price: bigint
  gasLimit: bigint
}

interface ModelBlock extends Block {
  known: readonly Known[]
}

/**
 * A chain in memory, with a node's pool: what transactions are tested against. It knows nothing
 * of EVM but nonces, fees and balances, and signs nothing: bytes are JSON with a real signature.
 */
export class ModelChain {
  readonly chainId: ChainId
  readonly native: TokenId
  readonly blocks: ModelBlock[] = []
  readonly pool = new Map<string, Known>()
  readonly balances = new Map<string, bigint>()
  /** The lowest price that the pool accepts; it is named in the refusal of any other. */
  poolPrice = 0n
  /** The answer of a node that accepts a transaction. */
  answer: (raw: Uint8Array) => string = () => 'ok'
  /** Whether bytes arrive at all. */
  takes: (known: { nonce: number; txnHash: string }) => boolean = () => true
  isAway = false
  /** Price of one gas; a lower offer stays in the pool. */
  basePrice = 1n
  /** Recipients whose contract refuses. */
  readonly reverting = new Set<Address>()
  /** Tokens that say they moved, and do not. */
  readonly silent = new Set<TokenId>()
  /** Everything that was ever broadcast, by hash. */
  readonly heard: string[] = []
  #forks = 0

  constructor(chainId: ChainId, native: TokenId) {
    this.chainId = chainId
    this.native = native
    this.mine()
  }

  get tip(): ModelBlock {
    const tip = this.blocks.at(-1)
    assert(tip, 'a chain without blocks')
    return tip
  }

  balance(address: Address, tokenId: TokenId): bigint {
    return this.balances.get(`${address} ${tokenId}`) ?? 0n
  }

  give(address: Address, tokenId: TokenId, amount: bigint): void {
    this.balances.set(`${address} ${tokenId}`, this.balance(address, tokenId) + amount)
  }

  /** The nonces that blocks have used. */
  latest(address: Address): number {
    const mined = this.blocks.flatMap(({ known }) => known)
    return mined.filter(({ from }) => from === address).length
  }

  /** Transactions in blocks, in their order. */
  mined(): Known[] {
    return this.blocks.flatMap(({ known }) => [...known])
  }

  /** Drops from the pool: the node has forgotten it. */
  drop(txnHash: string): void {
    this.pool.delete(txnHash)
  }

  /** Mines a block with everything that can be executed, or with what is let through. */
  mine(lets: (known: Known) => boolean = () => true): ModelBlock {
    const height = this.blocks.length
    const parent = this.blocks.at(-1)
    const known: Known[] = []
    const transactions: Block['transactions'][number][] = []
    const transfers: Transfer[] = []
    for (let next = this.#next(known, lets); next !== null; next = this.#next(known, lets)) {
      const outcome = this.#execute(next)
      known.push(next)
      transactions.push(outcome.outcome)
      transfers.push(...outcome.transfers)
    }
    const parentHash = parent?.hash ?? '0x00'
    const hash = digest(`${parentHash} ${height} ${this.#forks} ${known.length}`)
    const time = 1_700_000_000_000 + height * BLOCK_MS
    const block = { height, hash, parentHash, time, transfers, transactions, known }
    this.blocks.push(block)
    return block
  }

  /** Removes blocks; transactions that `keep` accepts return to the pool. */
  undo(depth: number, keep: (known: Known) => boolean = () => true): void {
    this.#forks += 1
    for (let at = 0; at < depth; at += 1) {
      const block = this.blocks.pop()
      assert(block, 'nothing to undo')
      for (const known of [...block.known].reverse()) this.#revert(block, known)
      for (const known of block.known) if (keep(known)) this.pool.set(known.txnHash, known)
    }
  }

  /** A transaction of an address that we did not sign, in the pool. */
  foreign(from: Address, nonce: number): string {
    const raw = new TextEncoder().encode(`foreign ${from} ${nonce} ${this.#forks}`)
    const txnHash = digest(raw)
    const base = { txnHash, chainId: this.chainId, from, to: from, tokenId: this.native }
    const known = { ...base, amount: 0n, nonce, maxFee: 0n, raw, price: 10n ** 12n, gasLimit: 0n }
    this.#forks += 1
    for (const one of this.pool.values())
      if (one.from === from && one.nonce === nonce) this.pool.delete(one.txnHash)
    this.pool.set(txnHash, known)
    return txnHash
  }

  adapter(): ChainAdapter {
    const away = async (): Promise<never> => {
      throw new Bug('a model chain does not support this')
    }
    const awake = () => {
      if (this.isAway) throw new Outage('node', 'away')
    }
    return {
      chainId: this.chainId,
      paymentModel: 'nonce',
      balancesAt: 'named-block',
      identify: away,
      tip: away,
      blockAt: away,
      hashAt: away,
      transaction: async () => null,
      dissent: async () => ({ opposed: [], silent: [] }),
      balanceOf: away,
      inspectToken: away,
      supplyOf: away,
      listen: () => () => undefined,
      feeEstimate: away,
      fate: away,
      close: async () => undefined,
      quote: async () => {
        awake()
        return { ok: true, terms: this.terms() }
      },
      feeRate: async () => {
        awake()
        const maxFeePerGas = this.basePrice * 2n
        return { family: 'eip155', maxFeePerGas, maxPriorityFeePerGas: 1n }
      },
      craft: (intent, terms, reservation) => craft(intent, terms, nonceOf(reservation)),
      combine: (unsigned, signatures) => combine(this.chainId, unsigned, signatures),
      decode: (raw) => decode(this.chainId, raw),
      bump: (before, rate, { absolute }) => {
        const previous = gasTermsOf(before)
        const price = (priceOf(previous) * 9n + 7n) / 8n
        const maxFeePerGas = price > priceOf(rate) ? price : priceOf(rate)
        const terms = { ...this.terms(), gasLimit: previous.gasLimit, maxFeePerGas }
        return maxFeeOf(terms) > absolute ? null : terms
      },
      rateNamed,
      broadcast: async (raw) => {
        awake()
        return { answer: this.#take(raw), isUnheard: false }
      },
      isContract: away,
      nonces: async (address) => {
        awake()
        const latest = this.latest(address)
        const waiting = [...this.pool.values()].filter(({ from }) => from === address)
        const nonces = new Set(waiting.map(({ nonce }) => nonce))
        let pending = latest
        while (nonces.has(pending)) pending += 1
        return { latest, pending }
      },
    }
  }

  terms(): FeeMarketTerms {
    const maxFeePerGas = this.basePrice * 2n
    return { family: 'eip155', gasLimit: GAS_USED, maxFeePerGas, maxPriorityFeePerGas: 1n }
  }

  #take(raw: Uint8Array): string {
    const read = decode(this.chainId, raw)
    const decoded = { ...read, nonce: read.nonce ?? 0 }
    this.heard.push(decoded.txnHash)
    if (!this.takes(decoded)) return 'dropped'
    if (decoded.nonce < this.latest(decoded.from)) return 'nonce too low'
    if (this.pool.has(decoded.txnHash)) return 'already known'
    const { terms } = parseBody(raw)
    const { gasLimit } = gasTermsOf(terms)
    const known = { ...decoded, raw, price: priceOf(gasTermsOf(terms)), gasLimit }
    if (known.price < this.poolPrice)
      return `node: max fee per gas less than block base fee, baseFee: ${this.poolPrice} (-32000)`
    const rival = [...this.pool.values()].find(
      ({ from, nonce }) => from === known.from && nonce === known.nonce,
    )
    if (rival !== undefined && known.price * 10n < rival.price * 11n) return 'underpriced'
    if (rival !== undefined) this.pool.delete(rival.txnHash)
    this.pool.set(known.txnHash, known)
    return this.answer(raw)
  }

  #next(done: readonly Known[], lets: (known: Known) => boolean): Known | null {
    const used = (address: Address) => done.filter(({ from }) => from === address).length
    const ready = [...this.pool.values()].find(
      (known) =>
        known.nonce === this.latest(known.from) + used(known.from) &&
        known.price >= this.basePrice &&
        lets(known),
    )
    return ready ?? null
  }

  #execute(known: Known) {
    this.pool.delete(known.txnHash)
    const { from, to, tokenId, amount, txnHash, nonce } = known
    assert(tokenId !== null && to !== '', 'a transaction without a recipient')
    const fee = known.gasLimit * this.basePrice
    this.give(from, this.native, -fee)
    const succeeded = !this.reverting.has(to)
    const moves = succeeded && amount > 0n && !this.silent.has(tokenId)
    if (moves) {
      this.give(from, tokenId, -amount)
      this.give(to, tokenId, amount)
    }
    const position = tokenId === this.native ? 'tx' : 'log:0'
    const transfer = { txnHash, position, tokenId, from, to, amount, tag: null }
    const outcome = { txnHash, succeeded, sender: from, nonce, fee }
    return { outcome, transfers: moves ? [transfer] : [] }
  }

  #revert(block: ModelBlock, { txnHash, from, to, tokenId, amount }: Known): void {
    const outcome = block.transactions.find((one) => one.txnHash === txnHash)
    this.give(from, this.native, outcome?.fee ?? 0n)
    if (!block.transfers.some((one) => one.txnHash === txnHash)) return
    assert(tokenId !== null && to !== '', 'a transaction without a recipient')
    this.give(from, tokenId, amount)
    this.give(to, tokenId, -amount)
  }
}

/**
 * Signs whatever it is asked to: the signer itself does not decode the bytes of a model. The
 * adapters' tests and the simulation use the signer.
 */
export function signerOfModel(keyring: Keyring): Signer {
  return {
    ...publicKeysOf(keyring),
    fingerprint: async () => keyring.fingerprint,
    lastSigned: async () => null,
    sign: async ({ from, body }) => [keyring.sign(from, hashOf(body))],
    order: () => Promise.reject(new Bug('a model has no policy')),
  }
}

function craft(intent: Intent, terms: Terms, nonce: number): Unsigned {
  assert(terms.family === 'eip155', 'terms of another family')
  const body = new TextEncoder().encode(write({ ...intent, nonce, terms }))
  return { from: intent.from, digests: [hashOf(body)], body }
}

function combine(
  chainId: ChainId,
  unsigned: Unsigned,
  [signature]: Parameters<ChainAdapter['combine']>[1],
): Signed {
  assert(signature, 'no signature')
  const { r, s, recovery } = signature
  const parts = { body: new TextDecoder().decode(unsigned.body), r: `${r}`, s: `${s}`, recovery }
  const raw = new TextEncoder().encode(JSON.stringify(parts))
  const { from, txnHash } = decode(chainId, raw)
  assert(from === unsigned.from, 'signed by another', { from, unsigned })
  return { raw, txnHash }
}

function decode(chainId: ChainId, raw: Uint8Array): Decoded {
  const { r, s, recovery, body } = parseParts(raw)
  const signature = new secp256k1.Signature(BigInt(r), BigInt(s), recovery)
  const key = signature.recoverPublicKey(hashOf(new TextEncoder().encode(body)))
  const { to, tokenId, amount, nonce, terms, ...rest } = parseBody(raw)
  return {
    txnHash: digest(raw),
    chainId: rest.chainId,
    from: addressOf(chainId, key.toBytes(true)),
    to,
    tokenId,
    amount,
    nonce,
    maxFee: maxFeeOf(terms),
  }
}

function write(body: Signable): string {
  return JSON.stringify(body, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  )
}

function parseParts(raw: Uint8Array): { body: string; r: string; s: string; recovery: number } {
  return JSON.parse(new TextDecoder().decode(raw)) as ReturnType<typeof parseParts>
}

function parseBody(raw: Uint8Array): Signable {
  return JSON.parse(parseParts(raw).body, (_, value: unknown) =>
    typeof value === 'string' && /^[0-9]+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
  ) as Signable
}

function hashOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(createHash('sha256').update(bytes).digest())
}

function digest(given: string | Uint8Array): string {
  return `0x${createHash('sha256').update(given).digest('hex')}`
}

/** An adapter that offers energy, as that of TRON does. */
export function offering(
  adapter: ChainAdapter,
  offerEnergy: WindowAdapter['offerEnergy'],
): WindowAdapter {
  const model = { paymentModel: 'window', balancesAt: 'final-block' } as const
  const settledBalance = async () => null
  return { ...payingBy(adapter, 'nonce'), ...model, settledBalance, offerEnergy }
}
