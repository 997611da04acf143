import {
  answerTron,
  base58Of,
  fromHex,
  hex41Of,
  readTransaction,
  type Seeded,
  TronChain,
  tronWallet,
} from '@sluice/simulator'
import type { ChainId, TokenId } from '@sluice/wire'
import { TOKENS, TRON_DOLLAR } from '../tokens.ts'
import type { Credit, Heard, Outgoing, SimChain, Target, TrueBlock, Truth } from './sim-chain.ts'

const SOLID_LAG = 3
const CALM_ENERGY_FEE = 100n
const TRANSFER = 'a9059cbb'
const VAULT_SHARE = 0.15

type TronBlock = ReturnType<TronChain['head']>
type TronTransaction = ReturnType<typeof readTransaction>

/** A TRON chain: forks above solid blocks, expiry, energy, failures that look like payments. */
export class TronWorld implements SimChain {
  readonly id: ChainId
  readonly native: TokenId
  readonly tokens: readonly TokenId[]
  readonly required = SOLID_LAG
  readonly feeCap = 10n ** 8n
  readonly reorgs = true
  readonly digits = 9
  readonly mayRebuild = true
  readonly urls: readonly string[]
  readonly tricks = [
    'T01 failed',
    'T02 TRC-10 of that name',
    'T03 counterfeit',
    'T04 internal',
    'T04 rejected internal',
    'T01 failed, with its log',
    'T05 calldata of another contract',
    'B06 dust',
  ]
  readonly chain: TronChain
  readonly #truths = new Map<string, Truth>()
  /** All blocks ever made, by id. */
  readonly #blocks = new Map<string, TronBlock>()
  #heard: Heard[] = []
  #counterfeit: string | null = null
  /** A contract that rejects TRX. */
  readonly #vault: string
  readonly #now: () => number

  constructor(options: { id: ChainId; native: TokenId; nodes: number; now: () => number }) {
    const { id, native, nodes, now } = options
    this.id = id
    this.#now = now
    this.native = native
    this.tokens = TOKENS.filter(({ chainId }) => chainId === id).map((token) => token.id)
    this.urls = Array.from({ length: nodes }, (_, at) => `http://tron-${at}.test`)
    this.chain = new TronChain({ solidLag: SOLID_LAG, startTime: now() })
    this.chain.deployToken({
      name: 'Test Dollar',
      symbol: 'TUSD',
      decimals: 6,
      address: TRON_DOLLAR,
    })
    const vault = tronWallet('a vault').address
    const named = { name: 'Vault', symbol: 'VLT', decimals: 6 }
    this.#vault = this.chain.deployToken({ ...named, address: vault })
    this.mine(SOLID_LAG + 2)
  }

  /** A transaction that expired before the time of a solid block cannot be in a later block. */
  isOver({ reservation }: Heard): boolean {
    const [, expiration = ''] = /:(\d+) /.exec(reservation) ?? []
    return BigInt(expiration || 0) < BigInt(this.chain.solid().time)
  }

  isDead(one: Heard): boolean {
    return this.isOver(one)
  }

  isListed(tokenId: string): boolean {
    return tokenId === this.native || this.tokens.some((id) => id === tokenId)
  }

  spell(address: string): string {
    return address
  }

  head(): { height: number; hash: string } {
    const { height, id: hash } = this.chain.head()
    return { height, hash }
  }

  branch(hash: string): Iterable<TrueBlock> | null {
    const first = this.#blocks.get(hash)
    return first === undefined ? null : this.#down(first)
  }

  balance(address: string, tokenId: string, hash: string): bigint {
    const state = this.#blocks.get(hash)?.state
    if (state === undefined || state === null) throw new Error(`there is no state at ${hash}`)
    const holder = hex41Of(address)
    if (tokenId === this.native) return state.accounts.get(holder)?.balance ?? 0n
    return state.tokens.get(`${hex41Of(contractOf(tokenId))}/${holder}`) ?? 0n
  }

  deviation(): bigint {
    return 0n
  }

  truthOf(txnHash: string): Truth | null {
    return this.#truths.get(txnHash) ?? null
  }

  outgoing(hash: string, isOurs: (address: string) => boolean): readonly Outgoing[] {
    return (this.#blocks.get(hash)?.executed ?? []).flatMap(({ transaction, contractRet }) => {
      const payment = this.#payment(transaction)
      return isOurs(payment.from) && contractRet === 'SUCCESS' ? [payment] : []
    })
  }

  mine(blocks: number): void {
    this.chain.mine(blocks, this.#now())
    this.#note(blocks)
  }

  reorg(random: Seeded, wanted: number): string {
    const depth = Math.min(wanted, SOLID_LAG - 1)
    const { height } = this.chain.head()
    const keep = new Map<string, number>()
    for (let at = height - depth + 1; at <= height; at += 1)
      for (const { transaction } of this.chain.at(at)?.executed ?? []) {
        if (random.chance(0.8)) keep.set(transaction.id, at)
        else this.chain.known.delete(transaction.id)
      }
    this.chain.reorg({ depth, keep })
    this.#note(depth)
    return `${depth}, ${keep.size} stay`
  }

  mood(): string {
    return 'no holder on this chain'
  }

  mayRefuse({ recipient }: { recipient: string }): boolean {
    return recipient === this.#vault
  }

  market(random: Seeded): string {
    this.chain.params.energyFee = BigInt(random.pick([100, 210, 420]))
    return `${this.chain.params.energyFee} sun`
  }

  calm(): void {
    this.chain.params.energyFee = CALM_ENERGY_FEE
  }

  pay({ address: to }: Target, tokenId: string, amount: bigint): Truth {
    const credits = [{ to, tag: null, tokenId, amount }]
    return this.#keep('pay', credits, () =>
      tokenId === this.native
        ? this.chain.pay({ to, amount })
        : this.chain.payToken({ to, amount, token: contractOf(tokenId) }),
    )
  }

  trick(kind: string, { address: to }: Target, random: Seeded): Truth {
    const { chain, native: tokenId } = this
    const amount = BigInt(1 + random.int(9_999_999))
    const arrives = (by: bigint): Credit[] => [{ to, tag: null, tokenId, amount: by }]
    switch (kind) {
      case 'T01 failed':
        return this.#keep(kind, [], () => chain.failed({ to, amount }))
      case 'T02 TRC-10 of that name':
        return this.#keep(kind, [], () => chain.payAsset({ to, amount, name: 'TRX' }))
      case 'T03 counterfeit':
        return this.#keep(kind, [], () => chain.payToken({ to, amount, token: this.#fake() }))
      case 'T04 internal':
        return this.#keep(kind, arrives(amount), () => chain.payInternal({ to, amount }))
      case 'T04 rejected internal':
        return this.#keep(kind, [], () =>
          chain.runScript((from) => ({
            internals: [{ from, to: hex41Of(to), amount, rejected: true }],
          })),
        )
      case 'T01 failed, with its log':
        return this.#keep(kind, [], () => {
          const from = chain.faucet.address
          const log = chain.transferLog({ token: TRON_DOLLAR, from, to, amount })
          return chain.runScript(() => ({ result: 'REVERT', logs: [log] }))
        })
      case 'T05 calldata of another contract':
        return this.#keep(kind, [], () => {
          const data = `${TRANSFER}${wordOf(hex41Of(to).slice(2))}${wordOf(amount.toString(16))}`
          return chain.runScript(() => ({}), data)
        })
      default:
        return this.#keep(kind, arrives(1n), () => chain.pay({ to, amount: 1n }))
    }
  }

  stranger(random: Seeded): { recipient: string; memo: string | null } {
    const isVault = random.chance(VAULT_SHARE)
    const stranger = tronWallet(`stranger ${random.int(3)}`).address
    return { recipient: isVault ? this.#vault : stranger, memo: null }
  }

  takeHeard(): readonly Heard[] {
    const heard = this.#heard
    this.#heard = []
    return heard
  }

  forget(random: Seeded): string {
    const ours = [...this.chain.pool.keys()].filter((id) => !this.#truths.has(id))
    if (ours.length === 0) return 'nothing'
    const gone = random.pick(ours)
    this.chain.pool.delete(gone)
    this.chain.known.delete(gone)
    return 'one'
  }

  async answer(request: {
    path: string
    body: string
    stale: number
    liesOfChain: boolean
  }): Promise<{ status: number; body: string }> {
    const { transaction } = Object(request.body === '' ? {} : JSON.parse(request.body))
    if (SENDS.test(request.path) && typeof transaction === 'string')
      this.#heard.push(...this.readSigned(transaction))
    const genesis = request.liesOfChain ? 'f'.repeat(64) : null
    return answerTron(this.chain, request.path, request.body, { genesis, behind: request.stale })
  }

  describe({ path, body }: { path: string; body: string }): { text: string; sends: boolean } {
    return { text: `${path} ${body}`, sends: SENDS.test(path) }
  }

  withoutLogs({ path }: { path: string }): string | null {
    return path.endsWith('gettransactioninfobyblocknum') ? '[]' : null
  }

  readSigned(hex: string): readonly Heard[] {
    const transaction = readTransaction(fromHex(hex))
    const { id, feeLimit, expiration } = transaction
    const payment = this.#payment(transaction)
    const reservation = `${payment.from}:${expiration} ${id}`
    return [{ ...payment, reservation, maxFee: feeLimit, chainId: this.id }]
  }

  #payment({ id: txnHash, type, value }: TronTransaction): Outgoing {
    const from = base58Of(String(value['owner_address']))
    const common = { txnHash, from, tag: null }
    const data = String(value['data'] ?? '')
    if (type === 'TriggerSmartContract') {
      const contract = base58Of(String(value['contract_address']))
      const to = base58Of(`41${data.slice(32, 72)}`)
      const tokenId = this.tokens.find((id) => contractOf(id) === contract) ?? contract
      return { ...common, to, tokenId, amount: BigInt(`0x${data.slice(72) || '0'}`) }
    }
    const to = typeof value['to_address'] === 'string' ? base58Of(value['to_address']) : from
    const amount = typeof value['amount'] === 'bigint' ? value['amount'] : 0n
    return { ...common, to, tokenId: this.native, amount }
  }

  *#down(first: TronBlock): Iterable<TrueBlock> {
    for (
      let block: TronBlock | undefined = first;
      block !== undefined;
      block = this.#blocks.get(block.parentId)
    ) {
      const txns = block.executed.map(({ transaction }) => transaction.id)
      yield { height: block.height, hash: block.id, txns }
    }
  }

  #note(blocks: number): void {
    const { height } = this.chain.head()
    for (let at = Math.max(0, height - blocks - 1); at <= height; at += 1) {
      const block = this.chain.at(at)
      if (block !== null) this.#blocks.set(block.id, block)
    }
  }

  #fake(): string {
    this.#counterfeit ??= this.chain.deployToken({
      name: 'Test Dollar',
      symbol: 'TUSD',
      decimals: 6,
      address: tronWallet('counterfeiter').address,
    })
    return this.#counterfeit
  }

  #keep(kind: string, credits: readonly Credit[], send: () => string): Truth {
    const truth = { txnHash: send(), kind, credits, deviations: [] }
    this.#truths.set(truth.txnHash, truth)
    return truth
  }
}

const SENDS = /broadcast(hex|transaction)$/

function contractOf(tokenId: string): string {
  return tokenId.slice(tokenId.lastIndexOf(':') + 1)
}

function wordOf(hex: string): string {
  return hex.padStart(64, '0')
}
