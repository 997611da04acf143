import type { ChainId } from '@sluice/wire'
import { assert } from '../base/assert.ts'

/** A payment that an adapter is asked about is one on its chain; another is a Bug. */
export function assertOnChain(chainId: ChainId, { chainId: asked }: { chainId: ChainId }): void {
  assert(asked === chainId, 'a payment on another chain', { chainId, asked })
}
