import { decodeBalanceOf, encodeAnswer } from './contract.ts'
import { Blocks } from './blocks.ts'
import {
  CHAIN,
  DEPOSITS_A_BLOCK,
  type PlannedDeposit,
  TOKENS,
  placeOf,
  plannedDeposit,
  watchedAddress,
} from './plan.ts'

/** One request as it arrives. */
export interface RpcRequest {
  id: unknown
  method: string
  params: unknown[]
}

const METHOD_NOT_FOUND = -32601
const UNKNOWN_BLOCK = -32001

/**
 * The answers of a node that has all of them ready: blocks from memory, balances from the plan. Its
 * head can be set back and moved on, as if blocks were just made.
 */
export class CannedNode {
  readonly #blocks: Blocks
  readonly #chainId: number
  readonly #received = new Map<string, PlannedDeposit[]>()
  #head: number
  /** Called for each head that is reported for the first time. */
  onHead: (height: number) => void = () => undefined

  constructor(given: { blocks: number; watched: number; offset: number; chainId: number }) {
    this.#blocks = new Blocks(given)
    this.#chainId = given.chainId
    this.#head = this.#blocks.last
    for (let height = CHAIN.origin + 1; height <= this.#blocks.last; height += 1) {
      for (let slot = 0; slot < DEPOSITS_A_BLOCK; slot += 1) {
        const deposit = plannedDeposit(height, slot, given)
        const address = watchedAddress(deposit.recipient)
        const others = this.#received.get(address)
        if (others === undefined) this.#received.set(address, [deposit])
        else others.push(deposit)
      }
    }
  }

  setHead(height: number): void {
    this.#head = Math.min(height, this.#blocks.last)
  }

  get last(): number {
    return this.#blocks.last
  }

  /**
   * The body of an answer, to one request or to a batch, in parts: what is kept is not copied.
   */
  answer(request: unknown): Buffer[] {
    if (!Array.isArray(request)) return this.#one(asRequest(request))
    const parts = request.flatMap((one, at) => {
      const answered = this.#one(asRequest(one))
      return at > 0 ? [COMMA, ...answered] : answered
    })
    return [OPEN_LIST, ...parts, CLOSE_LIST]
  }

  #one({ id, method, params }: RpcRequest): Buffer[] {
    const name = JSON.stringify(id)
    switch (method) {
      case 'eth_chainId':
        return result(name, `"0x${this.#chainId.toString(16)}"`)
      case 'net_version':
        return result(name, `"${this.#chainId}"`)
      case 'eth_blockNumber':
        return result(name, `"0x${this.#head.toString(16)}"`)
      case 'eth_getBlockByNumber':
        return this.#block(name, this.#heightOf(params[0]), params[1] === true)
      case 'eth_getBlockByHash':
        return this.#block(name, this.#blocks.heightOf(String(params[0])), params[1] === true)
      case 'eth_getLogs':
        return this.#logs(name, params[0])
      case 'eth_getBlockReceipts':
        return this.#receipts(name, String(params[0]))
      case 'eth_getTransactionReceipt':
        return this.#receipt(name, String(params[0]))
      case 'eth_getBalance':
        return result(name, `"0x${this.#balance(params, null).toString(16)}"`)
      case 'eth_call':
        return this.#call(name, params)
      default:
        return failure(name, METHOD_NOT_FOUND, `the method ${method} does not exist`)
    }
  }

  #block(id: string, height: number | null, full: boolean): Buffer[] {
    if (height === 0) return result(id, GENESIS)
    if (height === null || height > this.#head || !this.#blocks.has(height)) {
      return result(id, 'null')
    }
    if (height === CHAIN.origin) return result(id, ORIGIN)
    if (full || height === this.#head) this.onHead(height)
    return result(id, this.#blocks.tell(full ? 'block' : 'header', height))
  }

  #logs(id: string, filter: unknown): Buffer[] {
    const { blockHash, fromBlock, toBlock } = asRecord(filter)
    if (typeof blockHash === 'string') {
      const height = this.#blocks.heightOf(blockHash)
      if (height === null) return failure(id, UNKNOWN_BLOCK, 'unknown block')
      return result(id, this.#blocks.tell('logs', height))
    }
    const first = Math.max(this.#heightOf(fromBlock) ?? 0, CHAIN.origin + 1)
    const last = Math.min(this.#heightOf(toBlock) ?? this.#head, this.#head)
    const parts: Buffer[] = []
    for (let height = first; height <= last; height += 1) {
      if (height > first) parts.push(COMMA)
      parts.push(this.#blocks.tell('logs', height).subarray(1, -1))
    }
    return result(id, OPEN_LIST, ...parts, CLOSE_LIST)
  }

  #receipts(id: string, at: string): Buffer[] {
    const height = at.length === 66 ? this.#blocks.heightOf(at) : this.#heightOf(at)
    if (height === null || height > this.#head) return failure(id, UNKNOWN_BLOCK, 'unknown block')
    return result(id, this.#blocks.tell('receipts', height))
  }

  /**
   * Hashes encode the place; those of strangers' transactions repeat in every block of their kind.
   */
  #receipt(id: string, hash: string): Buffer[] {
    const { height, position } = placeOf(hash)
    if (!this.#blocks.has(height)) return result(id, 'null')
    return result(id, this.#blocks.receipt(height, position))
  }

  #call(id: string, params: unknown[]): Buffer[] {
    const { to, data, input } = asRecord(params[0])
    const token = String(to).toLowerCase()
    const asked = decodeBalanceOf(String(data ?? input))
    if (asked !== null) {
      return result(id, `"${encodeAnswer(this.#balance([asked, params[1]], token))}"`)
    }
    const fact = encodeAnswer({
      token: TOKENS.findIndex((one) => one === token),
      data: String(data),
    })
    return fact === null ? failure(id, 3, 'execution reverted') : result(id, `"${fact}"`)
  }

  #balance([holder, at]: unknown[], token: string | null): bigint {
    const { blockHash } = asRecord(at)
    const height =
      typeof blockHash === 'string' ? this.#blocks.heightOf(blockHash) : this.#heightOf(at)
    const received = this.#received.get(String(holder).toLowerCase()) ?? []
    return received
      .filter((deposit) => deposit.token === token && deposit.height <= (height ?? 0))
      .reduce((sum, { amount }) => sum + amount, 0n)
  }

  #heightOf(tag: unknown): number | null {
    if (tag === 'latest' || tag === 'pending') return this.#head
    if (tag === 'earliest') return 0
    return typeof tag === 'string' && /^0x[0-9a-f]+$/.test(tag) ? Number(tag) : null
  }
}

const COMMA = Buffer.from(',')
const CLOSE = Buffer.from('}')
const OPEN_LIST = Buffer.from('[')
const CLOSE_LIST = Buffer.from(']')
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
const GENESIS = bareHeader(0, `0x${'9e'.repeat(32)}`)
/** The block under the chain: empty, with the hash that the first block names as its parent. */
const ORIGIN = bareHeader(CHAIN.origin, `0x${'0'.repeat(62)}60`)

function bareHeader(height: number, hash: string): Buffer {
  return Buffer.from(
    JSON.stringify({
      number: `0x${height.toString(16)}`,
      hash,
      parentHash: `0x${'00'.repeat(32)}`,
      timestamp: '0x6553f100',
      transactionsRoot: EMPTY_ROOT,
      receiptsRoot: EMPTY_ROOT,
      stateRoot: EMPTY_ROOT,
      logsBloom: `0x${'00'.repeat(256)}`,
      sha3Uncles: EMPTY_ROOT,
      miner: `0x${'00'.repeat(20)}`,
      difficulty: '0x0',
      gasLimit: '0x1c9c380',
      gasUsed: '0x0',
      extraData: '0x',
      mixHash: `0x${'00'.repeat(32)}`,
      nonce: `0x${'00'.repeat(8)}`,
      size: '0x200',
      uncles: [],
      transactions: [],
    }),
  )
}

function result(id: string, ...json: readonly (string | Buffer)[]): Buffer[] {
  const parts = json.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))
  return [Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":`), ...parts, CLOSE]
}

function failure(id: string, code: number, message: string): Buffer[] {
  return [
    Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(id), error: { code, message } })),
  ]
}

function asRequest(value: unknown): RpcRequest {
  const { id = null, method, params } = asRecord(value)
  return { id, method: String(method), params: Array.isArray(params) ? params : [] }
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
