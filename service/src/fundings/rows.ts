import type { ChainId, TokenId } from '@sluice/wire'
import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Address, BlockRef } from '../chains/port.ts'
import type { Recorded } from '../deposits/twin.ts'
import type { PlaceKind } from '../ledger/account.ts'
import type { Tx } from '../store/database.ts'
import { type BlocksWanted, selectHighestBlocks } from '../store/highest-blocks.ts'
import type { Funding, FundingBooked, FundingMove, FundingStatus } from './funding.ts'

interface FundingRow {
  org_id: string
  id: string
  chain_id: ChainId
  txn_hash: string
  position: string
  token_id: TokenId
  address: Address
  purpose: Funding['purpose']
  place: PlaceKind
  sender_address: string
  amount: bigint
  net_movement: bigint
  status: FundingStatus
  booked: FundingBooked
  set_apart: bigint
  held_cause: string
  cleared: boolean
  block_height: number
  block_hash: string
  matures_at: number | null
  confirmed_at: Millis | null
  created_at: Millis
  updated_at: Millis
}

/** Inserts those whose identity is new; the answer holds these alone. */
export async function insertNew(tx: Tx, fundings: readonly Funding[]): Promise<Funding[]> {
  const now = iso(tx.clock.now())
  const rows = await tx.many(sql<FundingRow>`
    insert into fundings (
           org_id, id, chain_id, txn_hash, position, token_id, address, purpose, place,
           sender_address, amount, net_movement, block_height, block_hash, matures_at, status,
           booked, created_at, updated_at)
    select u.*, 'Detected', 'unconfirmed', ${now}::timestamptz, ${now}::timestamptz
      from unnest(
           ${fundings.map((f) => f.orgId)}::uuid[],
           ${fundings.map((f) => f.id)}::uuid[],
           ${fundings.map((f) => f.chainId)}::text[],
           ${fundings.map((f) => f.txnHash)}::text[],
           ${fundings.map((f) => f.position)}::text[],
           ${fundings.map((f) => f.tokenId)}::text[],
           ${fundings.map((f) => f.address)}::text[],
           ${fundings.map((f) => f.purpose)}::text[],
           ${fundings.map((f) => f.place)}::text[],
           ${fundings.map((f) => f.senderAddress)}::text[],
           ${fundings.map((f) => f.amount)}::numeric[],
           ${fundings.map((f) => f.netMovement)}::numeric[],
           ${fundings.map((f) => f.block.height)}::bigint[],
           ${fundings.map((f) => f.block.hash)}::text[],
           ${fundings.map((f) => f.maturesAt)}::bigint[]) as u
        on conflict (chain_id, txn_hash, position, address, token_id) do nothing
    returning *`)
  return rows.map(fromRow)
}

/** Locks the records that already stand under the identities of these transfers, in one order. */
export async function lockByIdentity(tx: Tx, fundings: readonly Funding[]): Promise<Funding[]> {
  const rows = await tx.many(sql<FundingRow>`
    select f.*
      from fundings f
      join unnest(
           ${fundings.map((f) => f.chainId)}::text[],
           ${fundings.map((f) => f.txnHash)}::text[],
           ${fundings.map((f) => f.position)}::text[],
           ${fundings.map((f) => f.address)}::text[],
           ${fundings.map((f) => f.tokenId)}::text[])
           as u (chain_id, txn_hash, position, address, token_id)
     using (chain_id, txn_hash, position, address, token_id)
     order by f.id
       for update of f`)
  return rows.map(fromRow)
}

/** Gives an orphaned record its new block; what the chain says of it is taken anew. */
export async function reviveRow(tx: Tx, id: string, seen: Funding): Promise<Funding> {
  const row = await tx.one(sql<FundingRow>`
    update fundings
       set status = 'Detected',
           booked = 'unconfirmed',
           set_apart = 0,
           held_cause = '',
           cleared = false,
           sender_address = ${seen.senderAddress},
           amount = ${seen.amount},
           net_movement = ${seen.netMovement},
           block_height = ${seen.block.height},
           block_hash = ${seen.block.hash},
           matures_at = ${seen.maturesAt},
           confirmed_at = null,
           updated_at = ${iso(tx.clock.now())}
     where org_id = ${seen.orgId}
       and id = ${id}
       and status = 'Orphaned'
    returning *`)
  return fromRow(row)
}

/** The guarded update behind every move: null where the row is in no state the move starts from. */
export async function moveRow(
  tx: Tx,
  given: {
    funding: Pick<Funding, 'orgId' | 'id'>
    move: FundingMove
    booked: FundingBooked
    setApart?: bigint
    cause?: string
  },
): Promise<Funding | null> {
  const { funding, move, booked, setApart = 0n, cause = '' } = given
  const now = iso(tx.clock.now())
  const row = await tx.maybe(sql<FundingRow>`
    update fundings
       set status = ${move.to},
           booked = ${booked},
           set_apart = ${setApart},
           held_cause = ${cause},
           cleared = cleared or ${move.to === 'Detected'},
           confirmed_at = case when ${move.to === 'Confirmed'} then ${now}::timestamptz
                               else confirmed_at end,
           updated_at = ${now}
     where org_id = ${funding.orgId}
       and id = ${funding.id}
       and status = any(${move.from}::text[])
    returning *`)
  return row === null ? null : fromRow(row)
}

/** Detected ones at or under a height whose coins have matured by the tip, oldest block first. */
export async function selectWaiting(
  tx: Tx,
  given: { chainId: ChainId; upTo: number; tip: BlockRef; limit: number },
): Promise<Funding[]> {
  const rows = await tx.many(sql<FundingRow>`
    select *
      from fundings
     where chain_id = ${given.chainId}
       and status = 'Detected'
       and block_height <= ${given.upTo}
       and (matures_at is null or matures_at <= ${given.tip.height})
     order by block_height, id
     limit ${given.limit}`)
  return rows.map(fromRow)
}

/** Locks fundings by id, in one order. */
export async function lockByIds(tx: Tx, ids: readonly string[]): Promise<Funding[]> {
  const rows = await tx.many(sql<FundingRow>`
    select *
      from fundings
     where id = any(${ids}::uuid[])
     order by id
       for update`)
  return rows.map(fromRow)
}

/** Those of one transaction. */
export async function selectOfTransaction(
  tx: Tx,
  { chainId, txnHash }: { chainId: ChainId; txnHash: string },
): Promise<Funding[]> {
  const rows = await tx.many(sql<FundingRow>`
    select *
      from fundings
     where chain_id = ${chainId}
       and txn_hash = ${txnHash}
     order by position, id`)
  return rows.map(fromRow)
}

/** Locks every live funding of one block. */
export async function lockOfBlock(
  tx: Tx,
  { chainId, block }: { chainId: ChainId; block: BlockRef },
): Promise<Funding[]> {
  const rows = await tx.many(sql<FundingRow>`
    select *
      from fundings
     where chain_id = ${chainId}
       and block_height = ${block.height}
       and block_hash = ${block.hash}
       and status <> 'Orphaned'
     order by id
       for update`)
  return rows.map(fromRow)
}

/** The highest blocks up to a height that have live fundings, highest first. */
export async function selectBlocksUpTo(tx: Tx, wanted: BlocksWanted): Promise<BlockRef[]> {
  const counts = sql`status <> 'Orphaned'`
  const source = { table: 'fundings', height: 'block_height', hash: 'block_hash', counts }
  return selectHighestBlocks(tx, wanted, [source])
}

/** What live fundings put on an address after a height, in base units. */
export async function sumAbove(
  tx: Tx,
  given: { chainId: ChainId; tokenId: TokenId; address: Address; height: number },
): Promise<bigint> {
  const row = await tx.one(sql<{ total: bigint }>`
    select coalesce(sum(amount), 0)::numeric as total
      from fundings
     where chain_id = ${given.chainId}
       and block_height > ${given.height}
       and token_id = ${given.tokenId}
       and address = ${given.address}
       and status <> 'Orphaned'`)
  return row.total
}

/** What of each token lies on these addresses and is not credited, in base units. */
export async function selectUnsettled(
  tx: Tx,
  given: { chainId: ChainId; addresses: readonly Address[] },
): Promise<{ address: Address; tokenId: TokenId; amount: bigint }[]> {
  return tx.many(sql<{ address: Address; tokenId: TokenId; amount: bigint }>`
    select address, token_id as "tokenId", sum(amount)::numeric as amount
      from fundings
     where chain_id = ${given.chainId}
       and address = any(${given.addresses}::text[])
       and status in ('Detected', 'Held')
     group by address, token_id`)
}

/** Fundings by logs at the addresses and in the blocks of some, these among them, not orphaned. */
export async function selectLogsBeside(
  tx: Tx,
  { chainId, logs }: { chainId: ChainId; logs: readonly Pick<Funding, 'address' | 'block'>[] },
): Promise<Recorded[]> {
  if (logs.length === 0) return []
  return tx.many(sql<Recorded>`
    select id, txn_hash as "txnHash", position, token_id as "tokenId", address,
           net_movement as "netMovement", block_hash as "blockHash", held_cause as "heldCause",
           booked in ('available', 'gas') as "isCredited"
      from fundings
     where chain_id = ${chainId}
       and block_height = any(${logs.map(({ block }) => block.height)}::bigint[])
       and address = any(${logs.map(({ address }) => address)}::text[])
       and position like 'log:%'
       and status <> 'Orphaned'`)
}

function fromRow(row: FundingRow): Funding {
  return {
    orgId: row.org_id,
    id: row.id,
    chainId: row.chain_id,
    txnHash: row.txn_hash,
    position: row.position,
    tokenId: row.token_id,
    address: row.address,
    purpose: row.purpose,
    place: row.place,
    senderAddress: row.sender_address,
    amount: row.amount,
    netMovement: row.net_movement,
    status: row.status,
    booked: row.booked,
    setApart: row.set_apart,
    heldCause: row.held_cause,
    cleared: row.cleared,
    block: { height: row.block_height, hash: row.block_hash },
    maturesAt: row.matures_at,
    confirmedAt: row.confirmed_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
