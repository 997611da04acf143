import type { Heard } from '../chains/sim-chain.ts'
import type { Looker } from '../picture.ts'

/** W08: a transaction that reaches a node is stored by a committed transaction before. */
export async function notStored(
  looker: Pick<Looker, 'rows'>,
  heard: readonly Heard[],
): Promise<string[]> {
  if (heard.length === 0) return []
  const hashes = heard.map(({ txnHash }) => txnHash)
  const rows = await looker.rows(
    `select txn_hash as hash from spend_transactions where txn_hash = any($1)`,
    [hashes],
  )
  const stored = new Set(rows.map(({ hash }) => String(hash)))
  return hashes
    .filter((hash) => !stored.has(hash))
    .map((hash) => `W08: ${hash} was broadcast and is not stored`)
}
