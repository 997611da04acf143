import type { TokenId } from '@sluice/wire'
import { ADDRESS_WORDS } from '../chains/address-words.ts'
import type { Address, BlockScope } from '../chains/port.ts'
import type { Watcher } from './watcher.ts'

/** Scope of a block of which only its place in the chain matters. */
export const NOBODY: BlockScope = {
  tokens: [],
  mayWatch: () => false,
  mayWatchBytes: () => false,
  mayWatchEach: (words) => new Uint8Array(words.length / ADDRESS_WORDS),
  hidesKeys: () => false,
}

/**
 * Scope of blocks to read: transfers of the configured and `unlisted` tokens from and to watched
 * addresses, and the transactions that spend the coins in `seeks`.
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
