import { answerBitcoin, type BitcoinChain } from '@sluice/simulator'
import { type NamedCall, parseCalls } from '../parse-calls.ts'

/** A node's view of a Bitcoin chain. */
export interface BitcoinView {
  /** Its age in blocks. */
  stale: number
  /** It is of another chain. */
  liesOfChain: boolean
}

interface Answer {
  status: number
  body: string
}

const OUT_OF_RANGE = { code: -8, message: 'Block height out of range' }
const NOT_FOUND = { code: -5, message: 'Block not found' }
const FIRST_OF_ANOTHER = 'f'.repeat(64)
/** The position of the block hash in the parameters of a call. */
const HASH_AT: Readonly<Record<string, number>> = {
  getblock: 0,
  getblockheader: 0,
  getrawtransaction: 2,
}

/** The answer of a node with this view. The mempool and spent outputs are always current. */
export function answerSeen(chain: BitcoinChain, body: string, view: BitcoinView): Answer {
  const { calls, isBatch } = parseCalls(body)
  const parsed: unknown = JSON.parse(body)
  const texts: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed]
  const answers = calls.map((call, at) => seen(chain, call, JSON.stringify(texts[at]), view))
  const [first] = answers
  if (!isBatch && first !== undefined) return first
  return { status: 200, body: `[${answers.map((one) => one.body).join(',')}]` }
}

function seen(chain: BitcoinChain, call: NamedCall, text: string, view: BitcoinView): Answer {
  const { id, method, params } = call
  const limit = Math.max(chain.tip.height - view.stale, 0)
  if (method === 'getblockhash') {
    if (params[0] === 0 && view.liesOfChain) return replyOf(id, { result: FIRST_OF_ANOTHER })
    if (Number(params[0]) > limit) return replyOf(id, { error: OUT_OF_RANGE })
  }
  const named = params[HASH_AT[method] ?? params.length]
  const height = typeof named === 'string' ? (chain.blockAt(named)?.height ?? 0) : 0
  if (height > limit) return replyOf(id, { error: NOT_FOUND })
  const answer = answerBitcoin(chain, text)
  if (view.stale === 0) return answer
  if (method === 'getblockchaininfo') return edited(answer, tipOf(chain, limit))
  if (method === 'getblockheader' && params[1] !== false)
    return edited(answer, { confirmations: limit - height + 1 })
  return answer
}

function tipOf(chain: BitcoinChain, height: number): Record<string, unknown> {
  const block = chain.blockAt(height)
  return { blocks: height, headers: height, bestblockhash: block?.hash, time: block?.time }
}

function edited({ status, body }: Answer, change: Record<string, unknown>): Answer {
  const { result, ...rest } = Object(JSON.parse(body))
  if (typeof result !== 'object' || result === null) return { status, body }
  return { status, body: JSON.stringify({ ...rest, result: { ...result, ...change } }) }
}

function replyOf(id: unknown, outcome: { result: unknown } | { error: unknown }): Answer {
  return { status: 200, body: JSON.stringify({ jsonrpc: '2.0', id, ...outcome }) }
}
