import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import { iso, type Millis } from '../base/clock.ts'
import { selectChainsWhere } from '../catalogue/rows.ts'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import type { Loan, LoanMove, LoanState } from './loan.ts'
import type { TopUpPlace } from './top-up.ts'

interface LoanRow {
  org_id: string
  id: string
  chain_id: ChainId
  address: Address
  place: TopUpPlace
  stake: bigint
  energy: bigint
  state: LoanState
  spend_id: string | null
  return_id: string | null
  created_at: Millis
  updated_at: Millis
}

/** States in which something is lent, or about to be. */
const OPEN: readonly LoanState[] = ['Lending', 'Lent', 'Returning']

/** The chains among these with an open loan. */
export function selectLending(tx: Tx, chainIds: readonly ChainId[]): Promise<ChainId[]> {
  const isOpen = sql`
    exists (
      select
        from energy_loans l
       where l.chain_id = chain.id
         and l.state in ('Lending', 'Lent', 'Returning'))`
  return selectChainsWhere(tx, chainIds, isOpen)
}

/** Inserts a loan; false if its address has an open one. */
export async function insertLoan(
  tx: Tx,
  loan: Pick<Loan, 'orgId' | 'id' | 'chainId' | 'address' | 'place' | 'stake' | 'energy'>,
): Promise<boolean> {
  const now = iso(tx.clock.now())
  const row = await tx.maybe(sql<{ id: string }>`
    insert into energy_loans (
           org_id, id, chain_id, address, place, stake, energy, state, created_at, updated_at)
    values (${loan.orgId}, ${loan.id}, ${loan.chainId}, ${loan.address}, ${loan.place},
            ${loan.stake}, ${loan.energy}, 'Lending', ${now}::timestamptz,
            ${now}::timestamptz)
        on conflict (chain_id, address) where state in ('Lending', 'Lent', 'Returning') do nothing
    returning id`)
  return row !== null
}

/** Notes the spend that lends. */
export async function noteLoanSpend(
  tx: Tx,
  row: { orgId: string; id: string; spendId: string },
): Promise<void> {
  await tx.run(sql`
    update energy_loans
       set spend_id = ${row.spendId}
     where org_id = ${row.orgId}
       and id = ${row.id}`)
}

/** The open loan of an address; null if it has none. */
export async function selectOpenLoan(
  tx: Tx,
  { chainId, address }: { chainId: ChainId; address: Address },
): Promise<Loan | null> {
  const row = await tx.maybe(sql<LoanRow>`
    select *
      from energy_loans
     where chain_id = ${chainId}
       and address = ${address}
       and state = any(${OPEN}::text[])`)
  return row === null ? null : fromRow(row)
}

/**
 * Useless loans since a time: failed ones of an organization on a chain, and ones of an address
 * that were returned unused.
 */
export async function countFutile(
  tx: Tx,
  query: { orgId: string; chainId: ChainId; address: Address; since: Millis },
): Promise<{ failed: number; unused: number }> {
  return tx.one(sql<{ failed: number; unused: number }>`
    select count(*) filter (where l.state = 'Failed')::int as failed,
           count(*) filter (
             where l.state = 'Returned'
               and l.address = ${query.address}
               and not exists (
                   select
                     from energy_uses u
                    where u.org_id = l.org_id
                      and u.loan_id = l.id))::int as unused
      from energy_loans l
     where l.org_id = ${query.orgId}
       and l.chain_id = ${query.chainId}
       and l.state in ('Failed', 'Returned')
       and l.updated_at >= ${iso(query.since)}::timestamptz`)
}

/** Locks a loan; null if not found. */
export async function lockLoan(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<Loan | null> {
  const row = await tx.maybe(sql<LoanRow>`
    select *
      from energy_loans
     where org_id = ${orgId}
       and id = ${id}
       for update`)
  return row === null ? null : fromRow(row)
}

/** Loans of a chain that are lent, those first that were looked at longest ago. */
export async function selectLent(
  tx: Tx,
  { chainId, limit }: { chainId: ChainId; limit: number },
): Promise<Loan[]> {
  const rows = await tx.many(sql<LoanRow>`
    select *
      from energy_loans
     where chain_id = ${chainId}
       and state = 'Lent'
     order by updated_at, id
     limit ${limit}`)
  return rows.map(fromRow)
}

/** The loan that a subject takes back; null where another has taken its place. */
export async function selectReturning(
  tx: Tx,
  { orgId, returnId }: { orgId: string; returnId: string },
): Promise<Loan | null> {
  const row = await tx.maybe(sql<LoanRow>`
    select *
      from energy_loans
     where org_id = ${orgId}
       and return_id = ${returnId}`)
  return row === null ? null : fromRow(row)
}

/**
 * Guarded update of every state change. A closed loan is not reopened if its address has another
 * open one.
 */
export async function moveLoan(
  tx: Tx,
  update: { orgId: string; id: string; move: LoanMove; returnId?: string },
): Promise<Loan | null> {
  const { move } = update
  const row = await tx.maybe(sql<LoanRow>`
    update energy_loans l
       set state = ${move.to},
           return_id = coalesce(${update.returnId ?? null}::uuid, l.return_id),
           updated_at = ${iso(tx.clock.now())}::timestamptz
     where l.org_id = ${update.orgId}
       and l.id = ${update.id}
       and l.state = any(${move.from}::text[])
       and (l.state = any(${OPEN}::text[])
            or not ${OPEN.includes(move.to)}::boolean
            or not exists (
               select 1
                 from energy_loans o
                where o.chain_id = l.chain_id
                  and o.address = l.address
                  and o.state = any(${OPEN}::text[])))
    returning *`)
  return row === null ? null : fromRow(row)
}

/** Notes that a payment counts on so much of a loan. */
export async function insertUse(
  tx: Tx,
  row: { orgId: string; loanId: string; subjectId: string; energy: bigint },
): Promise<void> {
  await tx.run(sql`
    insert into energy_uses (org_id, subject_id, loan_id, energy, created_at)
    values (${row.orgId}, ${row.subjectId}, ${row.loanId}, ${row.energy},
            ${iso(tx.clock.now())}::timestamptz)`)
}

/** Which payments count on a loan, and on how much of it. */
export async function selectUses(
  tx: Tx,
  { orgId, id }: Pick<Loan, 'orgId' | 'id'>,
): Promise<{ subjectId: string; energy: bigint }[]> {
  return tx.many(sql<{ subjectId: string; energy: bigint }>`
    select subject_id as "subjectId", energy
      from energy_uses
     where org_id = ${orgId}
       and loan_id = ${id}`)
}

function fromRow(row: LoanRow): Loan {
  return {
    orgId: row.org_id,
    id: row.id,
    chainId: row.chain_id,
    address: row.address,
    place: row.place,
    stake: row.stake,
    energy: row.energy,
    state: row.state,
    spendId: row.spend_id,
    returnId: row.return_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
