import type { ChainId } from '@sluice/wire'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from './database.ts'

/** A table whose rows reference a block. */
export interface BlockSource {
  table: string
  height: string
  hash: string
  /** Restricts the rows. */
  counts?: RawBuilder<unknown>
}

/** The maximum height and number of blocks. */
export interface BlocksWanted {
  chainId: ChainId
  upTo: number
  limit: number
}

/** The highest distinct blocks that rows of these tables reference, highest first. */
export async function selectHighestBlocks(
  tx: Tx,
  wanted: BlocksWanted,
  sources: readonly BlockSource[],
): Promise<{ height: number; hash: string }[]> {
  const each = sources.map((source) => selectOf(source, wanted))
  return tx.many(sql`
    select *
      from (${sql.join(each, sql` union `)}) as found
     order by height desc, hash
     limit ${wanted.limit}`)
}

/** Limited separately, so that each table needs only an index lookup. */
function selectOf({ table, height, hash, counts }: BlockSource, wanted: BlocksWanted) {
  return sql`
    (select distinct ${sql.ref(height)} as height, ${sql.ref(hash)} as hash
       from ${sql.table(table)}
      where chain_id = ${wanted.chainId}
        and ${sql.ref(height)} <= ${wanted.upTo}
        and ${counts ?? sql`true`}
      order by height desc, hash
      limit ${wanted.limit})`
}
