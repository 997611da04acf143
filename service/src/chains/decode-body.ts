import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { codeOf } from '../base/fault.ts'

type Decode = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

/** By name (RFC 9110, 8.4.1). */
const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}
const TOO_LONG_CODE = 'ERR_BUFFER_TOO_LARGE'

/**
 * The content codings of a header in lower case and in the order in which they were applied,
 * without `identity`.
 */
export function codingsIn(header: string | readonly string[] | undefined): readonly string[] {
  return [header ?? []]
    .flat()
    .join(',')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
}

/** Whether a body in this coding can be decoded. */
export function isCoding(coding: string): boolean {
  return Object.hasOwn(DECODERS, coding)
}

/**
 * Decodes a body. No step produces more than `bytesMax` bytes, so a small body cannot fill the
 * memory.
 */
export async function decodeBody(
  body: Buffer,
  codings: readonly string[],
  bytesMax: number,
): Promise<Buffer | 'too-long' | 'malformed'> {
  try {
    let decoded = body
    for (const coding of codings.toReversed()) {
      const decode = DECODERS[coding]
      if (decode === undefined) return 'malformed'
      decoded = await decode(decoded, { maxOutputLength: bytesMax })
    }
    return decoded
  } catch (error) {
    return codeOf(error) === TOO_LONG_CODE ? 'too-long' : 'malformed'
  }
}
