import { assert } from '../../base/assert.ts'
import type { CoinPoint } from '../../chains/port.ts'

const HASH_BYTES = 32
const POINT_BYTES = HASH_BYTES + 4
/**
 * Of a transaction that spends more than this only the first are kept: any one of them proves what
 * all prove, and nobody is to fill the database for us.
 */
const POINTS_MAX = 1_000

/** Outpoints as bytes: the hash as it is written, and the number of the output (big-endian). */
export function bytesOfPoints(points: readonly CoinPoint[]): Buffer {
  const kept = points.slice(0, POINTS_MAX)
  const bytes = Buffer.alloc(kept.length * POINT_BYTES)
  kept.forEach(({ txnHash, vout }, at) => {
    const written = bytes.write(txnHash, at * POINT_BYTES, HASH_BYTES, 'hex')
    assert(written === HASH_BYTES, 'a hash that is not 32 bytes', { txnHash })
    bytes.writeUInt32BE(vout, at * POINT_BYTES + HASH_BYTES)
  })
  return bytes
}

/** The outpoints that these bytes are. */
export function pointsOfBytes(bytes: Uint8Array): CoinPoint[] {
  const all = Buffer.from(bytes)
  return Array.from({ length: all.length / POINT_BYTES }, (_, at) => {
    const from = at * POINT_BYTES
    return {
      txnHash: all.toString('hex', from, from + HASH_BYTES),
      vout: all.readUInt32BE(from + HASH_BYTES),
    }
  })
}
