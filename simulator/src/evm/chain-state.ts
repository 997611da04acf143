import type { BlockTree } from './block-tree.ts'
import type { PendingTransaction } from './pending.ts'
import type { Code, Token } from './requests.ts'

/** The parts of a chain that its node, pool and calls read. */
export interface ChainState {
  readonly chainId: number
  readonly tree: BlockTree
  readonly tokens: ReadonlyMap<string, Token>
  readonly codes: ReadonlyMap<string, Code>
  readonly pending: readonly PendingTransaction[]
  readonly baseFee: bigint | null
  taggedHeight(tag: 'safe' | 'finalized'): number | null
}
