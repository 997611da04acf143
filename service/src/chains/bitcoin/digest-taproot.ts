import { sha256 } from './hashes.ts'
import type { RawOutput, RawTransaction } from './raw-transaction.ts'
import { outputBytes, pointBytes, scriptBytes, uint32, uint64 } from './write-bytes.ts'

/** BIP-341: the hash type for "all", which is not written into the signature. */
const SIGHASH_DEFAULT = 0
const EPOCH = 0
/** No script, no annex. */
const KEY_PATH = 0
/** BIP-340: the hash of the tag, twice. */
const TAG = Buffer.concat([sha256(Buffer.from('TapSighash')), sha256(Buffer.from('TapSighash'))])

/**
 * The message that each input of a P2TR output signs by its key (BIP-341, SIGHASH_DEFAULT). All
 * spent outputs are needed, in the order of the inputs: each signature covers their amounts. The
 * parts that all inputs share are hashed once.
 */
export function taprootDigests(
  { version, inputs, outputs, lockTime }: RawTransaction,
  spent: readonly RawOutput[],
): (at: number) => Buffer {
  const common = Buffer.concat([
    Buffer.of(EPOCH, SIGHASH_DEFAULT),
    uint32(version >>> 0),
    uint32(lockTime),
    hashOf(inputs.map(pointBytes)),
    hashOf(spent.map(({ value }) => uint64(value))),
    hashOf(spent.map(({ script }) => scriptBytes(script))),
    hashOf(inputs.map(({ sequence }) => uint32(sequence))),
    hashOf(outputs.map(outputBytes)),
    Buffer.of(KEY_PATH),
  ])
  return (at) => sha256(Buffer.concat([TAG, common, uint32(at)]))
}

function hashOf(parts: readonly Buffer[]): Buffer {
  return sha256(Buffer.concat(parts))
}
