import type { Heard } from '../chains/sim-chain.ts'
import type { SimWorld } from '../world.ts'

/** Transactions signed and stored since the last call, in order, broadcast or not. */
export async function takeSigned(world: SimWorld): Promise<Heard[]> {
  const { books, looker } = world
  const fresh = (books.picture?.signed ?? []).filter(({ hash }) => !books.stored.has(hash))
  if (fresh.length === 0) return []
  for (const { hash } of fresh) books.stored.add(hash)
  const rows = await looker.rows(
    `select chain_id as chain, encode(raw, 'hex') as raw from spend_transactions
      where txn_hash = any($1) order by signed_at, spend_id, number`,
    [fresh.map(({ hash }) => hash)],
  )
  return rows.flatMap((row) => world.chain(String(row['chain'])).readSigned(String(row['raw'])))
}
