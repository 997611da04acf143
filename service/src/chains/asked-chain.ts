import type { ChainId } from '@sluice/wire'
import { assert } from '../base/assert.ts'

/** A payment on another chain than that of the adapter is a Bug. */
export function assertOnChain(chainId: ChainId, { chainId: asked }: { chainId: ChainId }): void {
  assert(asked === chainId, 'a payment on another chain', { chainId, asked })
}
