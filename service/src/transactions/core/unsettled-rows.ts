import type { ChainId, TokenId } from '@sluice/wire'
import { sql } from 'kysely'
import { selectChainsWhere } from '../../catalogue/rows.ts'
import type { Tx } from '../../store/database.ts'

/** The subjects whose spend is not included, or included and not settled. */
export async function selectUnsettled(
  tx: Tx,
  { orgId, subjectIds }: { orgId: string; subjectIds: readonly string[] },
): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`
    select subject_id as id
      from spends
     where org_id = ${orgId}
       and subject_id = any(${subjectIds}::uuid[])
       and (state = 'Sent'
            or (state = 'Included' and succeeded is not null))`)
  return rows.map(({ id }) => id)
}

/** Whether an organization has such a spend on a chain. */
export async function hasUnsettled(
  tx: Tx,
  { orgId, chainId }: { orgId: string; chainId: ChainId },
): Promise<boolean> {
  const { is } = await tx.one(sql<{ is: boolean }>`
    select exists (
           select
             from spends
            where chain_id = ${chainId}
              and org_id = ${orgId}
              and state = 'Sent'
            union all
           select
             from spends
            where chain_id = ${chainId}
              and org_id = ${orgId}
              and state = 'Included'
              and succeeded is not null) as is`)
  return is
}

/** The chains among these on which any organization has such a spend. */
export function selectSpending(tx: Tx, chainIds: readonly ChainId[]): Promise<ChainId[]> {
  const isOpen = sql`
    exists (
      select
        from spends s
       where s.chain_id = chain.id
         and s.state = 'Sent')
    or exists (
      select
        from spends s
       where s.chain_id = chain.id
         and s.state = 'Included'
         and s.succeeded is not null)`
  return selectChainsWhere(tx, chainIds, isOpen)
}

/**
 * The tokens of unsettled spends of a chain, except the given ones. Each half of the union has its
 * own index, since the scanner runs this for every poll.
 */
export async function openTokens(
  tx: Tx,
  { chainId, besides }: { chainId: ChainId; besides: readonly TokenId[] },
): Promise<TokenId[]> {
  const rows = await tx.many(sql<{ id: TokenId }>`
    select token_id as id
      from spends
     where chain_id = ${chainId}
       and state = 'Sent'
       and token_id <> all(${besides}::text[])
     union
    select token_id as id
      from spends
     where chain_id = ${chainId}
       and state = 'Included'
       and succeeded is not null
       and token_id <> all(${besides}::text[])`)
  return rows.map(({ id }) => id)
}
