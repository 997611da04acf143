import type { BitcoinChain } from '../bitcoin-chain.ts'
import { type BitcoinBlock, serializeBlock } from './block.ts'
import { checkScripts } from './check-scripts.ts'
import { type CheckScripts, Invalid } from './coins.ts'
import {
  blockJson,
  coins,
  confirmationsOf,
  headerJson,
  medianTime,
  scriptJson,
  transactionJson,
} from './json.ts'
import { type Pool, PoolRefusal } from './pool.ts'
import { ancestorsOf, childrenOf, descendantsOf } from './pool-rules.ts'
import { scriptOfAddress } from './scripts.ts'
import { type BitcoinTransaction, deserialize, txidOf, weightOf, wtxidOf } from './transaction.ts'
import type { Waiting } from './waiting.ts'

/** An error of a call, with Core's code. */
export class BitcoinFault extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

type Params = readonly unknown[]
type Method = (chain: BitcoinChain, params: Params) => unknown

/** Codes of Core's rpc/protocol.h. */
const MISC = -1
const WRONG_TYPE = -3
const NOT_FOUND = -5
const BAD_PARAMETER = -8
const BAD_BYTES = -22
const NOT_VERIFIED = -25
/** Satoshi a thousand virtual bytes: what is passed on, what a replacement adds, what is dust. */
const RELAY = 1_000n
const DUST = 3_000n
/** Core's DEFAULT_MAX_RAW_TX_FEE_RATE. */
const RATE_MAX = 10_000_000n
const SATOSHI = 1e8

/** The calls that a simulated node answers, in the shapes of Core 29. */
export const BITCOIN_METHODS: Readonly<Record<string, Method>> = {
  getblockchaininfo: (chain) => chainJson(chain),
  getblockcount: ({ tip }) => tip.height,
  getbestblockhash: ({ tip }) => tip.hash,
  getblockhash: (chain, [height]) => blockOfHeight(chain, height).hash,
  getblockheader: (chain, [hash, isVerbose = true]) => {
    const block = blockOfHash(chain, hash)
    return isVerbose === true ? headerJson(chain, block) : block.header.toString('hex')
  },
  getblock: (chain, [hash, verbosity = 1]) => {
    const block = blockOfHash(chain, hash)
    const level = Number(verbosity)
    return level === 0 ? serializeBlock(block).toString('hex') : blockJson(chain, block, level)
  },
  getrawtransaction: (chain, params) => findTransaction(chain, params),
  sendrawtransaction: (chain, [hex, maxRate]) => send(chain, parseTransaction(hex), maxRate),
  gettxout: (chain, params) => outputJson(chain, params),
  scantxoutset: (chain, [, scripts]) => scanCoins(chain, scripts),
  getrawmempool: ({ pool }, [isVerbose = false]) => {
    const ids = pool.all().map(({ txid }) => txid)
    return isVerbose === true ? Object.fromEntries(ids.map((id) => [id, entryJson(pool, id)])) : ids
  },
  getmempoolentry: ({ pool }, [txid]) => entryJson(pool, String(txid)),
  getmempoolinfo: ({ pool }) => ({
    loaded: true,
    size: pool.size,
    bytes: pool.all().reduce((total, { vsize }) => total + vsize, 0),
    mempoolminfee: coins(pool.least > RELAY ? pool.least : RELAY),
    minrelaytxfee: coins(RELAY),
    incrementalrelayfee: coins(RELAY),
    dustrelayfee: coins(DUST),
    unbroadcastcount: 0,
    fullrbf: true,
  }),
  getnetworkinfo: () => ({
    version: 290_400,
    subversion: '/Satoshi:29.4.0/',
    protocolversion: 70_016,
    networkactive: true,
    connections: 0,
    relayfee: coins(RELAY),
    incrementalfee: coins(RELAY),
    warnings: [],
  }),
  estimatesmartfee: ({ estimate }, [blocks]) =>
    estimate === null
      ? { errors: ['Insufficient data or no feerate found'], blocks: 0 }
      : { feerate: coins(estimate), blocks },
  generatetoaddress: (chain, [count, address]) => {
    const script = scriptOf(chain, address)
    return Array.from({ length: Number(count) }, () => chain.mine(script).hash)
  },
  generateblock: (chain, [address, wanted]) => generate(chain, address, wanted),
  invalidateblock: (chain, [hash]) => {
    chain.invalidate(blockOfHash(chain, hash))
    return null
  },
  reconsiderblock: (chain, [hash]) => {
    chain.reconsider(blockOfHash(chain, hash))
    return null
  },
}

function chainJson({ tip, network }: BitcoinChain) {
  return {
    chain: network.chain,
    blocks: tip.height,
    headers: tip.height,
    bestblockhash: tip.hash,
    difficulty: 4.656542373906925e-10,
    time: tip.time,
    mediantime: medianTime(tip),
    verificationprogress: 1,
    initialblockdownload: false,
    chainwork: ((tip.height + 1) * 2).toString(16).padStart(64, '0'),
    size_on_disk: 1,
    pruned: false,
    warnings: [],
  }
}

function blockOfHeight(chain: BitcoinChain, height: unknown): BitcoinBlock {
  if (typeof height !== 'number') throw new BitcoinFault(WRONG_TYPE, 'JSON value of type number')
  const block = chain.blockAt(height)
  if (block === undefined) throw new BitcoinFault(BAD_PARAMETER, 'Block height out of range')
  return block
}

function blockOfHash(chain: BitcoinChain, hash: unknown): BitcoinBlock {
  if (typeof hash !== 'string' || !/^[0-9a-fA-F]{64}$/.test(hash)) {
    throw new BitcoinFault(BAD_PARAMETER, `blockhash must be of length 64 (not ${String(hash)})`)
  }
  const block = chain.blockAt(hash.toLowerCase())
  if (block === undefined) throw new BitcoinFault(NOT_FOUND, 'Block not found')
  return block
}

function findTransaction(chain: BitcoinChain, [id, verbosity = 0, hash]: Params) {
  const txid = String(id)
  const level = Number(verbosity)
  const { kind } = chain.network
  if (hash === undefined || hash === null) {
    const waiting = chain.pool.get(txid)
    if (waiting === undefined) {
      const advice = 'Use -txindex or provide a block hash to enable blockchain transaction queries'
      throw new BitcoinFault(NOT_FOUND, `No such mempool transaction. ${advice}.`)
    }
    const json = transactionJson(waiting.transaction, kind, { spent: null, shows: false })
    return level === 0 ? json.hex : json
  }
  const block = blockOfHash(chain, hash)
  const rank = block.txids.indexOf(txid)
  const transaction = block.transactions[rank]
  if (transaction === undefined) {
    throw new BitcoinFault(NOT_FOUND, 'No such transaction found in the provided block.')
  }
  const spent = rank === 0 || level < 2 ? null : (block.undo[rank] ?? null)
  const json = transactionJson(transaction, kind, { spent, shows: level >= 2 })
  if (level === 0) return json.hex
  const confirmations = Math.max(confirmationsOf(chain, block), 0)
  return {
    in_active_chain: chain.isActive(block),
    ...json,
    blockhash: block.hash,
    confirmations,
    ...(confirmations === 0 ? {} : { time: block.time, blocktime: block.time }),
  }
}

function parseTransaction(hex: unknown): BitcoinTransaction {
  try {
    return deserialize(Buffer.from(String(hex), 'hex'))
  } catch {
    const why = 'TX decode failed. Make sure the tx has at least one input.'
    throw new BitcoinFault(BAD_BYTES, why)
  }
}

/** Core checks the rate first; 0 turns the check off. */
function send(chain: BitcoinChain, transaction: BitcoinTransaction, maxRate: unknown): string {
  const isBurnt = transaction.outputs.some(({ script, value }) => script[0] === 0x6a && value > 0n)
  if (isBurnt) {
    const why = 'Unspendable output exceeds maximum configured by user (maxburnamount)'
    throw new BitcoinFault(NOT_VERIFIED, why)
  }
  const most = typeof maxRate === 'number' ? BigInt(Math.round(maxRate * SATOSHI)) : RATE_MAX
  try {
    return chain.send(transaction, most === 0n ? undefined : most)
  } catch (error) {
    if (error instanceof PoolRefusal) throw new BitcoinFault(error.code, error.message)
    throw error
  }
}

function outputJson(chain: BitcoinChain, [txid, vout, countsWaiting = true]: Params) {
  const outpoint = `${String(txid)}:${String(vout)}`
  const { tip, pool, network } = chain
  if (countsWaiting === true && pool.spender(outpoint) !== undefined) return null
  const waiting = countsWaiting === true ? pool.get(String(txid)) : undefined
  const fresh = waiting?.transaction.outputs[Number(vout)]
  const coin = chain.coins.get(outpoint)
  const output = fresh ?? coin
  if (output === undefined) return null
  return {
    bestblock: tip.hash,
    confirmations: coin === undefined ? 0 : tip.height - coin.height + 1,
    value: coins(output.value),
    scriptPubKey: scriptJson(output.script, network.kind),
    coinbase: coin?.isCoinbase ?? false,
  }
}

/** `scantxoutset start [raw(script), …]`: every coin of these scripts. */
function scanCoins({ coins: all, tip }: BitcoinChain, scripts: unknown) {
  const wanted = new Set(
    (Array.isArray(scripts) ? scripts : []).map((one: unknown) => {
      return /^raw\(([0-9a-f]*)\)/.exec(String(one))?.[1]
    }),
  )
  const unspents = [...all.all()].flatMap(([outpoint, coin]) => {
    const scriptPubKey = coin.script.toString('hex')
    if (!wanted.has(scriptPubKey)) return []
    const [txid, vout] = outpoint.split(':')
    const { value, isCoinbase: coinbase, height } = coin
    return [{ txid, vout: Number(vout), scriptPubKey, amount: coins(value), coinbase, height }]
  })
  return { success: true, height: tip.height, bestblock: tip.hash, unspents }
}

function entryJson(pool: Pool, txid: string) {
  const waiting = pool.get(txid)
  if (waiting === undefined) throw new BitcoinFault(NOT_FOUND, 'Transaction not in mempool')
  const { vsize, fee, transaction } = waiting
  const ancestors = [waiting, ...ancestorsOf(pool, transaction).values()]
  const descendants = [...descendantsOf(pool, txid).values()]
  const feesOf = (family: readonly Waiting[]) => coins(sumOf(family, (one) => one.fee))
  const sizeOf = (family: readonly Waiting[]) => Number(sumOf(family, (one) => BigInt(one.vsize)))
  const parents = transaction.inputs.map((input) => input.txid)
  return {
    vsize,
    weight: weightOf(transaction),
    descendantcount: descendants.length,
    descendantsize: sizeOf(descendants),
    ancestorcount: ancestors.length,
    ancestorsize: sizeOf(ancestors),
    wtxid: wtxidOf(transaction),
    fees: {
      base: coins(fee),
      modified: coins(fee),
      ancestor: feesOf(ancestors),
      descendant: feesOf(descendants),
    },
    depends: [...new Set(parents)].filter((parent) => pool.get(parent) !== undefined),
    spentby: childrenOf(pool, txid),
    'bip125-replaceable': true,
    unbroadcast: false,
  }
}

function sumOf<T>(all: readonly T[], part: (one: T) => bigint): bigint {
  return all.reduce((sum, one) => sum + part(one), 0n)
}

function scriptOf(chain: BitcoinChain, address: unknown): Buffer {
  try {
    return scriptOfAddress(String(address), chain.network.kind)
  } catch {
    throw new BitcoinFault(NOT_FOUND, 'Error: Invalid address')
  }
}

/** Exactly these transactions, by id if they are in the pool or else by their bytes. */
function generate(chain: BitcoinChain, address: unknown, wanted: unknown) {
  const script = scriptOf(chain, address)
  if (!Array.isArray(wanted)) throw new BitcoinFault(WRONG_TYPE, 'transactions must be a list')
  const transactions = wanted.map((one: unknown) => {
    const text = String(one)
    if (text.length !== 64) return parseTransaction(text)
    const waiting = chain.pool.get(text)
    if (waiting === undefined)
      throw new BitcoinFault(NOT_FOUND, `Transaction ${text} not in mempool.`)
    return waiting.transaction
  })
  // Transactions of the pool were verified on arrival.
  const check: CheckScripts = (transaction, spent) => {
    const isKnown = chain.pool.get(txidOf(transaction)) !== undefined
    if (!isKnown) checkScripts(transaction, spent, 'mandatory')
  }
  try {
    return { hash: chain.mine(script, transactions, check).hash }
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw new BitcoinFault(NOT_VERIFIED, `TestBlockValidity failed: ${error.message}`)
  }
}

/** Code of all other errors. */
export const BITCOIN_MISC_ERROR = MISC
