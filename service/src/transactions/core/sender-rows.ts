import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import type { WalletPurpose } from '../../accounts/wallet-rows.ts'
import { iso, type Millis } from '../../base/clock.ts'
import type { Address } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import type { Sender } from './sender.ts'

interface SenderRow {
  chain_id: ChainId
  address: Address
  org_id: string
  purpose: WalletPurpose
  wallet_number: number
  path_index: number
  next_nonce: number
  halted_at: Millis | null
  halted_cause: string
}

export interface SenderKey {
  chainId: ChainId
  address: Address
}

const columns = sql`
           chain_id, address, org_id, purpose, wallet_number, path_index, next_nonce, halted_at,
           halted_cause`

/** A sender without a lock; null where the address has never sent. */
export async function selectSender(tx: Tx, key: SenderKey): Promise<Sender | null> {
  const row = await tx.maybe(sql<SenderRow>`
    select ${columns}
      from senders
     where chain_id = ${key.chainId}
       and address = ${key.address}`)
  return row === null ? null : fromRow(row)
}

/** Locks a sender until the transaction ends, so that no other step takes a nonce. */
export async function selectSenderForUpdate(tx: Tx, key: SenderKey): Promise<Sender | null> {
  const row = await tx.maybe(sql<SenderRow>`
    select ${columns}
      from senders
     where chain_id = ${key.chainId}
       and address = ${key.address}
       for update`)
  return row === null ? null : fromRow(row)
}

/** Whether anything was ever sent on a chain. */
export async function hasSenders(tx: Tx, chainId: ChainId): Promise<boolean> {
  const { found } = await tx.one(sql<{ found: boolean }>`
    select exists (
             select
               from senders
              where chain_id = ${chainId}) as found`)
  return found
}

/** The senders of a chain among these addresses. */
export async function selectSendersAmong(
  tx: Tx,
  { chainId, addresses }: { chainId: ChainId; addresses: readonly Address[] },
): Promise<Sender[]> {
  const rows = await tx.many(sql<SenderRow>`
    select ${columns}
      from senders
     where chain_id = ${chainId}
       and address = any(${addresses}::text[])
     order by address`)
  return rows.map(fromRow)
}

/** Which senders: of one chain or of all, halted ones alone, none of deposit addresses. */
export interface SenderFilter {
  chainId: ChainId | null
  halted?: boolean
  own?: boolean
}

/** Senders in the order of their keys. */
export async function selectSenders(
  tx: Tx,
  { chainId, halted = false, own = false }: SenderFilter,
): Promise<Sender[]> {
  const rows = await tx.many(sql<SenderRow>`
    select ${columns}
      from senders
     where (${chainId}::text is null or chain_id = ${chainId})
       and (not ${halted}::boolean or halted_at is not null)
       and (not ${own}::boolean or purpose <> 'deposit')
     order by chain_id, address`)
  return rows.map(fromRow)
}

/** Inserts a sender; false if it exists. */
export async function insertSender(
  tx: Tx,
  sender: Omit<Sender, 'haltedAt' | 'haltedCause'>,
): Promise<boolean> {
  const now = iso(tx.clock.now())
  const row = await tx.maybe(sql<{ address: Address }>`
    insert into senders (
           chain_id, address, org_id, purpose, wallet_number, path_index, next_nonce,
           created_at, updated_at)
    values (${sender.chainId}, ${sender.address}, ${sender.orgId}, ${sender.purpose},
            ${sender.walletNumber}, ${sender.pathIndex}, ${sender.nextNonce},
            ${now}::timestamptz, ${now}::timestamptz)
        on conflict (chain_id, address) do nothing
    returning address`)
  return row !== null
}

/**
 * Locks an organization's gas on a chain until the transaction ends, so that one step at a time
 * spends it, from any address.
 */
export async function lockGas(
  tx: Tx,
  { orgId, chainId }: { orgId: string; chainId: ChainId },
): Promise<void> {
  await tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended(${`gas ${orgId} ${chainId}`}, 0))`)
}

/** Advances the next nonce; false if it is not `from`. */
export async function moveNonce(
  tx: Tx,
  { chainId, address, from, to }: SenderKey & { from: number; to: number },
): Promise<boolean> {
  const moved = await tx.run(sql`
    update senders
       set next_nonce = ${to},
           updated_at = ${iso(tx.clock.now())}::timestamptz
     where chain_id = ${chainId}
       and address = ${address}
       and next_nonce = ${from}`)
  return moved === 1
}

/** Halts a sender; false if it was halted already: the first cause is kept. */
export async function haltRow(tx: Tx, halt: SenderKey & { cause: string }): Promise<boolean> {
  const now = iso(tx.clock.now())
  const halted = await tx.run(sql`
    update senders
       set halted_at = ${now}::timestamptz,
           halted_cause = ${halt.cause},
           updated_at = ${now}::timestamptz
     where chain_id = ${halt.chainId}
       and address = ${halt.address}
       and halted_at is null`)
  return halted === 1
}

/** Resumes a halted sender; false if it was not halted. */
export async function resumeRow(tx: Tx, key: SenderKey): Promise<boolean> {
  const resumed = await tx.run(sql`
    update senders
       set halted_at = null,
           halted_cause = '',
           updated_at = ${iso(tx.clock.now())}::timestamptz
     where chain_id = ${key.chainId}
       and address = ${key.address}
       and halted_at is not null`)
  return resumed === 1
}

function fromRow(row: SenderRow): Sender {
  return {
    chainId: row.chain_id,
    address: row.address,
    orgId: row.org_id,
    purpose: row.purpose,
    walletNumber: row.wallet_number,
    pathIndex: row.path_index,
    nextNonce: row.next_nonce,
    haltedAt: row.halted_at,
    haltedCause: row.halted_cause,
  }
}
