import type { ChainId } from '@sluice/wire'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from './database.ts'

/** Where rows name a block of their chain. */
export interface BlockSource {
  table: string
  height: string
  hash: string
  /** Which of the rows count; all, where it is left out. */
  counts?: RawBuilder<unknown>
}

/** Up to which height, inclusive, and how many at most. */
export interface BlocksWanted {
  chainId: ChainId
  upTo: number
  limit: number
}

/** The highest blocks that rows of some tables name, each once, highest first. */
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

/** Limited by itself, so that an index gives it without a look at all rows. */
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
