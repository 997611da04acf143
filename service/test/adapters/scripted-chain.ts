import { expect, onTestFinished } from 'vitest'
import { Outage } from '../../src/base/fault.ts'
import { openLog } from '../../src/base/log.ts'
import type { ChainAdapter } from '../../src/chains/chain-adapter.ts'
import type { ChainOptions } from '../../src/chains/options.ts'
import { openChains } from '../../src/chains/registry.ts'
import { parseChain, parseHolder, parseToken } from './brands.ts'
import { addressOf, sampleBlock, transferLog } from './evm-sample.ts'
import type { Json, SampleTransaction } from './evm-sample.ts'
import { startScriptedNode } from './scripted-node.ts'
import type { Answer, ScriptedNode } from './scripted-node.ts'

export const BSC = parseChain('eip155:97')
export const TOKEN = addressOf(0x70ce)
export const TOKEN_ID = parseToken(`eip155:97/erc20:${TOKEN}`)
export const ETHER_ID = parseToken('eip155:97/slip44:60')
export const [A, D] = [addressOf(0xa), addressOf(0xd)]
export const HOLDER = parseHolder(BSC, D)
/** Pays an address coins and tokens, and runs code. */
export const CONTRACT_CALL: SampleTransaction = {
  transaction: { to: D, value: '0x5', gas: '0xffff', input: '0x01' },
  logs: [transferLog(TOKEN, A, D, 7n)],
}
/** A send of coins that runs no code. */
export const PLAIN: SampleTransaction = { transaction: { to: D, value: '0x6' } }

/** Answers of a node with this single block, at height 7. */
export function answersOf(samples: readonly SampleTransaction[], header: Json = {}) {
  const { block, receipts } = sampleBlock(samples, { number: '0x7', ...header })
  const genesis = sampleBlock([], { number: '0x0' }).block
  const blocks: Record<string, unknown> = { latest: block, '0x7': block, '0x0': genesis }
  const answers: Record<string, Answer> = {
    eth_chainId: () => '0x61',
    eth_getBlockByNumber: (tag: string) => blocks[tag] ?? null,
    eth_getBlockByHash: (hash: string) => (hash === block.hash ? block : null),
    eth_getBlockReceipts: () => receipts,
    eth_getTransactionReceipt: (hash: string) =>
      receipts.find(({ transactionHash }) => transactionHash === hash) ?? null,
    eth_getLogs: () => receipts.flatMap(({ logs }) => logs),
  }
  return { answers, block, receipts }
}

/** Both shapes of traces in which each transaction pays D from within. */
export function traceOf({ transactions, hash }: Json & { transactions: Json[] }) {
  const call = { type: 'CALL', from: A, to: D, value: '0x9' }
  return {
    calls: transactions.map((one) => ({
      txHash: one['hash'],
      result: { type: 'CALL', from: A, to: A, calls: [call] },
    })),
    frames: transactions.flatMap((one) =>
      [[], [0]].map((traceAddress) => ({
        type: 'call',
        blockHash: hash,
        transactionHash: one['hash'],
        traceAddress,
        action: { ...call, callType: 'call' },
      })),
    ),
  }
}

/** The adapter on nodes with these answers, with a fixed clock; closed after the test. */
export async function adapterOf(
  nodes: readonly Record<string, Answer>[],
  options: Partial<ChainOptions> = {},
) {
  let now = 1_000_000
  const started: ScriptedNode[] = []
  for (const answers of nodes) started.push(await startScriptedNode(answers))
  const lines: string[] = []
  const chains = openChains({
    chains: [
      {
        chainId: BSC,
        nodes: started.map(({ url }) => ({ url })),
        traces: 'off',
        completeness: 'receipts',
        timeoutMs: 5_000,
        finalityTag: true,
        ...options,
      },
    ],
    clock: { now: () => now, sleep: () => Promise.resolve() },
    random: { bytes: (length) => new Uint8Array(length), fraction: () => 0.5 },
    log: openLog({
      level: 'info',
      pretty: false,
      destination: { write: (line) => void lines.push(line) },
    }),
  })
  onTestFinished(async () => {
    await chains.close()
    for (const node of started) await node.stop()
  })
  const [adapter] = chains.all()
  const [node] = started
  if (!adapter || !node) throw new Error('a chain without nodes')
  return { adapter, node, nodes: started, lines, pass: (ms: number) => (now += ms) }
}

/** The scope of one listed token. */
export const scope = { tokens: [TOKEN_ID] }

/** Positions of what the block at height 7 moves. */
export const positions = async (adapter: ChainAdapter) =>
  (await adapter.blockAt({ height: 7 }, scope))?.transfers.map(({ position }) => position)

/** Expects an Outage. */
export const failing = (work: Promise<unknown>) => expect(work).rejects.toBeInstanceOf(Outage)
