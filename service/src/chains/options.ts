import type { ChainId } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import type { BlockRef } from './port.ts'

/** Identity of a node. `genesis` is pinned at first contact (engineering, 16). */
export interface NodeIdentity {
  chainId: ChainId
  /**
   * The hash of the first block. EVM: `<height>:<hash>` of a later block if the first node that was
   * contacted had pruned it.
   */
  genesis: string
}

/** The stored identity of a chain, for nodes that have pruned the block of `genesis`. */
export interface ChainPin {
  genesis: string
  /** A stored block that is too old for a reorg; null before that. */
  kept: BlockRef | null
}

/** The answer of a node to `identify`. */
export interface NodeReport {
  /** Scheme, host and port of the node: safe to log. */
  node: string
  outcome:
    | { state: 'serves'; identity: NodeIdentity; head: number }
    | { state: 'wrong-chain'; expected: string; answered: string }
    | { state: 'unreachable'; reason: string }
  /** Duration of the query; 0 if it was not measured. */
  ms?: Millis
}

/** How internal native transfers are read: by any method of the nodes, by one of two, or not. */
export type TraceMode = 'auto' | 'trace' | 'debug' | 'off'

/** `receipts` proves a block complete by its receipts; `logs` trusts the node (engineering, 14). */
export type CompletenessMode = 'receipts' | 'logs'

/** One node of a chain. Credentials in the URL become a basic authorization header. */
export interface NodeOptions {
  url: string
  /** URL of TRON's interface for solid blocks, if it differs. */
  solidity?: string
  /** WebSocket URL for new ledgers (XRP Ledger). */
  ws?: string
  headers?: Readonly<Record<string, string>>
  /** File with user and password, rewritten at each start (Bitcoin Core). */
  cookieFile?: string
}

export interface ChainOptions {
  chainId: ChainId
  /** In the order of preference. */
  nodes: readonly NodeOptions[]
  traces: TraceMode
  completeness: CompletenessMode
  /** For one request to a node, at most 10 s. */
  timeoutMs: number
  /** TRON: id of any block of a private network, which identifies it; omitted on public ones. */
  genesis?: string
  /** Whether the chain has final blocks. */
  finalityTag: boolean
  /** Whether the chain logs native transfers of system transactions (Polygon PoS). */
  logsOwnMoves?: boolean
  /** Smallest tip that pools accept, in wei per gas (EVM); default 0. */
  tipFloor?: bigint
}
