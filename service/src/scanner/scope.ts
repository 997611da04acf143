import type { TokenId } from '@sluice/wire'
import { ADDRESS_WORDS } from '../chains/address-words.ts'
import type { Address, BlockScope } from '../chains/port.ts'
import type { Watcher } from './watcher.ts'

/** Of a block that is read for its place in the chain alone. */
export const NOBODY: BlockScope = {
  tokens: [],
  mayWatch: () => false,
  mayWatchBytes: () => false,
  mayWatchEach: (words) => new Uint8Array(words.length / ADDRESS_WORDS),
  hidesKeys: () => false,
}

/**
 * What is wanted of a chain's blocks: transfers of its tokens, and of those that are `unlisted`,
 * from and to watched addresses, and who spends the coins that are looked for.
 */
export function scopeOf({
  catalogue,
  entry,
  watched,
  unlisted,
  seeks,
}: Pick<Watcher, 'catalogue' | 'entry' | 'watched'> &
  Required<Pick<BlockScope, 'seeks'>> & { unlisted: readonly TokenId[] }): BlockScope {
  const tokens = [...catalogue.tokensOf(entry.id).map(({ id }) => id), ...unlisted]
  if (watched === undefined) return { tokens, seeks }
  const mayWatch = (address: Address | Uint8Array) => watched.mayWatch(address)
  return {
    tokens,
    seeks,
    mayWatch,
    mayWatchBytes: mayWatch,
    mayWatchEach: (words) => watched.mayWatchEach(words),
    upToDate: () => watched.refresh(),
    hidesKeys: () => watched.hidesKeys(),
  }
}
