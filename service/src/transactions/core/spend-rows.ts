import type { ChainId, TokenId } from '@sluice/wire'
import { sql } from 'kysely'
import { iso, type Millis } from '../../base/clock.ts'
import type { Address, BlockRef } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import { type Purpose, SENDS, type Spend, type SpendState } from './spend.ts'

interface SpendRow {
  org_id: string
  id: string
  chain_id: ChainId
  purpose: Purpose
  subject_id: string
  sender: Address
  nonce: number
  ticket: boolean
  tickets: number
  token_id: TokenId
  recipient: Address
  amount: bigint
  state: SpendState
  max_fee: bigint
  txn_hash: string
  succeeded: boolean | null
  fee: bigint | null
  block_height: number | null
  block_hash: string | null
  settled_at: Millis | null
  created_at: Millis
  updated_at: Millis
}

const columns = sql`
           org_id, id, chain_id, purpose, subject_id, sender, nonce, ticket, tickets, token_id,
           recipient, amount, state, max_fee, txn_hash, succeeded, fee, block_height, block_hash,
           settled_at, created_at, updated_at`

/** The fields of a new spend. */
export type NewSpend = Pick<
  Spend,
  | 'orgId'
  | 'id'
  | 'chainId'
  | 'purpose'
  | 'subjectId'
  | 'sender'
  | 'nonce'
  | 'ticket'
  | 'tickets'
  | 'tokenId'
  | 'recipient'
  | 'amount'
  | 'maxFee'
  | 'txnHash'
>

export async function insertSpend(tx: Tx, spend: NewSpend): Promise<Spend> {
  const now = iso(tx.clock.now())
  const row = await tx.one(sql<SpendRow>`
    insert into spends (
           org_id, id, chain_id, purpose, subject_id, sender, nonce, ticket, tickets, token_id,
           recipient, amount, state, max_fee, txn_hash, created_at, updated_at)
    values (${spend.orgId}, ${spend.id}, ${spend.chainId}, ${spend.purpose}, ${spend.subjectId},
            ${spend.sender}, ${spend.nonce}, ${spend.ticket}, ${spend.tickets}, ${spend.tokenId},
            ${spend.recipient}, ${spend.amount}, 'Sent', ${spend.maxFee}, ${spend.txnHash},
            ${now}::timestamptz, ${now}::timestamptz)
    returning ${columns}`)
  return fromRow(row)
}

export async function selectSpend(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<Spend | null> {
  const row = await tx.maybe(sql<SpendRow>`
    select ${columns}
      from spends
     where org_id = ${orgId}
       and id = ${id}`)
  return row === null ? null : fromRow(row)
}

/** The spend of a subject that is not displaced. */
export async function selectStanding(
  tx: Tx,
  { orgId, subjectId }: { orgId: string; subjectId: string },
): Promise<Spend | null> {
  const row = await tx.maybe(sql<SpendRow>`
    select ${columns}
      from spends
     where org_id = ${orgId}
       and subject_id = ${subjectId}
       and state <> 'Displaced'`)
  return row === null ? null : fromRow(row)
}

/** All spends of a subject, alone or in a joint payment, oldest first. */
export async function selectOfSubject(
  tx: Tx,
  { orgId, subjectId }: { orgId: string; subjectId: string },
): Promise<Spend[]> {
  const rows = await tx.many(sql<SpendRow>`
    select ${columns}
      from spends
     where org_id = ${orgId}
       and subject_id = ${subjectId}
     union all
    select ${columns}
      from spends
     where org_id = ${orgId}
       and id in (
           select spend_id
             from spend_subjects
            where org_id = ${orgId}
              and subject_id = ${subjectId})
     order by created_at, id`)
  return rows.map(fromRow)
}

/** Unmined spends of a chain, or of one sender, by sender and nonce. */
export async function selectUnmined(
  tx: Tx,
  { chainId, sender = null }: { chainId: ChainId; sender?: Address | null },
): Promise<Spend[]> {
  const rows = await tx.many(sql<SpendRow>`
    select ${columns}
      from spends
     where chain_id = ${chainId}
       and (${sender}::text is null or sender = ${sender})
       and state = 'Sent'
     order by sender, nonce`)
  return rows.map(fromRow)
}

/** Nonces of a sender, from one on, that spends (in any state) or tickets use. */
export async function selectNonces(
  tx: Tx,
  range: { chainId: ChainId; sender: Address; from: number },
): Promise<number[]> {
  const rows = await tx.many(sql<{ nonce: number }>`
    select nonce
      from spends
     where chain_id = ${range.chainId}
       and sender = ${range.sender}
       and nonce >= ${range.from}
     union
    select number
      from tickets
     where chain_id = ${range.chainId}
       and address = ${range.sender}
       and number >= ${range.from}
       and standing
     order by nonce`)
  return rows.map(({ nonce }) => nonce)
}

/** Highest fees of an organization's unmined spends on a chain. */
export async function sumUnminedFees(
  tx: Tx,
  { orgId, chainId }: { orgId: string; chainId: ChainId },
): Promise<bigint> {
  const { total } = await tx.one(sql<{ total: bigint }>`
    select coalesce(sum(max_fee), 0) as total
      from spends
     where org_id = ${orgId}
       and chain_id = ${chainId}
       and state = 'Sent'`)
  return total
}

/** Amount of a token, and fees, that a sender's unmined spends take from its place. */
export async function sumUnminedOutflow(
  tx: Tx,
  outflow: { chainId: ChainId; sender: Address; tokenId: TokenId },
): Promise<{ amount: bigint; fees: bigint }> {
  return tx.one(sql<{ amount: bigint; fees: bigint }>`
    select coalesce(sum(amount) filter (where token_id = ${outflow.tokenId}), 0) as amount,
           coalesce(sum(max_fee), 0) as fees
      from spends
     where chain_id = ${outflow.chainId}
       and sender = ${outflow.sender}
       and state = 'Sent'`)
}

/** Sets `Included`; null if it is not `Sent`. */
export async function includeRow(
  tx: Tx,
  inclusion: {
    spend: Spend
    txnHash: string
    succeeded: boolean | null
    fee: bigint
    block: BlockRef
    rank: number
  },
): Promise<Spend | null> {
  const row = await tx.maybe(sql<SpendRow>`
    update spends
       set state = ${SENDS.include.to},
           txn_hash = ${inclusion.txnHash},
           succeeded = ${inclusion.succeeded},
           fee = ${inclusion.fee},
           block_height = ${inclusion.block.height},
           block_hash = ${inclusion.block.hash},
           block_rank = ${inclusion.rank},
           updated_at = ${iso(tx.clock.now())}::timestamptz
     where org_id = ${inclusion.spend.orgId}
       and id = ${inclusion.spend.id}
       and state = any(${SENDS.include.from}::text[])
    returning ${columns}`)
  return row === null ? null : fromRow(row)
}

/** Sets the outcome of an included spend; null if it was set. */
export async function concludeRow(
  tx: Tx,
  { spend, succeeded }: { spend: Spend; succeeded: boolean },
): Promise<Spend | null> {
  const row = await tx.maybe(sql<SpendRow>`
    update spends
       set succeeded = ${succeeded},
           updated_at = ${iso(tx.clock.now())}::timestamptz
     where org_id = ${spend.orgId}
       and id = ${spend.id}
       and state = 'Included'
       and succeeded is null
    returning ${columns}`)
  return row === null ? null : fromRow(row)
}

/** No block has it any more; null where none had. */
export async function undoRow(
  tx: Tx,
  { spend, txnHash }: { spend: Spend; txnHash: string },
): Promise<Spend | null> {
  const row = await tx.maybe(sql<SpendRow>`
    update spends
       set state = ${SENDS.undo.to},
           txn_hash = ${txnHash},
           succeeded = null,
           fee = null,
           block_height = null,
           block_hash = null,
           block_rank = null,
           settled_at = null,
           updated_at = ${iso(tx.clock.now())}::timestamptz
     where org_id = ${spend.orgId}
       and id = ${spend.id}
       and state = any(${SENDS.undo.from}::text[])
    returning ${columns}`)
  return row === null ? null : fromRow(row)
}

/** Settles or displaces a spend; null if its state does not allow it. */
export async function endRow(
  tx: Tx,
  { spend, move }: { spend: Spend; move: typeof SENDS.settle | typeof SENDS.displace },
): Promise<Spend | null> {
  const now = iso(tx.clock.now())
  const row = await tx.maybe(sql<SpendRow>`
    update spends
       set state = ${move.to},
           settled_at = ${move.to === 'Settled' ? now : null}::timestamptz,
           updated_at = ${now}::timestamptz
     where org_id = ${spend.orgId}
       and id = ${spend.id}
       and state = any(${move.from}::text[])
    returning ${columns}`)
  return row === null ? null : fromRow(row)
}

/**
 * Sets the transaction signed last and the highest fee of all; null if a block includes one of
 * them.
 */
export async function replaceRow(
  tx: Tx,
  replacement: { spend: Spend; txnHash: string; maxFee: bigint },
): Promise<Spend | null> {
  const row = await tx.maybe(sql<SpendRow>`
    update spends
       set txn_hash = ${replacement.txnHash},
           max_fee = greatest(max_fee, ${replacement.maxFee}::numeric),
           updated_at = ${iso(tx.clock.now())}::timestamptz
     where org_id = ${replacement.spend.orgId}
       and id = ${replacement.spend.id}
       and state = 'Sent'
    returning ${columns}`)
  return row === null ? null : fromRow(row)
}

/** Locks spends by their keys, in the order of their ids. */
export async function lockSpends(
  tx: Tx,
  keys: readonly Pick<Spend, 'orgId' | 'id'>[],
): Promise<Spend[]> {
  const rows = await tx.many(sql<SpendRow>`
    select ${columns}
      from spends
     where (org_id, id) in (
           select *
             from unnest(
                  ${keys.map(({ orgId }) => orgId)}::uuid[],
                  ${keys.map(({ id }) => id)}::uuid[]))
     order by id
       for update`)
  return rows.map(fromRow)
}

/** Locks the spends that a block has, the last first. */
export async function lockOfBlock(
  tx: Tx,
  { chainId, block }: { chainId: ChainId; block: BlockRef },
): Promise<Spend[]> {
  const rows = await tx.many(sql<SpendRow>`
    select ${columns}
      from spends
     where chain_id = ${chainId}
       and block_height = ${block.height}
       and block_hash = ${block.hash}
       and state in ('Included', 'Settled')
     order by block_rank desc
       for update`)
  return rows.map(fromRow)
}

/** Included spends with a known outcome at or below a height, oldest first. */
export async function selectWaiting(
  tx: Tx,
  { chainId, upTo, limit }: { chainId: ChainId; upTo: number; limit: number },
): Promise<Spend[]> {
  const rows = await tx.many(sql<SpendRow>`
    select ${columns}
      from spends
     where chain_id = ${chainId}
       and state = 'Included'
       and succeeded is not null
       and block_height <= ${upTo}
     order by block_height, block_rank
     limit ${limit}`)
  return rows.map(fromRow)
}

/** Locks the spend of a nonce, in any state; null if not found. */
export async function lockNonce(
  tx: Tx,
  key: { chainId: ChainId; sender: Address; nonce: number },
): Promise<Spend | null> {
  const row = await tx.maybe(sql<SpendRow>`
    select ${columns}
      from spends
     where chain_id = ${key.chainId}
       and sender = ${key.sender}
       and nonce = ${key.nonce}
       for update`)
  return row === null ? null : fromRow(row)
}

function fromRow(row: SpendRow): Spend {
  const { block_height: height, block_hash: hash } = row
  return {
    orgId: row.org_id,
    id: row.id,
    chainId: row.chain_id,
    purpose: row.purpose,
    subjectId: row.subject_id,
    sender: row.sender,
    nonce: row.nonce,
    ticket: row.ticket,
    tickets: row.tickets,
    tokenId: row.token_id,
    recipient: row.recipient,
    amount: row.amount,
    state: row.state,
    maxFee: row.max_fee,
    txnHash: row.txn_hash,
    succeeded: row.succeeded,
    fee: row.fee,
    block: height === null || hash === null ? null : { height, hash },
    settledAt: row.settled_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
