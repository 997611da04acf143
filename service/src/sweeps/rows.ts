import type { ChainId, SweepFailureCode, SweepWait, TokenId } from '@sluice/wire'
import { sql } from 'kysely'
import { iso, type Millis } from '../base/clock.ts'
import { selectChainsWhere } from '../catalogue/rows.ts'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import type { Sweep, SweepMove, SweepState } from './sweep.ts'

/** A row of `sweeps`. */
export interface SweepRow {
  org_id: string
  id: string
  chain_id: ChainId
  token_id: TokenId
  address: Address
  amount: bigint
  moved: bigint
  state: SweepState
  spend_id: string | null
  cause: string
  failure_code: SweepFailureCode | null
  waiting_for: SweepWait | null
  waiting_since: Millis | null
  created_at: Millis
  updated_at: Millis
}

/** Inserts waiting sweeps, except those whose address and token have an open one. */
export async function insertWaiting(
  tx: Tx,
  sweeps: readonly Pick<Sweep, 'orgId' | 'chainId' | 'tokenId' | 'address' | 'amount'>[],
): Promise<number> {
  const now = iso(tx.clock.now())
  return tx.run(sql`
    insert into sweeps (
           org_id, id, chain_id, token_id, address, amount, state, created_at, updated_at)
    select u.*, 'Waiting', ${now}::timestamptz, ${now}::timestamptz
      from unnest(
           ${sweeps.map((s) => s.orgId)}::uuid[],
           ${sweeps.map(() => tx.ids.next())}::uuid[],
           ${sweeps.map((s) => s.chainId)}::text[],
           ${sweeps.map((s) => s.tokenId)}::text[],
           ${sweeps.map((s) => s.address)}::text[],
           ${sweeps.map((s) => s.amount)}::numeric[]) as u
        on conflict (chain_id, address, token_id) where state in ('Waiting', 'Sent') do nothing`)
}

/** Sweeps of a chain that wait, those first that were looked at longest ago. */
export async function selectWaiting(
  tx: Tx,
  { chainId, limit }: { chainId: ChainId; limit: number },
): Promise<Sweep[]> {
  const rows = await tx.many(sql<SweepRow>`
    select *
      from sweeps
     where chain_id = ${chainId}
       and state = 'Waiting'
     order by updated_at, id
     limit ${limit}`)
  return rows.map(sweepFromRow)
}

/** The chains among these that have open sweeps. */
export function selectSweeping(tx: Tx, chainIds: readonly ChainId[]): Promise<ChainId[]> {
  const isOpen = sql`
    exists (
      select
        from sweeps s
       where s.chain_id = chain.id
         and s.state in ('Waiting', 'Sent'))`
  return selectChainsWhere(tx, chainIds, isOpen)
}

/** Sweeps that are on their way since before a time, the oldest first. */
export async function selectSent(
  tx: Tx,
  query: { chainId: ChainId; before: Millis; limit: number },
): Promise<Sweep[]> {
  const rows = await tx.many(sql<SweepRow>`
    select *
      from sweeps
     where chain_id = ${query.chainId}
       and state = 'Sent'
       and updated_at < ${iso(query.before)}::timestamptz
     order by updated_at, id
     limit ${query.limit}`)
  return rows.map(sweepFromRow)
}

/** Sweeps of these addresses that are open, on their way or not. */
export async function selectOpen(
  tx: Tx,
  { chainId, addresses }: { chainId: ChainId; addresses: readonly Address[] },
): Promise<Sweep[]> {
  const rows = await tx.many(sql<SweepRow>`
    select *
      from sweeps
     where chain_id = ${chainId}
       and address = any(${addresses}::text[])
       and state in ('Waiting', 'Sent')`)
  return rows.map(sweepFromRow)
}

/**
 * How many sweeps of a chain are open, by organization and token, and what those of them bring to
 * the settlement accounts that wait, or are on their way, for less than some time.
 */
export async function sumOpen(
  tx: Tx,
  { chainId, forMs }: { chainId: ChainId; forMs: Millis },
): Promise<{ orgId: string; tokenId: TokenId; amount: bigint; count: number }[]> {
  return tx.many(sql<{ orgId: string; tokenId: TokenId; amount: bigint; count: number }>`
    select org_id as "orgId", token_id as "tokenId", count(*)::int as count,
           coalesce(
             sum(amount) filter (
               where case state when 'Sent' then updated_at else created_at end
                     >= ${iso(tx.clock.now() - forMs)}::timestamptz),
             0)::numeric as amount
      from sweeps
     where chain_id = ${chainId}
       and state in ('Waiting', 'Sent')
     group by org_id, token_id`)
}

/** Failures of these addresses since a time, by token: how many, and the last of them. */
export async function selectFailures(
  tx: Tx,
  query: { chainId: ChainId; addresses: readonly Address[]; since: Millis },
): Promise<{ address: Address; tokenId: TokenId; failures: number; lastAt: Millis }[]> {
  return tx.many(sql<{ address: Address; tokenId: TokenId; failures: number; lastAt: Millis }>`
    select address, token_id as "tokenId", count(*)::int as failures, max(updated_at) as "lastAt"
      from sweeps
     where chain_id = ${query.chainId}
       and address = any(${query.addresses}::text[])
       and state = 'Failed'
       and updated_at >= ${iso(query.since)}::timestamptz
     group by address, token_id`)
}

/** Locks a waiting sweep; null if it is not waiting. */
export async function lockWaiting(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<Sweep | null> {
  const row = await tx.maybe(sql<SweepRow>`
    select *
      from sweeps
     where org_id = ${orgId}
       and id = ${id}
       and state = 'Waiting'
       for update`)
  return row === null ? null : sweepFromRow(row)
}

/** One sweep. */
export async function selectSweep(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<Sweep | null> {
  const row = await tx.maybe(sql<SweepRow>`
    select *
      from sweeps
     where org_id = ${orgId}
       and id = ${id}`)
  return row === null ? null : sweepFromRow(row)
}

/**
 * The guarded update behind every move. Back to `Sent` goes no sweep whose address and token have
 * another open one by now.
 */
export async function moveSweep(
  tx: Tx,
  update: {
    orgId: string
    id: string
    move: SweepMove
    cause?: string
    failureCode?: SweepFailureCode
    amount?: bigint
    moved?: bigint
  },
): Promise<Sweep | null> {
  const { move } = update
  const row = await tx.maybe(sql<SweepRow>`
    update sweeps s
       set state = ${move.to},
           cause = ${update.cause ?? ''},
           failure_code = ${update.failureCode ?? null},
           waiting_for = null,
           waiting_since = null,
           amount = coalesce(${update.amount ?? null}::numeric, s.amount),
           moved = coalesce(${update.moved ?? null}::numeric, s.moved),
           updated_at = ${iso(tx.clock.now())}
     where s.org_id = ${update.orgId}
       and s.id = ${update.id}
       and s.state = any(${move.from}::text[])
       and (${move.to} <> 'Sent'
            or not exists (
               select 1
                 from sweeps o
                where o.chain_id = s.chain_id
                  and o.address = s.address
                  and o.token_id = s.token_id
                  and o.id <> s.id
                  and o.state in ('Waiting', 'Sent')))
    returning *`)
  return row === null ? null : sweepFromRow(row)
}

/** Notes the spend that carries a sweep. */
export async function noteSpend(
  tx: Tx,
  row: { orgId: string; id: string; spendId: string },
): Promise<void> {
  await tx.run(sql`
    update sweeps
       set spend_id = ${row.spendId},
           updated_at = ${iso(tx.clock.now())}
     where org_id = ${row.orgId}
       and id = ${row.id}`)
}

/** Notes that waiting sweeps were looked at, so that others come first the next time. */
export async function touchWaiting(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.run(sql`
    update sweeps
       set updated_at = ${iso(tx.clock.now())}
     where id = any(${ids}::uuid[])
       and state = 'Waiting'`)
}

/** Records why waiting sweeps wait; their places in the queue stay. */
export async function noteWaits(
  tx: Tx,
  waits: readonly { id: string; waitingFor: SweepWait }[],
): Promise<void> {
  await tx.run(sql`
    update sweeps s
       set waiting_for = noted.waiting_for,
           waiting_since = ${iso(tx.clock.now())}
      from unnest(
             ${waits.map(({ id }) => id)}::uuid[],
             ${waits.map(({ waitingFor }) => waitingFor)}::text[]
           ) as noted (id, waiting_for)
     where s.id = noted.id
       and s.state = 'Waiting'
       and s.waiting_for is distinct from noted.waiting_for`)
}

/** Records that the waiting sweeps of a chain wait for it, or only those without a known reason. */
export async function noteStopped(
  tx: Tx,
  { chainId, isKnownKept }: { chainId: ChainId; isKnownKept: boolean },
): Promise<void> {
  await tx.run(sql`
    update sweeps
       set waiting_for = 'chain',
           waiting_since = ${iso(tx.clock.now())}
     where chain_id = ${chainId}
       and state = 'Waiting'
       and waiting_for is distinct from 'chain'
       and (waiting_for is null or not ${isKnownKept}::boolean)`)
}

/** The sweep of a row. */
export function sweepFromRow(row: SweepRow): Sweep {
  return {
    orgId: row.org_id,
    id: row.id,
    chainId: row.chain_id,
    tokenId: row.token_id,
    address: row.address,
    amount: row.amount,
    moved: row.moved,
    state: row.state,
    spendId: row.spend_id,
    cause: row.cause,
    failureCode: row.failure_code,
    waitingFor: row.waiting_for,
    waitingSince: row.waiting_since,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
