import {
  bitcoinAddress,
  type BitcoinBlock,
  BitcoinChain,
  bitcoinKey,
  type BitcoinTransaction,
  bitcoinTxid,
  type KeyCoin,
  readBitcoinTransaction,
  scriptOfAddress,
  segwitAddress,
  type Seeded,
  signBitcoin,
} from '@sluice/simulator'
import type { ChainId, TokenId } from '@sluice/wire'
import { parseCalls } from '../parse-calls.ts'
import { answerSeen } from './bitcoin-view.ts'
import type { Credit, Heard, Outgoing, SimChain, Target, TrueBlock, Truth } from './sim-chain.ts'

const MATURITY = 101
/** Blocks on top of a coinbase before its outputs can be spent. */
const LOCKED_FOR = 100
const FIRST_BLOCKS = 145
const FAUCET_FEE = 20_000n
const CALM_RATE = 1_000n
const DUST = 546n
/** Script prefixes with an address here: P2WPKH and P2TR. */
const VERSIONS: ReadonlyMap<string, number> = new Map([
  ['0014', 0],
  ['5120', 1],
])

/** A Bitcoin chain: outputs, replacements, and branches; addresses of ours are P2WPKH or P2TR. */
export class BitcoinWorld implements SimChain {
  readonly id: ChainId
  readonly native: TokenId
  readonly tokens: readonly TokenId[] = []
  readonly required: number
  readonly feeCap = 10n ** 6n
  readonly reorgs = true
  readonly digits = 7
  /** Outputs are reserved instead of nonces; another check covers which. */
  readonly mayRebuild = true
  readonly urls: readonly string[]
  readonly tricks = [
    'B01 replaced',
    'B04 many outputs',
    'B05 coinbase',
    'B06 dust',
    'B08 not final',
  ]
  readonly chain: BitcoinChain
  readonly #faucet = bitcoinKey('the faucet of the simulation')
  readonly #truths = new Map<string, Truth>()
  /** Balances of each script after a block, by the block's hash. */
  readonly #held = new Map<string, ReadonlyMap<string, bigint>>()
  #heard: Heard[] = []

  constructor(options: {
    id: ChainId
    native: TokenId
    seed: string
    nodes: number
    required: number
  }) {
    const { id, native, seed, nodes, required } = options
    this.id = id
    this.native = native
    this.required = required
    this.urls = Array.from({ length: nodes }, (_, at) => `http://bitcoin-${at}.test`)
    this.chain = new BitcoinChain({ seed })
    this.calm()
    this.mine(FIRST_BLOCKS)
  }

  /** Any transaction that names an output may spend it. */
  isOver(): boolean {
    return false
  }

  /** An input of it neither exists nor can exist later. */
  isDead({ from }: Heard): boolean {
    return from.split(' ').some((point) => this.#valueOf(point) === null)
  }

  isListed(tokenId: string): boolean {
    return tokenId === this.native
  }

  spell(address: string): string {
    return address
  }

  head(): { height: number; hash: string } {
    return this.chain.tip
  }

  branch(hash: string): Iterable<TrueBlock> | null {
    const first = this.chain.blockAt(hash)
    return first === undefined ? null : down(first)
  }

  balance(address: string, _tokenId: string, hash: string): bigint {
    return this.#heldAt(hash).get(address) ?? 0n
  }

  deviation(): bigint {
    return 0n
  }

  truthOf(txnHash: string): Truth | null {
    return this.#truths.get(txnHash) ?? null
  }

  outgoing(hash: string, isOurs: (address: string) => boolean): readonly Outgoing[] {
    const block = this.chain.blockAt(hash)
    return (block?.transactions ?? []).flatMap((transaction, rank) => {
      const spent = block?.undo[rank] ?? []
      const from = spent.map(({ script }) => this.#address(script)).find((one) => isOurs(one))
      if (from === undefined) return []
      return this.#payments(transaction).map((one) => ({ ...one, from }))
    })
  }

  mine(blocks: number): void {
    for (let mined = 0; mined < blocks; mined += 1) this.chain.mine(this.#faucet.script)
  }

  reorg(random: Seeded, depth: number): string {
    const { height } = this.chain.tip
    const first = this.chain.blockAt(height - depth + 1)
    if (first === undefined || height - depth < FIRST_BLOCKS) return 'too early'
    this.chain.invalidate(first)
    const isBare = random.chance(0.3)
    // The first new block may be empty.
    if (isBare) this.chain.mine(this.#faucet.script, [])
    this.mine(depth + random.int(2) - (isBare ? 1 : 0))
    return `${depth}${isBare ? ' bare' : ''}`
  }

  mood(): string {
    return 'no holder on this chain'
  }

  /** Nodes pass no dust on. */
  mayRefuse({ amount }: { amount: bigint }): boolean {
    return amount < DUST
  }

  market(random: Seeded): string {
    const rate = BigInt(random.pick([1_000, 2_000, 8_000, 40_000]))
    this.chain.estimate = rate
    this.chain.minedFrom = random.chance(0.5) ? rate : rate / 2n
    return `${rate} a thousand bytes`
  }

  calm(): void {
    this.chain.estimate = CALM_RATE
    this.chain.minedFrom = 0n
  }

  pay({ address: to }: Target, tokenId: string, amount: bigint): Truth {
    return this.#keep('pay', [{ to, tag: null, tokenId, amount }])
  }

  trick(kind: string, { address: to }: Target, random: Seeded): Truth {
    const amount = BigInt(1_000 + random.int(9_999_999))
    const one: Credit = { to, tag: null, tokenId: this.native, amount }
    if (kind === 'B04 many outputs') return this.#keep(kind, [one, one, { ...one, amount: 5_000n }])
    if (kind === 'B06 dust') return this.#keep(kind, [{ ...one, amount: 546n }])
    if (kind === 'B08 not final') return this.#notFinal(kind, one)
    if (kind === 'B05 coinbase') return this.#mined(kind, one)
    const coin = this.#coin(amount + FAUCET_FEE)
    const first = this.#keep(kind, [one], { coin, fee: 2_000n })
    if (random.chance(0.7)) this.#keep(kind, [], { coin, fee: FAUCET_FEE * 2n })
    return first
  }

  stranger(random: Seeded): { recipient: string; memo: string | null } {
    const key = bitcoinKey(`stranger ${random.int(3)}`)
    return { recipient: bitcoinAddress(key, this.chain.network.kind), memo: null }
  }

  takeHeard(): readonly Heard[] {
    const heard = this.#heard
    this.#heard = []
    return heard
  }

  forget(): string {
    return 'nothing'
  }

  async answer(request: {
    body: string
    stale: number
    liesOfChain: boolean
  }): Promise<{ status: number; body: string }> {
    for (const { method, params } of parseCalls(request.body).calls)
      if (method === SENDS) this.#heard.push(...this.readSigned(String(params[0])))
    return answerSeen(this.chain, request.body, request)
  }

  describe({ body }: { body: string }): { text: string; sends: boolean } {
    const { calls } = parseCalls(body)
    const text = calls.map(({ method, params }) => `${method} ${JSON.stringify(params)}`).join(' ')
    return { text, sends: calls.some(({ method }) => method === SENDS) }
  }

  withoutLogs(): string | null {
    return null
  }

  readSigned(hex: string): readonly Heard[] {
    const transaction = readBitcoinTransaction(Buffer.from(hex, 'hex'))
    const inputs = transaction.inputs.map(({ txid, vout }) => `${txid}:${vout}`)
    const spent = inputs.map((point) => this.#valueOf(point))
    const known = spent.every((value) => value !== null)
    const paid = transaction.outputs.reduce((sum, { value }) => sum + value, 0n)
    const total = spent.reduce((sum: bigint, value) => sum + (value ?? 0n), 0n)
    const maxFee = known ? total - paid : 0n
    return this.#payments(transaction).map((one, at) => ({
      ...one,
      from: inputs.join(' '),
      reservation: `${one.txnHash}:${at}`,
      maxFee,
      chainId: this.id,
    }))
  }

  #valueOf(point: string): bigint | null {
    const [txid = '', vout = ''] = point.split(':')
    const waiting = this.chain.pool.get(txid)?.transaction.outputs[Number(vout)]
    return this.chain.coins.get(point)?.value ?? waiting?.value ?? null
  }

  #payments(transaction: BitcoinTransaction): Outgoing[] {
    const txnHash = bitcoinTxid(transaction)
    return transaction.outputs.map(({ value: amount, script }) => {
      const to = this.#address(script)
      return { txnHash, from: '', to, tag: null, tokenId: this.native, amount }
    })
  }

  #address(script: Buffer): string {
    const version = VERSIONS.get(script.subarray(0, 2).toString('hex'))
    if (version === undefined) return script.toString('hex')
    return segwitAddress(this.chain.network.kind.prefix, version, script.subarray(2))
  }

  /** By address, as users read it. */
  #heldAt(hash: string): ReadonlyMap<string, bigint> {
    const missing: BitcoinBlock[] = []
    let at = this.chain.blockAt(hash) ?? null
    while (at !== null && !this.#held.has(at.hash)) {
      missing.unshift(at)
      at = at.previous
    }
    let held: ReadonlyMap<string, bigint> =
      at === null ? new Map() : (this.#held.get(at.hash) ?? new Map())
    for (const block of missing) {
      held = this.#after(held, block)
      this.#held.set(block.hash, held)
    }
    return held
  }

  #after(held: ReadonlyMap<string, bigint>, block: BitcoinBlock): ReadonlyMap<string, bigint> {
    const next = new Map(held)
    const add = (script: Buffer, by: bigint) => {
      const address = this.#address(script)
      next.set(address, (next.get(address) ?? 0n) + by)
    }
    for (const { outputs } of block.transactions)
      for (const { script, value } of outputs) add(script, value)
    for (const { script, value } of block.undo.flat()) add(script, -value)
    return next
  }

  /** An unspent output of the faucet. */
  #coin(least: bigint): KeyCoin {
    const { coins, pool, tip } = this.chain
    for (const [point, { value, script, height, isCoinbase }] of coins.all()) {
      const isReady = !isCoinbase || tip.height + 1 - height >= MATURITY
      const isOurs = script.equals(this.#faucet.script) && value >= least
      if (!isReady || !isOurs || pool.spender(point) !== undefined) continue
      const [txid = '', vout = ''] = point.split(':')
      return { key: this.#faucet, txid, vout: Number(vout), value }
    }
    throw new Error('the faucet is dry')
  }

  #keep(
    kind: string,
    credits: readonly Credit[],
    options: { coin?: KeyCoin; fee?: bigint; lockTime?: number } = {},
  ): Truth {
    const total = credits.reduce((sum, { amount }) => sum + amount, 0n)
    const { fee = FAUCET_FEE, coin = this.#coin(total + fee), lockTime } = options
    const signed = signBitcoin({
      kind: this.chain.network.kind,
      coins: [coin],
      payees: credits.map(({ to, amount }) => ({ to, amount })),
      fee,
      ...(lockTime === undefined ? {} : { lockTime, sequence: 1 }),
    })
    const truth = { txnHash: signed.txid, kind, credits, deviations: [] }
    this.#truths.set(truth.txnHash, truth)
    try {
      this.chain.send(signed.transaction)
    } catch {
      // The pool refuses it: then no block will have it.
    }
    return truth
  }

  /** A miner names an account of ours as the recipient of a coinbase. */
  #mined(kind: string, credit: Credit): Truth {
    const block = this.chain.mine(scriptOfAddress(credit.to, this.chain.network.kind))
    const [coinbase] = block.transactions
    const amount = coinbase?.outputs[0]?.value ?? 0n
    const truth: Truth = {
      txnHash: block.txids[0] ?? '',
      kind,
      credits: [{ ...credit, amount }],
      deviations: [],
      lockedFor: LOCKED_FOR,
    }
    this.#truths.set(truth.txnHash, truth)
    return truth
  }

  #notFinal(kind: string, credit: Credit): Truth {
    return this.#keep(kind, [credit], { lockTime: this.chain.tip.height + 10_000 })
  }
}

const SENDS = 'sendrawtransaction'

function* down(first: BitcoinBlock): Iterable<TrueBlock> {
  for (let block: BitcoinBlock | null = first; block !== null; block = block.previous)
    yield { height: block.height, hash: block.hash, txns: block.txids }
}
