import {
  answerXrpl,
  type Seeded,
  signXrpl,
  XrplChain,
  xrplHash,
  type XrplLedger,
  xrplWallet,
} from '@sluice/simulator'
import type { ChainId, TokenId } from '@sluice/wire'
import { decode } from 'ripple-binary-codec'
import type { Credit, Heard, Outgoing, SimChain, Target, TrueBlock, Truth } from './sim-chain.ts'

const CALM_FEE = 10n
const RICH_FEE = 10_000n
/** Seconds since 1970 of the first ledger: a little before the clock of a seed. */
const START_SECONDS = 1_767_220_000
const CLOSE_SECONDS = 4
const STRANGERS = [0, 1, 2].map((nth) => xrplWallet(`stranger ${nth}`))
/**
 * Flags of AccountSet by which an account refuses payments: without a tag, of XRP, of all senders.
 */
const FLAGS = [1, 3, 9] as const

type Fields = Record<string, unknown>

/** The XRP Ledger: one address for each organization, tags, Sequences, and no reorgs. */
export class XrplWorld implements SimChain {
  readonly id: ChainId
  readonly native: TokenId
  readonly tokens: readonly TokenId[] = []
  readonly required = 1
  readonly feeCap = 10n ** 6n
  readonly reorgs = false
  readonly digits = 8
  readonly mayRebuild = false
  readonly urls: readonly string[]
  readonly tricks = [
    'X01 partial payment',
    'X02 issued currency',
    'X02 multi-purpose token',
    'X03 no tag',
    'X04 unknown tag',
    'X04 tag 0',
    'X07 escrow',
    'X07 channel',
    'X05 failed payment',
  ]
  readonly chain: XrplChain
  readonly #truths = new Map<string, Truth>()
  /** Accounts that refuse some payments, now or earlier. */
  readonly #refusing = new Set<string>()
  readonly #fields = new Map<string, { fields: Fields; result: string }>()
  #heard: Heard[] = []

  constructor(options: { id: ChainId; native: TokenId; nodes: number }) {
    this.id = options.id
    this.native = options.native
    this.urls = Array.from({ length: options.nodes }, (_, at) => `http://xrpl-${at}.test`)
    let closes = 0
    const now = () => {
      closes += 1
      return START_SECONDS + closes * CLOSE_SECONDS
    }
    this.chain = new XrplChain({ now })
    this.chain.close(3)
  }

  /** One of the transactions with a Sequence uses it. */
  isOver(): boolean {
    return false
  }

  /** Its sequence is used, or its last ledger has passed. */
  isDead({ from, reservation, lastHeight = Infinity }: Heard): boolean {
    const next = this.chain.account(from)?.sequence ?? 0
    const [, kind = '', number = ''] = /:(t?)(\d+)$/.exec(reservation) ?? []
    return (kind === '' && Number(number) < next) || lastHeight <= this.head().height
  }

  isListed(tokenId: string): boolean {
    return tokenId === this.native
  }

  spell(address: string): string {
    return address
  }

  head(): { height: number; hash: string } {
    return this.chain.validated()
  }

  branch(hash: string): Iterable<TrueBlock> | null {
    const first = this.chain.ledgerOf(hash)
    if (first === undefined) return null
    const below = this.chain.ledgers.filter(({ height }) => height <= first.height)
    return below.toReversed().map(({ height, hash: own, transactions }) => ({
      height,
      hash: own,
      txns: transactions.map((one) => one.hash),
    }))
  }

  balance(address: string, _tokenId: string, hash: string): bigint {
    return this.#ledger(hash).accounts?.get(address)?.balance ?? 0n
  }

  deviation(): bigint {
    return 0n
  }

  truthOf(txnHash: string): Truth | null {
    const truth = this.#truths.get(txnHash)
    if (truth === undefined) return null
    const known = this.#fields.get(txnHash)
    return known?.result === 'tesSUCCESS' ? truth : { ...truth, credits: [] }
  }

  outgoing(hash: string, isOurs: (address: string) => boolean): readonly Outgoing[] {
    return this.#ledger(hash).transactions.flatMap((one): Outgoing[] => {
      const { fields, result } = this.#read(one)
      const from = String(fields['Account'])
      if (!isOurs(from) || result !== 'tesSUCCESS') return []
      return fields['TransactionType'] === 'Payment'
        ? [{ txnHash: one.hash, ...this.#payment(fields) }]
        : []
    })
  }

  mine(blocks: number): void {
    this.chain.close(blocks)
    for (const { transactions } of this.chain.ledgers.slice(-blocks))
      for (const one of transactions) this.#read(one)
  }

  reorg(): string {
    return 'never'
  }

  mood(random: Seeded): string {
    const wallet = random.pick(STRANGERS)
    const account = this.chain.account(wallet.address)
    if (account === undefined) return 'nobody there'
    const flag = random.pick(FLAGS)
    const isSet = account.flags !== 0
    const change = isSet ? FLAGS.map((ClearFlag) => ({ ClearFlag })) : [{ SetFlag: flag }]
    for (const [at, fields] of change.entries()) {
      const common = this.chain.fieldsFor(wallet.address)
      const Sequence = account.sequence + at
      const set = { ...common, ...fields, Sequence, TransactionType: 'AccountSet', Fee: '10000' }
      this.chain.submit(signXrpl(set, wallet))
    }
    this.#refusing.add(wallet.address)
    return `${wallet.address} ${isSet ? 'takes all' : `sets ${flag}`}`
  }

  /** A missing account accepts no less than its reserve. */
  mayRefuse({ recipient, amount }: { recipient: string; amount: bigint }): boolean {
    return this.#refusing.has(recipient) || amount < this.chain.fees.reserveBase
  }

  market(random: Seeded): string {
    this.chain.openFee = BigInt(random.pick([10, 12, 200, 5_000]))
    return `${this.chain.openFee} drops`
  }

  calm(): void {
    this.chain.openFee = CALM_FEE
  }

  pay({ address: to, tag }: Target, tokenId: string, amount: bigint): Truth {
    const credits = [{ to, tag, tokenId, amount }]
    return this.#keep('pay', credits, () => this.chain.pay({ to, amount, ...tagged(tag) }))
  }

  trick(kind: string, { address: to, tag }: Target, random: Seeded): Truth {
    const { chain, native: tokenId } = this
    const amount = BigInt(1 + random.int(9_999_999))
    const plain = { to, amount, ...tagged(tag) }
    const arrives = (by: bigint, with_: number | null = tag): Credit[] => [
      { to, tag: with_, tokenId, amount: by },
    ]
    switch (kind) {
      case 'X01 partial payment':
        return this.#keep(kind, arrives(7n), () => chain.payPartially({ ...plain, delivered: 7n }))
      case 'X02 issued currency':
        return this.#keep(kind, [], () => chain.payIssued({ to, ...tagged(tag), currency: 'USD' }))
      case 'X02 multi-purpose token':
        return this.#keep(kind, [], () => chain.payMpt({ to, ...tagged(tag) }))
      case 'X03 no tag':
        return this.#keep(kind, arrives(amount, null), () => chain.pay({ to, amount }))
      case 'X04 unknown tag':
        return this.#keep(kind, arrives(amount, 7), () => chain.pay({ to, amount, tag: 7 }))
      case 'X04 tag 0':
        return this.#keep(kind, arrives(amount, 0), () => chain.pay({ to, amount, tag: 0 }))
      case 'X07 escrow':
        return this.#keep(kind, arrives(amount), () => chain.finishEscrow(plain))
      case 'X07 channel':
        return this.#keep(kind, arrives(amount), () => chain.claimChannel(plain))
      default:
        return this.#keep(kind, [], () => chain.payInVain(plain))
    }
  }

  stranger(random: Seeded): { recipient: string; memo: string | null } {
    const { address } = random.pick(STRANGERS)
    const tag = random.chance(0.2) ? 0 : random.int(100_000)
    return { recipient: address, memo: random.chance(0.5) ? String(tag) : null }
  }

  takeHeard(): readonly Heard[] {
    const heard = this.#heard
    this.#heard = []
    return heard
  }

  forget(random: Seeded): string {
    const ours = this.chain.waiting.filter((hash) => !this.#truths.has(hash))
    if (ours.length === 0) return 'nothing'
    const gone = random.pick(ours)
    this.chain.forget((hash) => hash === gone)
    return 'one'
  }

  async answer(request: {
    body: string
    stale: number
    liesOfChain: boolean
  }): Promise<{ status: number; body: string }> {
    const { fields, sends } = callIn(request.body)
    if (sends) this.#heard.push(...this.readSigned(String(fields['tx_blob'])))
    const kept = this.chain.unvalidated
    if (!sends)
      this.chain.unvalidated = Math.min(kept + request.stale, this.chain.ledgers.length - 2)
    try {
      const networkId = request.liesOfChain ? 999 : undefined
      return answerXrpl(this.chain, request.body, { networkId })
    } finally {
      this.chain.unvalidated = kept
    }
  }

  describe({ body }: { body: string }): { text: string; sends: boolean } {
    const { sends } = callIn(body)
    return { text: body, sends }
  }

  withoutLogs(_request: unknown, answer: string): string | null {
    const reply: { result?: { ledger?: { transactions?: unknown } } } = Object(JSON.parse(answer))
    if (reply.result?.ledger?.transactions === undefined) return null
    const { ledger } = reply.result
    return JSON.stringify({
      ...reply,
      result: { ...reply.result, ledger: { ...ledger, transactions: [] } },
    })
  }

  readSigned(hex: string): readonly Heard[] {
    const blob = hex.toUpperCase()
    const fields: Fields = decode(blob)
    const ticket = fields['TicketSequence']
    const number = ticket === undefined ? fields['Sequence'] : `t${Number(ticket)}`
    const reservation = `${String(fields['Account'])}:${String(number)}`
    const payment = this.#payment(fields)
    const maxFee = BigInt(String(fields['Fee']))
    const lastHeight = Number(fields['LastLedgerSequence'] ?? Infinity)
    const common = { ...payment, reservation, maxFee, chainId: this.id, lastHeight }
    return [{ txnHash: xrplHash(blob), ...common }]
  }

  /** A transaction that is not a payment pays nothing to its sender. */
  #payment(fields: Fields): Omit<Outgoing, 'txnHash'> {
    const from = String(fields['Account'])
    const tag = fields['DestinationTag']
    return {
      from,
      to: typeof fields['Destination'] === 'string' ? fields['Destination'] : from,
      tag: typeof tag === 'number' ? `${tag}` : null,
      tokenId: this.native,
      amount: typeof fields['Amount'] === 'string' ? BigInt(fields['Amount']) : 0n,
    }
  }

  #read({ hash, blob, meta }: XrplLedger['transactions'][number]) {
    const known = this.#fields.get(hash)
    if (known !== undefined) return known
    const { TransactionResult: result } = Object(decode(meta))
    const read = { fields: decode(blob), result: String(result) }
    this.#fields.set(hash, read)
    return read
  }

  #ledger(hash: string): XrplLedger {
    const ledger = this.chain.ledgerOf(hash)
    if (ledger === undefined) throw new Error(`there is no ledger ${hash}`)
    return ledger
  }

  #keep(kind: string, credits: readonly Credit[], send: () => string): Truth {
    const { fees } = this.chain
    const { baseFee } = fees
    // Actors pay any fee to be in the next ledger.
    fees.baseFee = RICH_FEE
    try {
      const truth = { txnHash: send(), kind, credits, deviations: [] }
      this.#truths.set(truth.txnHash, truth)
      return truth
    } finally {
      fees.baseFee = baseFee
    }
  }
}

function tagged(tag: number | null): { tag?: number } {
  return tag === null ? {} : { tag }
}

function callIn(body: string): { fields: Fields; sends: boolean } {
  const { method, params } = Object(JSON.parse(body))
  const fields: Fields = Object(Array.isArray(params) ? params[0] : undefined)
  return { fields, sends: method === 'submit' }
}
