import type { ChainId, TokenId } from '@sluice/wire'
import { sql } from 'kysely'
import { iso } from '../base/clock.ts'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import type { Unattributed } from './unattributed.ts'

/** Identity of an unattributed transfer (decisions, section 1). */
export interface UnattributedIdentity {
  txnHash: string
  position: string
  address: Address
  tokenId: TokenId
}

/** A row of `unattributed_deposits`. */
export type UnattributedRow = Omit<Unattributed, 'block'> & {
  blockHeight: number
  blockHash: string
}

/** Inserts transfers; returns those with a new identity, in their order. */
export async function insertUnattributed(
  tx: Tx,
  parked: readonly Unattributed[],
): Promise<Unattributed[]> {
  const now = iso(tx.clock.now())
  const rows = await tx.many(sql<{ id: string }>`
    insert into unattributed_deposits (
           org_id, id, chain_id, txn_hash, position, token_id, address, tag, sender_address,
           amount, net_movement, block_height, block_hash, created_at, updated_at)
    select u.*, ${now}::timestamptz, ${now}::timestamptz
      from unnest(
           ${parked.map((p) => p.orgId)}::uuid[],
           ${parked.map((p) => p.id)}::uuid[],
           ${parked.map((p) => p.chainId)}::text[],
           ${parked.map((p) => p.txnHash)}::text[],
           ${parked.map((p) => p.position)}::text[],
           ${parked.map((p) => p.tokenId)}::text[],
           ${parked.map((p) => p.address)}::text[],
           ${parked.map((p) => p.tag)}::bigint[],
           ${parked.map((p) => p.senderAddress)}::text[],
           ${parked.map((p) => p.amount)}::numeric[],
           ${parked.map((p) => p.netMovement)}::numeric[],
           ${parked.map((p) => p.block.height)}::bigint[],
           ${parked.map((p) => p.block.hash)}::text[]) as u
        on conflict (chain_id, txn_hash, position, address, token_id) do nothing
    returning id`)
  const inserted = new Set(rows.map(({ id }) => id))
  return parked.filter(({ id }) => inserted.has(id))
}

/** The identities among these that are recorded as unattributed, in any state. */
export async function selectParked(
  tx: Tx,
  chainId: ChainId,
  identities: readonly UnattributedIdentity[],
): Promise<UnattributedIdentity[]> {
  return tx.many(sql<UnattributedIdentity>`
    select d.txn_hash as "txnHash", d.position, d.address, d.token_id as "tokenId"
      from unattributed_deposits d
      join unnest(
           ${identities.map((identity) => identity.txnHash)}::text[],
           ${identities.map((identity) => identity.position)}::text[],
           ${identities.map((identity) => identity.address)}::text[],
           ${identities.map((identity) => identity.tokenId)}::text[])
           as u (txn_hash, position, address, token_id)
     using (txn_hash, position, address, token_id)
     where d.chain_id = ${chainId}`)
}

/** Unassigned transfers, oldest first; of one organization unless null. */
export async function selectUnattributed(
  tx: Tx,
  { orgId, limit }: { orgId: string | null; limit: number },
): Promise<Unattributed[]> {
  const rows = await tx.many(sql<UnattributedRow>`
    select ${columns}
      from unattributed_deposits
     where state <> 'Assigned'
       and (${orgId}::uuid is null or org_id = ${orgId}::uuid)
     order by created_at, id
     limit ${limit}`)
  return rows.map(fromRow)
}

/** Locks an unattributed transfer of any organization; null if the id is unknown. */
export async function lockUnattributed(tx: Tx, id: string): Promise<Unattributed | null> {
  const row = await tx.maybe(sql<UnattributedRow>`
    select ${columns}
      from unattributed_deposits
     where id = ${id}
       for update`)
  return row === null ? null : fromRow(row)
}

/** Stores the proposal or the assignment of a locked transfer; guarded by its state. */
export async function moveUnattributed(
  tx: Tx,
  before: Unattributed,
  now: Pick<Unattributed, 'state' | 'externalUserId' | 'proposedBy' | 'assignedBy' | 'depositId'>,
): Promise<boolean> {
  const moved = await tx.run(sql`
    update unattributed_deposits
       set state = ${now.state},
           external_user_id = ${now.externalUserId},
           proposed_by = ${now.proposedBy},
           assigned_by = ${now.assignedBy},
           deposit_id = ${now.depositId}::uuid,
           updated_at = ${iso(tx.clock.now())}::timestamptz
     where org_id = ${before.orgId}
       and id = ${before.id}
       and state = ${before.state}`)
  return moved === 1
}

/** The columns of a row. */
export const columns = sql`
           org_id as "orgId", id, chain_id as "chainId", txn_hash as "txnHash", position,
           token_id as "tokenId", address, tag, sender_address as "senderAddress", amount,
           net_movement as "netMovement", block_height as "blockHeight",
           block_hash as "blockHash", state, external_user_id as "externalUserId",
           proposed_by as "proposedBy", assigned_by as "assignedBy", deposit_id as "depositId",
           created_at as "createdAt"`

/** The transfer of a row. */
export function fromRow({
  blockHeight: height,
  blockHash: hash,
  ...row
}: UnattributedRow): Unattributed {
  return { ...row, block: { height, hash } }
}
