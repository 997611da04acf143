import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import {
  blockHash,
  bloomOf,
  hashOfTransaction,
  receiptsRoot,
  transactionsRoot,
} from './evm/encodings.ts'
import { type EvmNode, startEvmNode } from './evm-node.ts'
import { rpcClient } from './rpc-client.ts'
import type { BlockJson, MinedTransactionJson, ReceiptJson } from './evm/shapes.ts'

/** Bodies of real blocks, kept beside the repository and not in it. */
const FIXTURES = fileURLToPath(new URL('../../../shared/fixtures/evm', import.meta.url))
const hasFixtures = existsSync(FIXTURES)
const suite = hasFixtures ? 'real blocks' : `real blocks (skipped: there is no ${FIXTURES})`

interface FlatTrace {
  type: string
  error?: string
  action: object
  result?: object | null
}

interface Frame {
  type: string
  calls?: Frame[]
}

type FullBlock = BlockJson & { transactions: MinedTransactionJson[] }

const D = '0x00000000000000000000000000000000000d0001'
const nodes: EvmNode[] = []
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.stop()))
})

async function simulated() {
  const node = await startEvmNode({ chainId: 1, seed: 1 })
  nodes.push(node)
  return { node, token: node.chain.deployToken({ symbol: 'USDT', name: 'Tether', decimals: 6 }) }
}

async function post(url: string, request: unknown): Promise<unknown> {
  const client = rpcClient(url)
  const { text } = await client.post(JSON.stringify(request))
  client.close()
  return JSON.parse(text)
}

/** The result in a stored answer, of the shape that its reader names. */
function read(path: string): { result: never } | null {
  const file = `${FIXTURES}/${path}`
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}

/** The form of each field: what kind of hex of which length, or which type. */
function formsOf(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(Object(value)).map(([key, field]) => [key, formOf(field)]),
  )
}

function formOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  if (typeof value !== 'string') return typeof value
  const lengths: Record<number, string> = { 18: 'nonce', 42: 'address', 66: 'word', 514: 'bloom' }
  // Quantities and data of any length look alike, and r and s lose a leading zero now and then.
  return /^0x[0-9a-f]*$/.test(value) ? (lengths[value.length] ?? 'hex') : 'text'
}

function framesIn(answers: unknown): Frame[] {
  const list: { result: Frame }[] = Object(answers)
  const under = (frame: Frame): Frame[] => [frame, ...(frame.calls ?? []).flatMap(under)]
  return list.flatMap(({ result }) => under(result))
}

/** Type, outcome and fields; a real tracer may omit an empty output. */
function formOfFrame(frame: Frame): string {
  const fields = Object.keys(frame).filter((key) => key !== 'output' && key !== 'calls')
  return `${frame.type} ${fields.toSorted().join()}`
}

/** Blocks of chains whose headers are Ethereum's own. */
const BLOCKS = ['ethereum', 'polygon'].flatMap((chain) => {
  if (!hasFixtures) return []
  const folders = readdirSync(`${FIXTURES}/${chain}`).filter((name) => /^\d+$/.test(name))
  return folders.map((folder) => `${chain}/${folder}`)
})

describe.skipIf(!hasFixtures)(suite, () => {
  const DEAD = ['totalDifficulty']
  const YOUNG = ['withdrawals', 'withdrawalsRoot', 'blobGasUsed', 'excessBlobGas', 'yParity']
  const YOUNGER = ['parentBeaconBlockRoot', 'requestsHash', 'creationMethod']
  const result = (path: string): unknown => read(path)?.result
  const SAMPLE = 'ethereum/15753009'

  /** Both have the same fields in the same forms, but for fields that came or went between them. */
  const expectLike = (ours: unknown, theirs: unknown) => {
    const known = new Set([...DEAD, ...YOUNG, ...YOUNGER])
    const [mine, real] = [formsOf(ours), formsOf(theirs)].map((forms) => {
      return Object.fromEntries(Object.entries(forms).filter(([key]) => !known.has(key)))
    })
    expect(mine).toEqual(real)
  }

  test('simulated blocks, receipts and logs have the fields and forms of real ones', async () => {
    const { node, token } = await simulated()
    node.chain.payToken({ token, to: D, amount: 1n })
    node.chain.pay({ to: D, amount: 1n, type: 0 })
    node.chain.mine()
    const block = await node.rpc<FullBlock>('eth_getBlockByNumber', ['0x1', true])
    const real: FullBlock = Object(result(`${SAMPLE}/eth_getBlockByNumber.json`))
    expectLike(block, real)
    for (const type of ['0x0', '0x2']) {
      const ofType = ({ transactions }: FullBlock) => transactions.find((one) => one.type === type)
      expectLike(ofType(block), ofType(real))
    }
    const receipts = await node.rpc<ReceiptJson[]>('eth_getBlockReceipts', ['0x1'])
    const realReceipts: ReceiptJson[] = Object(result(`${SAMPLE}/eth_getBlockReceipts.json`))
    expectLike(receipts[0], realReceipts[0])
    expectLike(receipts[0]?.logs[0], realReceipts.find(({ logs }) => logs.length > 0)?.logs[0])
  })

  test('the simulated callTracer has the frames of a real one', async () => {
    const { node, token } = await simulated()
    node.chain.batch([
      { token, to: D, amount: 1n },
      { to: D, amount: 1n },
    ])
    node.chain.payInternal({ to: D, amount: 1n, via: 'selfdestruct' })
    node.chain.payInternal({ to: D, amount: 1n, fails: true })
    node.chain.mine()
    const traced = ['0x1', { tracer: 'callTracer' }]
    const ours = framesIn(await node.rpc('debug_traceBlockByNumber', traced))
    const theirs = framesIn(result(`${SAMPLE}/debug_traceBlockByNumber.callTracer.json`))
    const formed = new Set(theirs.map(formOfFrame))
    for (const frame of ours) expect(formed).toContain(formOfFrame(frame))
    expect(ours.map(({ type }) => type).join(' ')).toBe(
      'CALL CALL CALL CREATE SELFDESTRUCT CALL CALL',
    )
  })

  test('the simulated trace_block has the traces of a real one', async () => {
    const { node } = await simulated()
    node.chain.payInternal({ to: D, amount: 1n, via: 'selfdestruct' })
    node.chain.failed({ to: D, amount: 1n })
    node.chain.mine()
    const ours: object[] = await node.rpc('trace_block', ['0x1'])
    const find = (file: string, wanted: (trace: FlatTrace) => boolean) => {
      const traces: FlatTrace[] = Object(result(`ethereum/trace_block/${file}.json`))
      return traces.find(wanted)
    }
    const real = [
      find('create', ({ type }) => type === 'create'),
      find('selfdestruct', ({ type }) => type === 'suicide'),
      find('error', ({ error }) => error !== undefined),
    ]
    for (const [index, trace] of ours.entries()) {
      expectLike(trace, real[index])
      expectLike(Object(trace).action, real[index]?.action)
      if (real[index]?.result) expectLike(Object(trace).result, real[index].result)
    }
    expect(ours).toHaveLength(real.length)
  })

  test('the simulated node answers unknown blocks and transactions like a real one', async () => {
    const { node } = await simulated()
    const pairs = [
      'BlockByHash.unknown',
      'BlockByNumber.unknown_block',
      'BlockReceipts.unknown_block',
    ]
    pairs.push('TransactionByHash.unknown', 'TransactionReceipt.unknown', 'Logs.empty')
    for (const name of pairs) {
      const file = `${FIXTURES}/ethereum/io/eth_get${name}.io.json`
      const { request, response } = JSON.parse(readFileSync(file, 'utf8'))
      expect(await post(node.url, request)).toEqual(response)
    }
  })

  test.each(BLOCKS)('%s has the hash and roots of our encodings', (folder) => {
    const body: { result: FullBlock } | null = read(`${folder}/eth_getBlockByNumber.json`)
    if (body === null) throw new Error(`no block in ${folder}`)
    const block = body.result
    expect(blockHash(block)).toBe(block.hash)
    expect(transactionsRoot(block.transactions)).toBe(block.transactionsRoot)
    for (const transaction of block.transactions) {
      expect(hashOfTransaction(transaction)).toBe(transaction.hash)
    }
    const told: { result: ReceiptJson[] } | null = read(`${folder}/eth_getBlockReceipts.json`)
    if (told === null) return
    const receipts = told.result
    expect(receiptsRoot(receipts)).toBe(block.receiptsRoot)
    expect(bloomOf(receipts.flatMap(({ logs }) => logs))).toBe(block.logsBloom)
    for (const { logs, logsBloom } of receipts) expect(bloomOf(logs)).toBe(logsBloom)
  })
})
