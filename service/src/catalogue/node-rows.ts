import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'

/** The state of a node when the scanner last queried it. */
export interface NodeRow {
  chainId: ChainId
  /** Place in the configuration, from 0. */
  position: number
  /** Scheme, host and port. */
  node: string
  state: 'serves' | 'wrong-chain' | 'unreachable'
  head: number | null
  latencyMs: Millis
  /** Empty if it serves the chain. */
  error: string
  checkedAt: Millis
}

/** Replaces the rows of a chain. */
export async function replaceNodes(
  tx: Tx,
  chainId: ChainId,
  nodes: readonly Omit<NodeRow, 'chainId' | 'position' | 'checkedAt'>[],
): Promise<void> {
  await tx.run(sql`
    delete from chain_nodes
     where chain_id = ${chainId}
       and position >= ${nodes.length}`)
  await tx.run(sql`
    insert into chain_nodes
      (chain_id, position, node, state, head, latency_ms, error, checked_at)
    select ${chainId}, n.at - 1, n.node, n.state, n.head, n.latency_ms, n.error,
           ${iso(tx.clock.now())}::timestamptz
      from unnest(
             ${nodes.map(({ node }) => node)}::text[],
             ${nodes.map(({ state }) => state)}::text[],
             ${nodes.map(({ head }) => head)}::bigint[],
             ${nodes.map(({ latencyMs }) => latencyMs)}::integer[],
             ${nodes.map(({ error }) => error)}::text[])
           with ordinality as n (node, state, head, latency_ms, error, at)
    on conflict (chain_id, position) do update
       set node = excluded.node,
           state = excluded.state,
           head = excluded.head,
           latency_ms = excluded.latency_ms,
           error = excluded.error,
           checked_at = excluded.checked_at`)
}

/** The nodes of all chains in the order of the configuration; for the operator. */
export function selectNodes(tx: Tx): Promise<NodeRow[]> {
  return tx.many(sql<NodeRow>`
    select chain_id as "chainId", position, node, state, head, latency_ms as "latencyMs", error,
           checked_at as "checkedAt"
      from chain_nodes
     order by chain_id, position`)
}

/** The nodes of a chain that answered as its nodes, of all, and the time of that query. */
export interface NodeCount {
  chainId: ChainId
  answering: number
  total: number
  checkedAt: Millis
}

/** The same for all chains; only columns that the API's role may read. */
export function selectNodeCounts(tx: Tx): Promise<NodeCount[]> {
  return tx.many(sql<NodeCount>`
    select chain_id as "chainId",
           (count(*) filter (where state = 'serves'))::int as answering,
           count(*)::int as total,
           max(checked_at) as "checkedAt"
      from chain_nodes
     group by chain_id`)
}
