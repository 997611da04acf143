import { createSecretKey, hkdfSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { assert } from '../base/assert.ts'
import type { Random } from '../base/random.ts'
import { Misconfigured } from '../base/fault.ts'
import type { Secret } from '../base/secret.ts'
import { NONCE_BYTES, closeBox, openBox } from './box.ts'
import { draw } from './draw.ts'
import { KEY_BYTES, readKeyFile } from './key-file.ts'

/** The cost of one guess of a passphrase (argon2id, RFC 9106). */
export interface Argon2Cost {
  memoryKib: number
  passes: number
  lanes: number
}

/** How the key that encrypts a seed is obtained. A KMS would be another kind. */
export type Kdf = ({ name: 'argon2id'; salt: string } & Argon2Cost) | { name: 'key-file' }

/** An encrypted secret in a file; nonce, salt and ciphertext are base64. */
export interface WrappedSecret {
  kdf: Kdf
  nonce: string
  ciphertext: string
}

/**
 * Encrypts and decrypts the seed with a passphrase or a key file. `bound` is authenticated too and
 * must be the same for both.
 */
export interface SeedWrapper {
  wrap(plain: Uint8Array, bound: Uint8Array): Promise<WrappedSecret>
  /** Throws Misconfigured if it cannot be decrypted. The caller wipes the result. */
  unwrap(wrapped: WrappedSecret, bound: Uint8Array): Promise<Uint8Array>
}

/** The second recommended option of RFC 9106, section 4. */
export const SEED_COST: Argon2Cost = { memoryKib: 65_536, passes: 3, lanes: 4 }

const PASSPHRASE_LENGTH_MIN = 12
const SALT_BYTES = 16
/** argon2id: the library's const enum cannot be used with isolated modules. */
const ARGON2ID = 2

/**
 * Wraps with a key derived from a passphrase of at least 12 characters. `cost` applies to wrapping
 * and is lower only in tests and the sandbox; unwrapping uses the cost in the file.
 */
export function wrapByPassphrase(options: {
  passphrase: Secret
  random: Random
  cost?: Argon2Cost
}): SeedWrapper {
  const { passphrase, random, cost = SEED_COST } = options
  return {
    wrap: async (plain, bound) => {
      checkLength(passphrase)
      const kdf = { name: 'argon2id' as const, ...cost, salt: toBase64(draw(random, SALT_BYTES)) }
      return close({ kdf, key: await stretch(passphrase, kdf), random }, plain, bound)
    },
    unwrap: async ({ kdf, nonce, ciphertext }, bound) => {
      if (kdf.name !== 'argon2id') return refuse('The seed is not sealed with a passphrase.')
      const terms = { key: await stretch(passphrase, kdf), nonce: fromBase64(nonce), bound }
      return (
        openBox(terms, fromBase64(ciphertext)) ??
        refuse('The seed cannot be decrypted: the passphrase is wrong, or the file was changed.')
      )
    },
  }
}

/** Wraps with a key file (`readKeyFile`), which is read at each use. */
export function wrapByKeyFile(options: { path: string; random: Random }): SeedWrapper {
  const { path, random } = options
  return {
    wrap: async (plain, bound) => {
      const kdf = { name: 'key-file' as const }
      return close({ kdf, key: keyFromFile(path), random }, plain, bound)
    },
    unwrap: async ({ kdf, nonce, ciphertext }, bound) => {
      if (kdf.name !== 'key-file') return refuse('The seed is not sealed with a key file.')
      const terms = { key: keyFromFile(path), nonce: fromBase64(nonce), bound }
      return (
        openBox(terms, fromBase64(ciphertext)) ??
        refuse('The seed cannot be decrypted: the key file is wrong, or the seed file was changed.')
      )
    },
  }
}

function close(
  { kdf, key, random }: { kdf: Kdf; key: KeyObject; random: Random },
  plain: Uint8Array,
  bound: Uint8Array,
): WrappedSecret {
  const nonce = draw(random, NONCE_BYTES)
  const ciphertext = closeBox({ key, nonce, bound }, plain)
  return { kdf, nonce: toBase64(nonce), ciphertext: toBase64(ciphertext) }
}

/** argon2id 1.3 of the passphrase in NFKC, so that the keyboard layout does not matter. */
async function stretch(
  passphrase: Secret,
  { memoryKib, passes, lanes, salt }: Argon2Cost & { salt: string },
): Promise<KeyObject> {
  const { hashRaw } = await import('@node-rs/argon2')
  const text = Buffer.from(passphrase.reveal().normalize('NFKC'), 'utf8')
  const bytes = await hashRaw(text, {
    algorithm: ARGON2ID,
    memoryCost: memoryKib,
    timeCost: passes,
    parallelism: lanes,
    outputLen: KEY_BYTES,
    salt: fromBase64(salt),
  }).finally(() => text.fill(0))
  return intoKey(bytes)
}

/** Derives the key from the file, so that the service key in the same file would still differ. */
function keyFromFile(path: string): KeyObject {
  const secret = readKeyFile(path)
  const bytes = new Uint8Array(hkdfSync('sha256', secret, '', 'sluice/v1/seed', KEY_BYTES))
  secret.fill(0)
  return intoKey(bytes)
}

function intoKey(bytes: Uint8Array): KeyObject {
  assert(bytes.length === KEY_BYTES, 'a key of the wrong length')
  const key = createSecretKey(bytes)
  bytes.fill(0)
  return key
}

function checkLength(passphrase: Secret): void {
  if (passphrase.reveal().length >= PASSPHRASE_LENGTH_MIN) return
  refuse(`A passphrase for the seed needs at least ${PASSPHRASE_LENGTH_MIN} characters.`)
}

function refuse(says: string): never {
  throw new Misconfigured(says)
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'))
}
