import type { Address, BlockScope } from '../chains/port.ts'
import type { Watcher } from './watcher.ts'

/** Of a block that is read for its place in the chain alone. */
export const NOBODY: BlockScope = { tokens: [], mayWatch: () => false }

/** What is wanted of a chain's blocks: transfers of its tokens from and to watched addresses. */
export function scopeOf({
  catalogue,
  entry,
  watched,
}: Pick<Watcher, 'catalogue' | 'entry' | 'watched'>): BlockScope {
  const tokens = catalogue.tokensOf(entry.id).map(({ id }) => id)
  if (watched === undefined) return { tokens }
  const mayWatch = (address: Address | Uint8Array) => watched.mayWatch(address)
  return { tokens, mayWatch, mayWatchBytes: mayWatch, upToDate: () => watched.refresh() }
}
