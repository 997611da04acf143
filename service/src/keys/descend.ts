import type { HDKey } from '@scure/bip32'
import { assert } from '../base/assert.ts'

/**
 * Derives the private node that lies `steps` under another one (BIP-32), wiping those between. The
 * caller wipes what it gets, unless there are no steps: then it is the node itself.
 */
export function descend(from: HDKey, steps: readonly number[]): HDKey {
  let node = from
  for (const step of steps) {
    const child = node.deriveChild(step)
    // The library takes the next index where a key is invalid (once in 2^127): we would issue that
    // one twice.
    assert(child.index === step, 'a derived key has another index than asked for', { step })
    if (node !== from) node.wipePrivateData()
    node = child
  }
  return node
}
