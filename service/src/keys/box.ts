import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

/** The length of the nonce of AES-GCM (NIST SP 800-38D, 8.2.2: random, 96 bits). */
export const NONCE_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

/** Parameters of `closeBox` and `openBox`. `bound` is authenticated but not stored in the box. */
export interface BoxTerms {
  /** 256 bits. */
  key: KeyObject
  /** 12 bytes; never reused with the same key. */
  nonce: Uint8Array
  bound: Uint8Array
}

/** AES-256-GCM; the tag of 16 bytes is appended. */
export function closeBox({ key, nonce, bound }: BoxTerms, plain: Uint8Array): Uint8Array {
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(bound)
  const parts = [cipher.update(plain), cipher.final(), cipher.getAuthTag()]
  return new Uint8Array(Buffer.concat(parts))
}

/** Returns null if key, nonce, bound or box differ from those of `closeBox`. */
export function openBox({ key, nonce, bound }: BoxTerms, box: Uint8Array): Uint8Array | null {
  if (nonce.length !== NONCE_BYTES || box.length < TAG_BYTES) return null
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(bound)
    .setAuthTag(box.subarray(box.length - TAG_BYTES))
  const plain = decipher.update(box.subarray(0, box.length - TAG_BYTES))
  if (finishes(decipher)) return plain
  plain.fill(0)
  return null
}

function finishes(decipher: { final(): Buffer }): boolean {
  try {
    decipher.final()
    return true
  } catch {
    return false
  }
}
