import { assert } from '../../base/assert.ts'
import { doubleHash } from './hashes.ts'
import type { RawOutput, RawTransaction } from './raw-transaction.ts'
import { outputBytes, pointBytes, uint32, uint64 } from './write-bytes.ts'

const SIGHASH_ALL = 1
const CODE_HEAD = Buffer.from('1976a914', 'hex')
const CODE_TAIL = Buffer.from('88ac', 'hex')

/**
 * The message that each input of a P2WPKH output signs, before its two hashes (BIP-143,
 * SIGHASH_ALL). The parts that all inputs share are hashed once.
 */
export function keyHashPreimages({
  version,
  inputs,
  outputs,
  lockTime,
}: RawTransaction): (coin: RawOutput, at: number) => Buffer {
  const points = doubleHash(...inputs.map(pointBytes))
  const sequences = doubleHash(...inputs.map(({ sequence }) => uint32(sequence)))
  const paid = doubleHash(...outputs.map(outputBytes))
  const head = Buffer.concat([uint32(version >>> 0), points, sequences])
  const tail = Buffer.concat([paid, uint32(lockTime), uint32(SIGHASH_ALL)])
  return ({ script, value }, at) => {
    const input = inputs[at]
    assert(input !== undefined, 'no such input', { at })
    const code = Buffer.concat([CODE_HEAD, script.subarray(2), CODE_TAIL])
    const own = [pointBytes(input), code, uint64(value), uint32(input.sequence)]
    return Buffer.concat([head, ...own, tail])
  }
}
