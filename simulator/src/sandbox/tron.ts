import { renameSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hex41Of } from '../tron/base58.ts'
import { TronChain } from '../tron-chain.ts'
import { startTronNode } from '../tron-node.ts'
import type { SavedBlock } from '../tron/saved-block.ts'
import type { SandboxChain, SandboxToken } from './chains.ts'

/** A running chain of TRON, and the end of it. */
export interface TronSandbox {
  chain: SandboxChain
  stop(): Promise<void>
}

export const TRON_ID = 'tron:shasta'
/** The file that keeps the blocks from one start to the next. */
export const TRON_FILE = 'tron-blocks.json'
const USDT = {
  name: 'Tether USD',
  symbol: 'USDT',
  decimals: 6,
  // Its address in the catalogue, that of the real test network.
  address: 'TG3XXyExBkPp9nzdajDZsozEu4BkaSJozs',
}
const TOKENS: readonly SandboxToken[] = [
  { id: `${TRON_ID}/slip44:195`, chainId: TRON_ID, symbol: 'TRX', decimals: 6, address: null },
  { id: `${TRON_ID}/trc20:${USDT.address}`, chainId: TRON_ID, ...USDT },
]
const BLOCK_MS = 3_000
/** Blocks that make one below them solid: fewer than on the real network, to shorten waits. */
const SOLID_LAG = 3
const TRX = 1_000_000n

/** State that one start leaves to the next. */
interface Saved {
  startTime: number
  blocks: readonly SavedBlock[]
}

/** Starts a node, or continues its saved blocks; makes one every three seconds. */
export async function startTron({
  port,
  folder,
}: {
  port: number
  folder: string
}): Promise<TronSandbox> {
  const file = join(folder, TRON_FILE)
  const { startTime, blocks } = (await readSaved(file)) ?? { startTime: slot(), blocks: [] }
  const chain = new TronChain({ startTime, solidLag: SOLID_LAG })
  chain.deployToken(USDT)
  chain.replay(blocks)
  if (blocks.length === 0) chain.mine(SOLID_LAG)
  const node = await startTronNode({ chain, port })
  // A solid block is final: it is saved before clients can read it, and survives a kill.
  const save = () => {
    const saved: Saved = { startTime, blocks: chain.saved() }
    writeFileSync(`${file}.new`, JSON.stringify(saved))
    renameSync(`${file}.new`, file)
  }
  // A removed folder is reported at the stop, which saves once more.
  const keep = () => {
    try {
      save()
    } catch {
      return
    }
  }
  const ticking = setInterval(() => {
    chain.mine(1, slot())
    keep()
  }, BLOCK_MS)
  return {
    chain: chainOf(chain, keep),
    async stop() {
      clearInterval(ticking)
      await node.stop()
      save()
    },
  }
}

function chainOf(chain: TronChain, keep: () => void): SandboxChain {
  return {
    chainId: TRON_ID,
    tokens: TOKENS,
    get floor() {
      return chain.solid().height
    },
    bound: 'solid',
    anvil: null,
    gas: {
      low: 300n * TRX,
      full: 3_000n * TRX,
      endow: async (address, amount) => {
        chain.endow(address, amount)
        // The service corrects its ledger by the solid block.
        chain.mine(SOLID_LAG)
      },
    },
    payIn: async ({ token, address: to, amount }) => {
      const txnHash =
        token.address === null
          ? chain.pay({ to, amount })
          : chain.payToken({ to, amount, token: token.address })
      chain.mine()
      keep()
      const block = chain.blockOf(txnHash)
      if (block === null) throw new Error(`the payment ${txnHash} failed on the chain`)
      return { txnHash, blockNumber: block.height }
    },
    head: async () => chain.head().height,
    mine: async (blocks) => {
      chain.mine(blocks)
      keep()
    },
    reorg: async (depth) => {
      chain.reorg({ depth })
      keep()
    },
    holding: async (address, { address: token }) =>
      token === null ? chain.balance(address) : chain.tokens(token, address),
    isAddress: (text) => {
      try {
        return hex41Of(text).length > 0
      } catch {
        return false
      }
    },
  }
}

async function readSaved(file: string): Promise<Saved | null> {
  const text = await readFile(file, 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as Saved)
}

/** The beginning of the slot that it is now. */
function slot(): number {
  return Math.floor(Date.now() / BLOCK_MS) * BLOCK_MS
}
