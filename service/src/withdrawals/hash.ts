import { createHash } from 'node:crypto'
import { iso } from '../base/clock.ts'
import { displayAddress } from '../chains/format-address.ts'
import type { Requested } from './withdrawal.ts'

/** Names the fields, their order and their encoding (docs/concepts.md). */
const FORMAT = 'sluice/withdrawal/1'
const LENGTH_BYTES = 4

/**
 * The canonical hash of a withdrawal (docs/concepts.md), 32 bytes: SHA-256 over the format and the
 * fields as the API returns them, each after its length. A passkey that approves signs it.
 */
export function withdrawalHash(withdrawal: Requested): Uint8Array {
  const { orgId, id, chainId, tokenId, amount, recipient, memo, reference, createdAt } = withdrawal
  const payment = [amount.toString(), displayAddress(chainId, recipient), memo ?? '']
  const hash = createHash('sha256')
  for (const field of [
    FORMAT,
    orgId,
    id,
    chainId,
    tokenId,
    ...payment,
    reference,
    iso(createdAt),
  ]) {
    const bytes = Buffer.from(field, 'utf8')
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeUInt32BE(bytes.length)
    hash.update(length).update(bytes)
  }
  return new Uint8Array(hash.digest())
}
