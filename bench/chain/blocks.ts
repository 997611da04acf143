import {
  type HeaderJson,
  type Hex,
  type MinedReceiptJson,
  bloomOf,
  blockHash,
  encodeReceipt,
  fromHex,
  quantity,
  receiptsRoot,
  toHex,
  word,
} from '@sluice/simulator'
import { type Body, makeBody, transferLog } from './body.ts'
import {
  CHAIN,
  DEPOSITS_A_BLOCK,
  HASH_SKIP,
  type Payees,
  plannedDeposit,
  positionOf,
  strangerAddress,
  tailOf,
  transactionHash,
  watchedAddress,
} from './plan.ts'
import { ReceiptsTrie } from './receipts-trie.ts'
import { type Field, type Mark, Template } from './template.ts'

/** The stored part of each block; the rest is in the template of its kind and in the plan. */
interface Kept {
  hash: Hex
  parentHash: Hex
  receiptsRoot: Hex
  logsBloom: Hex
}

interface Kind {
  block: Template
  header: Template
  logs: Template
  receipts: Template
  receipt: (position: number) => Template
  trie: ReceiptsTrie
  receiptsOf: MinedReceiptJson[]
  /** The bloom of all logs that are the same in each block of the kind. */
  bloom: Uint8Array
}

const MARK: Hex = `0x${'b10c'.repeat(16)}`
const PARENT: Hex = `0x${'fa7e'.repeat(16)}`
const TIME_AT_ORIGIN = 1_700_000_000
const SECONDS_A_BLOCK = 12
/** The blocks and logs of a whole run of benchmark 1, and some more. */
const RENDERED_BYTES_MAX = 3_000_000_000
const TRANSACTIONS_ROOT: Hex = `0x${'7a'.repeat(32)}`

/**
 * The synthetic chain: forty bodies, made once; of each block only hashes, root and bloom. Parent
 * hashes chain, receipts roots and blooms are right; only the roots of transactions and state are
 * made up, which no client can check from these answers.
 */
export class Blocks {
  readonly #kinds: Kind[] = []
  readonly #kept: Kept[] = []
  readonly #heights = new Map<string, number>()
  readonly #patches = new Map<number, Map<Field, string>>()
  readonly #rendered = new Map<string, Buffer>()
  #renderedBytes = 0
  readonly #payees: Payees

  constructor({
    blocks,
    watched,
    offset = 0,
  }: { blocks: number; watched: number; offset?: number }) {
    if (watched < DEPOSITS_A_BLOCK) throw new Error('fewer addresses than deposits of a block')
    this.#payees = { watched, offset }
    const genesis = toHex(fromHex(`0x${'0'.repeat(62)}60`))
    this.#keep({ hash: genesis, parentHash: genesis, receiptsRoot: genesis, logsBloom: genesis })
    for (let height = CHAIN.origin + 1; height <= CHAIN.origin + blocks; height += 1) {
      this.#append(height)
    }
  }

  get last(): number {
    return CHAIN.origin + this.#kept.length - 1
  }

  has(height: number): boolean {
    return height >= CHAIN.origin && height <= this.last
  }

  heightOf(hash: string): number | null {
    return this.#heights.get(hash) ?? null
  }

  hashOf(height: number): Hex {
    return this.#at(height).hash
  }

  /**
   * The JSON of a node's answer for a block. It is cached while there is room: every side reads the
   * same blocks and must not wait for a busy node.
   */
  tell(what: 'block' | 'header' | 'logs' | 'receipts', height: number): Buffer {
    const key = `${what} ${height}`
    const kept = this.#rendered.get(key)
    if (kept !== undefined) return kept
    const made = this.#kind(height)[what].render(this.#values(height))
    if (this.#renderedBytes + made.length > RENDERED_BYTES_MAX) return made
    this.#renderedBytes += made.length
    this.#rendered.set(key, made)
    return made
  }

  /** A receipt alone. */
  receipt(height: number, position: number): Buffer {
    return this.#kind(height).receipt(position).render(this.#values(height))
  }

  #append(height: number): void {
    const kind = this.#kinds[height % CHAIN.bodies] ?? this.#makeKind(height)
    const bloom = Uint8Array.from(kind.bloom)
    for (let slot = CHAIN.nativeDeposits; slot < DEPOSITS_A_BLOCK; slot += 1) {
      const { position, token, recipient, amount } = plannedDeposit(height, slot, this.#payees)
      const receipt = kind.receiptsOf[position]
      if (receipt === undefined || token === null) throw new Error('no receipt for a deposit')
      const to = watchedAddress(recipient)
      const log = transferLog(token, strangerAddress(`payer ${slot}`), to, amount)
      const logsBloom = bloomOf([log])
      kind.trie.set(position, encodeReceipt({ ...receipt, logs: [{ ...log }], logsBloom }))
      fromHex(logsBloom).forEach((byte, at) => (bloom[at] = (bloom[at] ?? 0) | byte))
    }
    const header = {
      parentHash: this.#at(height - 1).hash,
      receiptsRoot: kind.trie.root(),
      logsBloom: toHex(bloom),
    }
    const hash = blockHash({ ...headerJson(height), ...header })
    this.#keep({ hash, ...header })
  }

  #keep(kept: Kept): void {
    this.#heights.set(kept.hash, CHAIN.origin + this.#kept.length)
    this.#kept.push(kept)
  }

  #at(height: number): Kept {
    const kept = this.#kept[height - CHAIN.origin]
    if (kept === undefined) throw new Error(`no block ${height}`)
    return kept
  }

  #kind(height: number): Kind {
    return this.#kinds[height % CHAIN.bodies] ?? this.#makeKind(height)
  }

  #makeKind(height: number): Kind {
    const body = makeBody(height, this.#payees)
    const marks = this.#marks(height, body)
    const marked = mark(body)
    const encoded = body.receipts.map(encodeReceipt)
    const trie = new ReceiptsTrie(encoded)
    const root = receiptsRoot(body.receipts)
    if (trie.root() !== root) throw new Error('the trie of the benchmark is wrong')
    const logs = marked.receipts.flatMap((receipt) => receipt.logs)
    const header = { ...headerJson(height), hash: MARK, size: '0x40000', uncles: [] }
    const full = { ...header, transactions: marked.transactions }
    const brief = { ...header, transactions: marked.transactions.map((one) => one.hash) }
    const receipt = new Map<number, Template>()
    const template = (value: unknown) => new Template(JSON.stringify(value), marks)
    const kind: Kind = {
      block: template(full),
      header: template(brief),
      logs: template(logs),
      receipts: template(marked.receipts),
      receipt: (position) => {
        const found = receipt.get(position) ?? template(marked.receipts[position])
        receipt.set(position, found)
        return found
      },
      trie,
      receiptsOf: body.receipts,
      bloom: fromHex(bloomOf(sharedLogs(body))),
    }
    this.#kinds[height % CHAIN.bodies] = kind
    return kind
  }

  /** The fields of a block as they stand in a template made from it. */
  #marks(height: number, { transactions }: Body): Map<Field, Mark[]> {
    const fields = this.#deposits(height, [
      ['hash', MARK],
      ['parentHash', PARENT],
      ['receiptsRoot', headerJson(height).receiptsRoot],
      ['logsBloom', headerJson(height).logsBloom],
      ['number', `"${quantity(height)}"`],
      ['time', `"${headerJson(height).timestamp}"`],
    ])
    const marks = new Map<Field, Mark[]>(fields.map(([name, text]) => [name, [{ text, skip: 0 }]]))
    const hashes = transactions.map(({ hash }) => ({ text: hash, skip: HASH_SKIP }))
    // Written first: the hashes of deposits are then written over whole.
    return new Map([['tail', hashes], ...marks])
  }

  #values(height: number): Map<Field, string> {
    const known = this.#patches.get(height)
    if (known !== undefined) return known
    const { hash, parentHash, receiptsRoot: root, logsBloom } = this.#at(height)
    const values = this.#deposits(height, [
      ['tail', tailOf(height)],
      ['hash', hash],
      ['parentHash', parentHash],
      ['receiptsRoot', root],
      ['logsBloom', logsBloom],
      ['number', `"${quantity(height)}"`],
      ['time', `"${headerJson(height).timestamp}"`],
    ])
    const patches = new Map(values)
    this.#patches.set(height, patches)
    return patches
  }

  #deposits(height: number, others: [Field, string][]): [Field, string][] {
    const fields = [...others]
    for (let slot = 0; slot < DEPOSITS_A_BLOCK; slot += 1) {
      const { position, recipient, amount, token } = plannedDeposit(height, slot, this.#payees)
      const to = watchedAddress(recipient)
      fields.push([`hash ${slot}`, transactionHash(height, position)])
      fields.push([`to ${slot}`, to.slice(2)])
      fields.push([`amount ${slot}`, token === null ? quantity(amount) : word(amount)])
      if (token === null) continue
      const log = transferLog(token, strangerAddress(`payer ${slot}`), to, amount)
      fields.push([`bloom ${slot}`, bloomOf([log])])
    }
    return fields
  }
}

/** The logs of all but the deposits. */
function sharedLogs({ receipts }: Body) {
  const deposits = new Set<number>()
  for (let slot = 0; slot < DEPOSITS_A_BLOCK; slot += 1) {
    deposits.add(positionOf(slot))
  }
  return receipts.filter((_, position) => !deposits.has(position)).flatMap(({ logs }) => logs)
}

/** With the block's hash as a mark that is found again in the text. */
function mark({ transactions, receipts }: Body): Body {
  return {
    transactions: transactions.map((one) => ({ ...one, blockHash: MARK })),
    receipts: receipts.map((one) => ({
      ...one,
      blockHash: MARK,
      logs: one.logs.map((log) => ({ ...log, blockHash: MARK })),
    })),
  }
}

function headerJson(height: number): HeaderJson {
  const zeros = (bytes: number): Hex => `0x${'00'.repeat(bytes)}`
  return {
    parentHash: PARENT,
    sha3Uncles: `0x${'1d'.repeat(32)}`,
    miner: strangerAddress('miner'),
    stateRoot: `0x${'57'.repeat(32)}`,
    transactionsRoot: TRANSACTIONS_ROOT,
    receiptsRoot: `0x${'4e'.repeat(32)}`,
    logsBloom: `0x${'b1'.repeat(256)}`,
    difficulty: '0x0',
    number: quantity(height),
    gasLimit: quantity(30_000_000),
    gasUsed: quantity(12_000_000),
    timestamp: quantity(TIME_AT_ORIGIN + (height - CHAIN.origin) * SECONDS_A_BLOCK),
    extraData: '0x',
    mixHash: zeros(32),
    nonce: zeros(8),
    baseFeePerGas: '0x3b9aca00',
  }
}
