import { createHash } from 'node:crypto'
import type { WithdrawalFields } from './request.ts'

/** Names the fields, their order and their encoding (docs/concepts.md). */
const FORMAT = 'sluice/withdrawal/1'

/**
 * The canonical hash of a withdrawal: SHA-256, 64 hexadecimal digits. Covers the format and every
 * field in the order below, each as UTF-8 after its length in bytes (four bytes, big-endian); a
 * memo of null is an empty text.
 */
export function withdrawalHash(fields: WithdrawalFields): string {
  const { orgId, id, chainId, tokenId, amount, recipient, memo, reference, createdAt } = fields
  const hash = createHash('sha256')
  const parts = [FORMAT, orgId, id, chainId, tokenId, amount, recipient, memo ?? '', reference]
  for (const part of [...parts, createdAt]) {
    const bytes = Buffer.from(part, 'utf8')
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    hash.update(length).update(bytes)
  }
  return hash.digest('hex')
}
