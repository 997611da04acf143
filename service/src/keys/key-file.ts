import type { Random } from '../base/random.ts'
import { draw } from './draw.ts'
import { createPrivateFile, readPrivateFile, refuseFile } from './private-file.ts'

/** The length of every symmetric key. */
export const KEY_BYTES = 32

const HEX_KEY = /^[0-9a-fA-F]{64}\r?\n?$/
const FILE_BYTES_MAX = 66

/**
 * Reads a key of 32 bytes (raw, or 64 hexadecimal digits on one line) from a file that only its
 * owner may read. Throws Misconfigured otherwise. The caller wipes the key after use.
 */
export function readKeyFile(path: string): Uint8Array {
  const content = readPrivateFile(path, FILE_BYTES_MAX)
  if (content.length === KEY_BYTES) return content
  const text = Buffer.from(content).toString('latin1')
  content.fill(0)
  if (!HEX_KEY.test(text))
    refuseFile(path, 'does not contain a key of 32 bytes or 64 hexadecimal digits')
  return new Uint8Array(Buffer.from(text.trim(), 'hex'))
}

/** Creates a key and writes it as one line of hexadecimal digits (0600). Never overwrites. */
export function createKeyFile(path: string, random: Random): void {
  const key = draw(random, KEY_BYTES)
  const line = Buffer.from(`${Buffer.from(key).toString('hex')}\n`, 'latin1')
  try {
    createPrivateFile(path, line)
  } finally {
    key.fill(0)
    line.fill(0)
  }
}
