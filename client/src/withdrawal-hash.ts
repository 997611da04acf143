import type { Withdrawal } from './generated.ts'

/** The fields of a withdrawal that its hash covers, as the API returns them. */
export type HashedWithdrawal = Pick<
  Withdrawal,
  | 'orgId'
  | 'id'
  | 'chainId'
  | 'tokenId'
  | 'amount'
  | 'recipient'
  | 'memo'
  | 'reference'
  | 'createdAt'
>

/** Names the fields, their order and their encoding; another one gets another name. */
const FORMAT = 'sluice/withdrawal/1'
const LENGTH_BYTES = 4

/**
 * The canonical hash of a withdrawal: SHA-256 as 64 lower-case hexadecimal digits. Two people who
 * see the same hash see the same payment, on any device and in any program.
 *
 * Covers, in this order: `sluice/withdrawal/1`, `orgId`, `id`, `chainId`, `tokenId`, `amount`,
 * `recipient`, `memo` (null as an empty text), `reference`, `createdAt`. Each is UTF-8, preceded by
 * its length in bytes as a big-endian number of four bytes, so that no two withdrawals have the
 * same input. Status and approvals are not covered: they change.
 *
 * Throws a TypeError where the platform has no WebCrypto, as a browser on a page without HTTPS.
 */
export async function withdrawalHash(withdrawal: HashedWithdrawal): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', inputOf(withdrawal))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function inputOf(withdrawal: HashedWithdrawal): Uint8Array<ArrayBuffer> {
  const { orgId, id, chainId, tokenId, amount, recipient, memo, reference, createdAt } = withdrawal
  const encoder = new TextEncoder()
  const fields = [FORMAT, orgId, id, chainId, tokenId, amount, recipient, memo ?? '', reference]
  const parts = [...fields, createdAt].map((field) => encoder.encode(field))
  const length = parts.reduce((sum, part) => sum + LENGTH_BYTES + part.length, 0)
  const input = new Uint8Array(length)
  const view = new DataView(input.buffer)
  let at = 0
  for (const part of parts) {
    view.setUint32(at, part.length)
    input.set(part, at + LENGTH_BYTES)
    at += LENGTH_BYTES + part.length
  }
  return input
}
