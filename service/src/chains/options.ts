import type { ChainId } from '@sluice/wire'
import type { BlockRef } from './port.ts'

/** Which chain a node serves. `genesis` is pinned at the first contact (engineering, 16). */
export interface NodeIdentity {
  chainId: ChainId
  /**
   * The hash of the first block. EVM: `<height>:<hash>` of a later block when the node contacted
   * first no longer had the first one.
   */
  genesis: string
}

/** What was stored of a chain, for nodes that no longer have the block of `genesis`. */
export interface ChainPin {
  genesis: string
  /** A block of ours that is too old to be replaced; null when there is none. */
  kept: BlockRef | null
}

/** What one node answered to `identify`. */
export interface NodeReport {
  /** The node's address without credentials, path or query: safe to log. */
  node: string
  outcome:
    | { state: 'serves'; identity: NodeIdentity; head: number }
    | { state: 'wrong-chain'; expected: string; answered: string }
    | { state: 'unreachable'; reason: string }
}

/**
 * How internal native transfers are found: by whichever method the nodes have, by one of the two,
 * or not at all.
 */
export type TraceMode = 'auto' | 'trace' | 'debug' | 'off'

/**
 * `receipts` proves a block complete by its receipts; `logs` believes a trusted node (engineering,
 * 14).
 */
export type CompletenessMode = 'receipts' | 'logs'

/** One node of a chain. Credentials in the URL become a basic authorization header. */
export interface NodeOptions {
  url: string
  /** Where TRON's second interface, that of solid blocks, has an address of its own. */
  solidity?: string
  /** Where the node can be listened to by WebSocket (XRP Ledger). */
  ws?: string
  headers?: Readonly<Record<string, string>>
  /** Where the node writes user and password at each start (Bitcoin Core). */
  cookieFile?: string
}

export interface ChainOptions {
  chainId: ChainId
  /** In the order of preference. */
  nodes: readonly NodeOptions[]
  traces: TraceMode
  completeness: CompletenessMode
  /** For one exchange with a node, at most 10 s. */
  timeoutMs: number
  /**
   * TRON: the id of a block of a private network, the first or a later one, by which its nodes are
   * known; left out for the public networks.
   */
  genesis?: string
  /** Whether the chain names final blocks at all. */
  finalityTag: boolean
  /**
   * Whether the chain logs what its own transactions move of its coin (Polygon PoS); left out where
   * it does not.
   */
  logsOwnMoves?: boolean
  /** The smallest tip that the chain's pools accept, in wei per gas; left out for 0. EVM only. */
  tipFloor?: bigint
}
