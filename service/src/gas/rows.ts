import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import { iso, type Millis } from '../base/clock.ts'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import type { TopUp, TopUpPlace, TopUpState } from './top-up.ts'

interface TopUpRow {
  org_id: string
  id: string
  chain_id: ChainId
  address: Address
  place: TopUpPlace
  amount: bigint
  state: TopUpState
  spend_id: string | null
  created_at: Millis
  updated_at: Millis
}

/** Inserts a top-up; false where the address has one under way. */
export async function insertTopUp(
  tx: Tx,
  topUp: Pick<TopUp, 'orgId' | 'id' | 'chainId' | 'address' | 'place' | 'amount'>,
): Promise<boolean> {
  const now = iso(tx.clock.now())
  const row = await tx.maybe(sql<{ id: string }>`
    insert into top_ups (
           org_id, id, chain_id, address, place, amount, state, created_at, updated_at)
    values (${topUp.orgId}, ${topUp.id}, ${topUp.chainId}, ${topUp.address}, ${topUp.place},
            ${topUp.amount}, 'Sent', ${now}::timestamptz, ${now}::timestamptz)
        on conflict (chain_id, address) where state = 'Sent' do nothing
    returning id`)
  return row !== null
}

/** Notes the spend that carries a top-up. */
export async function noteSpend(
  tx: Tx,
  row: { orgId: string; id: string; spendId: string },
): Promise<void> {
  await tx.run(sql`
    update top_ups
       set spend_id = ${row.spendId},
           updated_at = ${iso(tx.clock.now())}
     where org_id = ${row.orgId}
       and id = ${row.id}`)
}

/**
 * Guarded update of every state change. A top-up does not return to `Sent` if its address has
 * another one in progress.
 */
export async function moveTopUp(
  tx: Tx,
  update: {
    orgId: string
    id: string
    move: { from: readonly TopUpState[]; to: TopUpState }
  },
): Promise<TopUp | null> {
  const row = await tx.maybe(sql<TopUpRow>`
    update top_ups t
       set state = ${update.move.to},
           updated_at = ${iso(tx.clock.now())}
     where t.org_id = ${update.orgId}
       and t.id = ${update.id}
       and t.state = any(${update.move.from}::text[])
       and (${update.move.to} <> 'Sent'
            or not exists (
               select 1
                 from top_ups o
                where o.chain_id = t.chain_id
                  and o.address = t.address
                  and o.state = 'Sent'))
    returning *`)
  return row === null ? null : fromRow(row)
}

/** One top-up. */
export async function selectTopUp(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<TopUp | null> {
  const row = await tx.maybe(sql<TopUpRow>`
    select *
      from top_ups
     where org_id = ${orgId}
       and id = ${id}`)
  return row === null ? null : fromRow(row)
}

/** The addresses with a top-up in progress. */
export async function selectUnderWay(
  tx: Tx,
  { chainId, addresses }: { chainId: ChainId; addresses: readonly Address[] },
): Promise<Address[]> {
  const rows = await tx.many(sql<{ address: Address }>`
    select address
      from top_ups
     where chain_id = ${chainId}
       and address = any(${addresses}::text[])
       and state = 'Sent'`)
  return rows.map(({ address }) => address)
}

/** Whether a gas wallet was low at the last check; null before the first. */
export async function selectLevel(
  tx: Tx,
  { orgId, chainId }: { orgId: string; chainId: ChainId },
): Promise<boolean | null> {
  const row = await tx.maybe(sql<{ low: boolean }>`
    select low
      from gas_levels
     where org_id = ${orgId}
       and chain_id = ${chainId}
       for update`)
  return row?.low ?? null
}

/** Records the level of a gas wallet; true if it changed or is the first. */
export async function upsertLevel(
  tx: Tx,
  { orgId, chainId, low }: { orgId: string; chainId: ChainId; low: boolean },
): Promise<boolean> {
  const changed = await tx.run(sql`
    insert into gas_levels as g (org_id, chain_id, low, updated_at)
    values (${orgId}, ${chainId}, ${low}, ${iso(tx.clock.now())}::timestamptz)
        on conflict (org_id, chain_id) do update
       set low = excluded.low,
           updated_at = excluded.updated_at
     where g.low <> excluded.low`)
  return changed === 1
}

function fromRow(row: TopUpRow): TopUp {
  return {
    orgId: row.org_id,
    id: row.id,
    chainId: row.chain_id,
    address: row.address,
    place: row.place,
    amount: row.amount,
    state: row.state,
    spendId: row.spend_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
