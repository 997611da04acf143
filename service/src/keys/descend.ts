import type { HDKey } from '@scure/bip32'
import { assert } from '../base/assert.ts'

/**
 * Derives the private node at `steps` below `from` (BIP-32) and wipes the nodes between. The caller
 * wipes the result, unless `steps` is empty: then it is `from` itself.
 */
export function descend(from: HDKey, steps: readonly number[]): HDKey {
  let node = from
  for (const step of steps) {
    const child = node.deriveChild(step)
    // For an invalid key (probability 2^-127) the library returns the next index, which would then
    // be used twice.
    assert(child.index === step, 'a derived key has the wrong index', { step })
    if (node !== from) node.wipePrivateData()
    node = child
  }
  return node
}
