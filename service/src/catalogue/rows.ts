import type { ChainId, TokenId } from '@sluice/wire'
import { type RawBuilder, sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { BlockRef } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import type { Queries } from '../store/queries.ts'

/** A row of `chain_states`. */
export interface ChainStateRow {
  chain_id: ChainId
  genesis: string
  start_height: number
  tip_height: number
  tip_hash: string
  head_height: number
  final_height: number | null
  final_hash: string | null
  condition: 'running' | 'frozen' | 'halted'
  condition_cause: string
  is_undoing: boolean
  tip_time: Millis
  updated_at: Millis
  reorg_height: number | null
  reorg_depth: number | null
  reorg_at: Millis | null
}

/** A row of `token_checks`. */
export interface TokenCheckRow {
  token_id: TokenId
  chain_id: ChainId
  state: 'pending' | 'verified' | 'mismatch' | 'unreachable'
  found: string
  suspended_at: Millis | null
  suspended_cause: string
  checked_at: Millis
}

/** The chains among these for which a condition on `chain.id` holds. */
export async function selectChainsWhere(
  tx: Tx,
  chainIds: readonly ChainId[],
  condition: RawBuilder<unknown>,
): Promise<ChainId[]> {
  const rows = await tx.many(sql<{ id: ChainId }>`
    select chain.id
      from unnest(${chainIds}::text[]) as chain (id)
     where ${condition}`)
  return rows.map(({ id }) => id)
}

export async function selectChainState(tx: Tx, chainId: string): Promise<ChainStateRow | null> {
  return tx.maybe(sql<ChainStateRow>`
    select *
      from chain_states
     where chain_id = ${chainId}`)
}

export async function selectChainStates(tx: Tx): Promise<ChainStateRow[]> {
  return tx.many(sql<ChainStateRow>`
    select *
      from chain_states
     order by chain_id`)
}

/** Returns false if the row exists. */
export async function insertChainState(
  tx: Tx,
  given: {
    chainId: ChainId
    genesis: string
    tip: BlockRef
    tipTime: Millis
    headHeight: number
    final: BlockRef | null
  },
): Promise<boolean> {
  const made = await tx.run(sql`
    insert into chain_states
      (chain_id, genesis, start_height, tip_height, tip_hash, head_height, final_height,
       final_hash, tip_time, updated_at)
    values
      (${given.chainId}, ${given.genesis}, ${given.tip.height}, ${given.tip.height},
       ${given.tip.hash}, ${given.headHeight}, ${given.final?.height ?? null},
       ${given.final?.hash ?? null}, ${iso(given.tipTime)}, ${iso(tx.clock.now())})
    on conflict (chain_id) do nothing`)
  return made === 1
}

/**
 * Compare-and-set of the cursor; false if it is at another block. A move back undoes blocks: moves
 * that follow each other are one reorg.
 */
export async function updateTip(
  tx: Tx,
  given: { chainId: ChainId; from: BlockRef; to: BlockRef; tipTime: Millis },
): Promise<boolean> {
  const undone = given.from.height - given.to.height
  const moved = await tx.run(sql`
    update chain_states
       set tip_height = ${given.to.height},
           tip_hash = ${given.to.hash},
           tip_time = ${iso(given.tipTime)},
           is_undoing = ${given.to.height < given.from.height},
           reorg_depth = case
             when ${undone} <= 0 then reorg_depth
             when reorg_height = ${given.from.height} then reorg_depth + ${undone}
             else ${undone} end,
           reorg_height = case
             when ${undone} <= 0 then reorg_height
             else ${given.to.height} end,
           reorg_at = case
             when ${undone} <= 0 then reorg_at
             else ${iso(tx.clock.now())}::timestamptz end,
           updated_at = ${iso(tx.clock.now())}
     where chain_id = ${given.chainId}
       and tip_height = ${given.from.height}
       and tip_hash = ${given.from.hash}`)
  return moved === 1
}

export async function updateUndoing(tx: Tx, chainId: ChainId): Promise<void> {
  await tx.run(sql`
    update chain_states
       set is_undoing = true,
           updated_at = ${iso(tx.clock.now())}
     where chain_id = ${chainId}`)
}

export async function updateHead(
  tx: Tx,
  given: { chainId: ChainId; headHeight: number; final: BlockRef | null; isUndoing: boolean },
): Promise<void> {
  await tx.run(sql`
    update chain_states
       set head_height = ${given.headHeight},
           is_undoing = ${given.isUndoing},
           final_height = ${given.final?.height ?? null},
           final_hash = ${given.final?.hash ?? null},
           updated_at = ${iso(tx.clock.now())}
     where chain_id = ${given.chainId}`)
}

/** Returns whether the condition changed; a halted chain is never made frozen. */
export async function updateCondition(
  tx: Tx,
  given: { chainId: string; condition: 'running' | 'frozen' | 'halted'; cause: string },
): Promise<boolean> {
  const changed = await tx.run(sql`
    update chain_states
       set condition = ${given.condition},
           condition_cause = ${given.cause},
           final_height = case when ${given.condition} = 'running' then null else final_height end,
           final_hash = case when ${given.condition} = 'running' then null else final_hash end,
           updated_at = ${iso(tx.clock.now())}
     where chain_id = ${given.chainId}
       and condition <> ${given.condition}
       and not (condition = 'halted' and ${given.condition} = 'frozen')`)
  return changed === 1
}

export async function selectTokenChecks(tx: Tx): Promise<TokenCheckRow[]> {
  return tx.many(sql<TokenCheckRow>`
    select *
      from token_checks
     order by token_id`)
}

/** `unreachable` does not replace an earlier answer. */
export async function upsertTokenCheck(
  tx: Tx,
  given: { tokenId: TokenId; chainId: ChainId; state: TokenCheckRow['state']; found: string },
): Promise<void> {
  await tx.run(sql`
    insert into token_checks as known
      (token_id, chain_id, state, found, checked_at)
    values
      (${given.tokenId}, ${given.chainId}, ${given.state}, ${given.found},
       ${iso(tx.clock.now())})
    on conflict (token_id) do update
       set state = excluded.state,
           found = excluded.found,
           checked_at = excluded.checked_at
     where excluded.state in ('verified', 'mismatch')
        or known.state in ('pending', 'unreachable')`)
}

/** Returns false if the token was suspended already. */
export async function upsertSuspension(
  tx: Tx,
  given: { tokenId: TokenId; chainId: ChainId; cause: string },
): Promise<boolean> {
  const now = iso(tx.clock.now())
  const suspended = await tx.run(sql`
    insert into token_checks as known
      (token_id, chain_id, state, suspended_at, suspended_cause, checked_at)
    values
      (${given.tokenId}, ${given.chainId}, 'pending', ${now}, ${given.cause}, ${now})
    on conflict (token_id) do update
       set suspended_at = excluded.suspended_at,
           suspended_cause = excluded.suspended_cause
     where known.suspended_at is null`)
  return suspended === 1
}

/** Returns false if the token was not suspended. */
export async function clearSuspension(tx: Tx, tokenId: TokenId): Promise<boolean> {
  const resumed = await tx.run(sql`
    update token_checks
       set suspended_at = null,
           suspended_cause = ''
     where token_id = ${tokenId}
       and suspended_at is not null`)
  return resumed === 1
}

/** Freezes every running chain, and returns their ids. */
export async function freezeRunning(
  session: Queries,
  given: { cause: string; now: Millis },
): Promise<ChainId[]> {
  const frozen = await session.many(sql<{ chain_id: ChainId }>`
    update chain_states
       set condition = 'frozen',
           condition_cause = ${given.cause},
           updated_at = ${iso(given.now)}
     where condition = 'running'
    returning chain_id`)
  return frozen.map(({ chain_id }) => chain_id).toSorted()
}
