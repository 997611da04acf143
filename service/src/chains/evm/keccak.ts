import { keccak_256 } from '@noble/hashes/sha3.js'
import { createKeccak } from 'hash-wasm'

/** Keccak-256 by audited code, for issued addresses and for signatures. */
export function keccak(bytes: Uint8Array): Uint8Array {
  return keccak_256(bytes)
}

const inBulk = await createKeccak(256)

/**
 * Keccak-256 in WebAssembly, five to ten times as fast: for answers of nodes, of which a block
 * needs thousands of hashes, and for the spelling of addresses. A wrong hash here can only refuse a
 * valid block.
 */
export function keccakInBulk(bytes: Uint8Array): Uint8Array {
  return inBulk.init().update(bytes).digest('binary')
}
