import { sql } from 'kysely'
import type { ChainId, TokenId } from '@sluice/wire'
import { type Millis, iso } from '../base/clock.ts'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import type { Comparison, Finding } from './finding.ts'

export interface OpenFinding extends Finding {
  foundAt: Millis
}

/** Stores a difference, or updates the open one; true if it is new or has another size. */
export async function upsertFinding(tx: Tx, finding: Finding): Promise<boolean> {
  const changed = await tx.run(sql`
    insert into audit_findings as f (
           org_id, chain_id, token_id, address, expected, found, height, found_at)
    values (${finding.orgId}, ${finding.chainId}, ${finding.tokenId}, ${finding.address},
           ${finding.expected}, ${finding.found}, ${finding.height}, ${iso(tx.clock.now())})
        on conflict (chain_id, token_id, address) where resolved_at is null do update
       set expected = excluded.expected,
           found = excluded.found,
           height = excluded.height
     where f.found - f.expected <> excluded.found - excluded.expected`)
  return changed === 1
}

/** Closes the open difference of a balance; false if none was open. */
export async function resolveFinding(tx: Tx, comparison: Comparison): Promise<boolean> {
  const changed = await tx.run(sql`
    update audit_findings
       set resolved_at = ${iso(tx.clock.now())}
     where chain_id = ${comparison.chainId}
       and token_id = ${comparison.tokenId}
       and address = ${comparison.address}
       and resolved_at is null`)
  return changed > 0
}

/** Open differences. */
export async function selectOpenFindings(tx: Tx): Promise<OpenFinding[]> {
  const rows = await tx.many(sql<{
    org_id: string
    chain_id: ChainId
    token_id: TokenId
    address: Address
    expected: bigint
    found: bigint
    height: number
    found_at: Millis
  }>`
    select *
      from audit_findings
     where resolved_at is null
     order by id`)
  return rows.map((row) => ({
    orgId: row.org_id,
    chainId: row.chain_id,
    tokenId: row.token_id,
    address: row.address,
    expected: row.expected,
    found: row.found,
    height: row.height,
    foundAt: row.found_at,
  }))
}
