import {
  answerEvm,
  type BlockNode,
  EvmChain,
  type Hex,
  readSigned,
  type Seeded,
  staleAnswer,
} from '@sluice/simulator'
import type { ChainId, TokenId } from '@sluice/wire'
import type { NodeCall } from '../doors.ts'
import { parseCalls } from '../parse-calls.ts'
import { EVM_DOLLAR, EVM_ROGUE, TOKENS } from '../tokens.ts'
import { EVM_TRICKS, type EvmTrick } from './evm-tricks.ts'
import type { Heard, Outgoing, SimChain, Target, TrueBlock, Truth } from './sim-chain.ts'

const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const TRANSFER_CALL = '0xa9059cbb'
const CALM_WEI = 10n ** 9n
const SENDS = 'eth_sendRawTransaction'
/** External contracts that accept payments until they start to refuse them. */
const MOODY = [1, 2, 3].map((nth) => `0x${'c0de'.repeat(9)}000${nth}`)
const MOODY_SHARE = 0.25
const MOODY_GAS = 4_000n

/** An EVM chain: block tree, pool and state of the simulator, and what its actors have done. */
export class EvmWorld implements SimChain {
  readonly id: ChainId
  readonly native: TokenId
  readonly tokens: readonly TokenId[]
  readonly required = 3
  readonly feeCap = 5n * 10n ** 16n
  readonly reorgs = true
  readonly digits = 18
  readonly mayRebuild = false
  readonly tricks = EVM_TRICKS.map(({ kind }) => kind)
  readonly urls: readonly string[]
  readonly chain: EvmChain
  readonly #truths = new Map<string, Truth>()
  /** Balance changes without a transaction, by block hash. */
  readonly #silent = new Map<string, { address: string; tokenId: string; by: bigint }[]>()
  #waitingSilent: { address: string; tokenId: string; by: bigint }[] = []
  readonly #left: Hex[] = []
  /** Recipients that refuse payments, now or earlier. */
  readonly #refusing = new Set<string>()
  #heard: Heard[] = []

  constructor(options: { id: ChainId; native: TokenId; seed: string; nodes: number }) {
    const { id, native, seed, nodes } = options
    const number = Number(id.split(':')[1])
    this.id = id
    this.native = native
    this.chain = new EvmChain({ chainId: number, seed })
    this.tokens = TOKENS.filter(({ chainId }) => chainId === id).map((token) => token.id)
    this.urls = Array.from({ length: nodes }, (_, at) => `http://evm-${number}-${at}.test`)
    const contracts = [
      { address: EVM_DOLLAR, symbol: 'TUSD', name: 'Test Dollar' },
      { address: EVM_ROGUE, symbol: 'ROGUE', name: 'Rogue Coin' },
    ]
    for (const contract of contracts) this.chain.deployToken({ ...contract, decimals: 6 })
    for (const address of MOODY) this.chain.setCode(address, { gas: MOODY_GAS, reverts: false })
    this.chain.setFinalizedDistance(null)
    this.chain.mine(3)
  }

  /** A nonce stays reserved without a time limit. */
  isOver(): boolean {
    return false
  }

  isDead({ reservation }: Heard): boolean {
    const [, from = '', nonce = ''] = /(0x[0-9a-f]+):(\d+)$/.exec(reservation) ?? []
    return this.chain.tree.countOf(from) > Number(nonce)
  }

  isListed(tokenId: string): boolean {
    return tokenId === this.native || this.tokens.some((id) => id === tokenId)
  }

  spell(address: string): string {
    return address.toLowerCase()
  }

  head(): { height: number; hash: string } {
    return this.chain.head()
  }

  branch(hash: string): Iterable<TrueBlock> | null {
    const first = this.chain.blockAt(hash)
    return first === undefined ? null : down(first)
  }

  balance(address: string, tokenId: string, hash: string): bigint {
    const block = this.chain.blockAt(hash)
    if (block === undefined) throw new Error(`there is no block ${hash}`)
    const contract = tokenId === this.native ? '' : contractOf(tokenId)
    return this.chain.tree.balance(`${contract}/${address}`, block)
  }

  deviation(address: string, tokenId: string, hash: string): bigint {
    let sum = 0n
    for (const block of this.branch(hash) ?? []) {
      const here = block.txns.flatMap((txn) => this.#truths.get(txn)?.deviations ?? [])
      for (const one of [...here, ...(this.#silent.get(block.hash) ?? [])])
        if (one.address === address && one.tokenId === tokenId) sum += one.by
    }
    return sum
  }

  truthOf(txnHash: string): Truth | null {
    return this.#truths.get(txnHash) ?? null
  }

  outgoing(hash: string, isOurs: (address: string) => boolean): readonly Outgoing[] {
    const block = this.chain.blockAt(hash)
    const found: Outgoing[] = []
    for (const { json, receipt } of block?.transactions ?? []) {
      if (!isOurs(json.from) || receipt.status !== '0x1' || this.#truths.has(json.hash)) continue
      const common = { txnHash: json.hash, from: json.from, tag: null }
      const value = BigInt(json.value)
      if (value > 0n)
        found.push({ ...common, to: json.to ?? '', tokenId: this.native, amount: value })
      for (const log of receipt.logs) {
        if (log.topics[0] !== TRANSFER_TOPIC) continue
        const to = `0x${(log.topics[2] ?? '').slice(26)}`
        const tokenId = this.#tokenOf(log.address)
        if (tokenId !== null) found.push({ ...common, to, tokenId, amount: BigInt(log.data) })
      }
    }
    return found
  }

  mine(blocks: number): void {
    for (let mined = 0; mined < blocks; mined += 1) {
      this.chain.mine(1)
      this.#noteSilent(this.chain.head())
    }
  }

  reorg(random: Seeded, depth: number): string {
    const { height, hash } = this.chain.head()
    if (height - depth < 3) return 'too early'
    const back = random.chance(0.15) ? this.#left.pop() : undefined
    this.#left.push(hash)
    if (back !== undefined && this.#mayReturn(back, Math.max(depth, this.required))) {
      this.chain.setHead(back)
      return 'back'
    }
    const keep = random.pick(['same', 'shuffled', 'none', 'same'] as const)
    for (let at = height - depth + 1; at <= height; at += 1)
      this.#sway(this.chain.blockAt(at)?.transactions.map(({ origin }) => origin) ?? [])
    this.chain.reorg({ depth, keep, extra: random.int(2) })
    this.#noteSilent(this.chain.blockAt(height - depth + 1))
    return `${depth} ${keep}`
  }

  /** Whether a return removes at most the allowed number of blocks: a branch may have grown. */
  #mayReturn(hash: Hex, depth: number): boolean {
    const { tree } = this.chain
    const { height } = tree.head
    const left = tree.find(hash)
    if (left === undefined || left.height <= height - 3) return false
    let fork = left
    while (fork.parent !== null && !tree.isOnChain(fork)) fork = fork.parent
    return height - fork.height <= depth
  }

  mood(random: Seeded): string {
    const address = random.pick(MOODY)
    const reverts = this.chain.codes.get(address)?.reverts === false
    this.chain.setCode(address, { gas: MOODY_GAS, reverts })
    if (reverts) this.#refusing.add(address)
    this.#sway(this.chain.pending)
    return `${address.slice(-4)} ${reverts ? 'refuses' : 'takes'} all`
  }

  mayRefuse({ recipient }: { recipient: string }): boolean {
    return this.#refusing.has(recipient)
  }

  market(random: Seeded): string {
    const gwei = random.pick([1, 3, 10, 40, 150, 600])
    this.chain.setBaseFee(BigInt(gwei) * 10n ** 9n)
    return `${gwei} gwei`
  }

  calm(): void {
    this.chain.setBaseFee(CALM_WEI)
  }

  pay({ address: to }: Target, tokenId: string, amount: bigint): Truth {
    const txnHash =
      tokenId === this.native
        ? this.chain.pay({ to, amount })
        : this.chain.payToken({ to, amount, token: contractOf(tokenId) })
    const credits = [{ to, tag: null, tokenId, amount }]
    return this.#keep({ txnHash, kind: 'pay', credits, deviations: [] })
  }

  trick(kind: string, { address: to }: Target, random: Seeded): Truth {
    const trick = EVM_TRICKS.find((one) => one.kind === kind)
    if (trick === undefined) throw new Error(`no trick ${kind}`)
    const ids = { native: this.native, dollar: this.#id(EVM_DOLLAR), rogue: this.#id(EVM_ROGUE) }
    const done: ReturnType<EvmTrick['play']> = trick.play({ chain: this.chain, to, random, ...ids })
    this.#waitingSilent.push(...(done.silent ?? []))
    const { txnHash, credits = [], deviations = [], isFalse = false } = done
    return this.#keep({ txnHash, kind, credits, deviations, isFalse })
  }

  stranger(random: Seeded): { recipient: string; memo: string | null } {
    const isMoody = random.chance(MOODY_SHARE)
    return { recipient: isMoody ? random.pick(MOODY) : `0x${random.hex(20)}`, memo: null }
  }

  takeHeard(): readonly Heard[] {
    const heard = this.#heard
    this.#heard = []
    return heard
  }

  forget(random: Seeded): string {
    const waiting = this.chain.pending.filter(({ gas }) => gas !== null)
    if (waiting.length === 0) return 'nothing'
    this.chain.drop(random.pick(waiting).hash)
    return 'one'
  }

  async answer(request: {
    path: string
    body: string
    stale: number
    liesOfChain: boolean
  }): Promise<{ status: number; body: string }> {
    const { calls, isBatch } = parseCalls(request.body)
    const replies: unknown[] = []
    for (const call of calls) {
      // A node that lags behind reports no final block that the chain does not have.
      const isOld = request.stale > 0 && call.method !== SENDS && call.params[0] !== 'finalized'
      const outcome = isOld
        ? await staleAnswer(async (one) => this.#ask(one), call, request.stale)
        : this.#ask(call)
      const lies = request.liesOfChain && call.method === 'eth_chainId'
      replies.push({ jsonrpc: '2.0', id: call.id, ...(lies ? { result: '0x3e7' } : outcome) })
    }
    return { status: 200, body: JSON.stringify(isBatch ? replies : replies[0]) }
  }

  describe({ body }: { body: string }): { text: string; sends: boolean } {
    const { calls } = parseCalls(body)
    const text = calls.map(({ method, params }) => `${method} ${JSON.stringify(params)}`).join(' ')
    return { text, sends: calls.some(({ method }) => method === SENDS) }
  }

  withoutLogs({ body }: { body: string }, answer: string): string | null {
    const { calls, isBatch } = parseCalls(body)
    const isLost = calls.some(({ method }) => /^eth_get(Logs|BlockReceipts)$/.test(method))
    if (!isLost || isBatch) return null
    const reply: Record<string, unknown> = Object(JSON.parse(answer))
    return JSON.stringify({ ...reply, result: [] })
  }

  #ask({ method, params }: NodeCall): ReturnType<typeof answerEvm> {
    if (method === SENDS) this.#heard.push(...this.readSigned(String(params[0]).slice(2)))
    return answerEvm(this.chain, method, params)
  }

  readSigned(hex: string): readonly Heard[] {
    const signed = readSigned(`0x${hex}`)
    const { hash: txnHash, from, nonce, gas, maxFee } = signed
    const isCall = signed.input.startsWith(TRANSFER_CALL)
    const tokenId = isCall ? this.#tokenOf(signed.to ?? '') : this.native
    const to = isCall ? `0x${signed.input.slice(34, 74)}` : (signed.to ?? '')
    const amount = isCall ? BigInt(`0x${signed.input.slice(74)}`) : signed.value
    const common = { txnHash, from, to, tag: null, tokenId: tokenId ?? signed.to ?? '', amount }
    const chainId = `eip155:${signed.chainId}`
    const reservation = `${chainId} ${from}:${nonce}`
    return [{ ...common, reservation, maxFee: gas * maxFee, chainId }]
  }

  /** The first new block has it: later blocks may be replaced, and it stays. */
  #noteSilent(first: { hash: string } | undefined): void {
    if (first === undefined || this.#waitingSilent.length === 0) return
    this.#silent.set(first.hash, this.#waitingSilent)
    this.#waitingSilent = []
  }

  /** The result of these payments in a future block depends on the recipients at that time. */
  #sway(transactions: EvmChain['pending']): void {
    for (const { plan } of transactions) {
      const code = this.chain.codes.get(plan.top.to)
      if (code !== undefined) plan.top.fails = code.reverts
    }
  }

  #keep(truth: Truth): Truth {
    if (truth.txnHash !== '') this.#truths.set(truth.txnHash, truth)
    return truth
  }

  #tokenOf(contract: string): TokenId | null {
    return this.tokens.find((id) => contractOf(id) === contract.toLowerCase()) ?? null
  }

  #id(contract: string): TokenId {
    const id = this.#tokenOf(contract)
    if (id === null) throw new Error(`${contract} is not listed`)
    return id
  }
}

function* down(first: BlockNode): Iterable<TrueBlock> {
  for (let block: BlockNode | null = first; block !== null; block = block.parent) {
    const txns = block.transactions.map(({ json }) => json.hash)
    yield { height: block.height, hash: block.hash, txns }
  }
}

function contractOf(tokenId: string): string {
  return tokenId.slice(tokenId.lastIndexOf(':') + 1).toLowerCase()
}
