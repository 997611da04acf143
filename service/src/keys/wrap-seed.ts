import { hashRaw } from '@node-rs/argon2'
import { createSecretKey, hkdfSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { assert } from '../base/assert.ts'
import type { Dice } from '../base/dice.ts'
import { Misconfigured } from '../base/fault.ts'
import type { Secret } from '../base/secret.ts'
import { NONCE_BYTES, closeBox, openBox } from './box.ts'
import { draw } from './draw.ts'
import { KEY_BYTES, readKeyFile } from './key-file.ts'

/** How much work one guess of a passphrase costs (argon2id, RFC 9106). */
export interface Argon2Cost {
  memoryKib: number
  passes: number
  lanes: number
}

/** How the key that closes a seed comes about. A KMS will add a kind of its own. */
export type Kdf = ({ name: 'argon2id'; salt: string } & Argon2Cost) | { name: 'key-file' }

/** A closed secret as it lies in the file; nonce, salt and ciphertext are base64. */
export interface WrappedSecret {
  kdf: Kdf
  nonce: string
  ciphertext: string
}

/**
 * Closes and opens the seed: by a passphrase, by a key file, later by a KMS. `bound` is
 * authenticated beside it and must be the same both times.
 */
export interface SeedWrapper {
  wrap(plain: Uint8Array, bound: Uint8Array): Promise<WrappedSecret>
  /** Refuses what it did not close, or what has been changed. The caller wipes what it gets. */
  unwrap(wrapped: WrappedSecret, bound: Uint8Array): Promise<Uint8Array>
}

/** The second recommended choice of RFC 9106, section 4: 64 MiB, three passes, four lanes. */
export const SEED_COST: Argon2Cost = { memoryKib: 65_536, passes: 3, lanes: 4 }

const PASSPHRASE_LENGTH_MIN = 12
const SALT_BYTES = 16
/**
 * argon2id as a number: the library's own name for it is a constant that TypeScript cannot inline
 * here.
 */
const ARGON2ID = 2

/**
 * A wrapper with a key drawn from a passphrase. A file is opened with the cost it was closed with;
 * `cost` is for closing and below the default only in tests and the sandbox. Refuses to close with
 * less than 12 characters.
 */
export function wrapByPassphrase(options: {
  passphrase: Secret
  dice: Dice
  cost?: Argon2Cost
}): SeedWrapper {
  const { passphrase, dice, cost = SEED_COST } = options
  return {
    wrap: async (plain, bound) => {
      checkLength(passphrase)
      const kdf = { name: 'argon2id' as const, ...cost, salt: toBase64(draw(dice, SALT_BYTES)) }
      return close({ kdf, key: await stretch(passphrase, kdf), dice }, plain, bound)
    },
    unwrap: async ({ kdf, nonce, ciphertext }, bound) => {
      if (kdf.name !== 'argon2id') return refuse('The seed is not sealed with a passphrase.')
      const terms = { key: await stretch(passphrase, kdf), nonce: fromBase64(nonce), bound }
      return (
        openBox(terms, fromBase64(ciphertext)) ??
        refuse('The passphrase is wrong, or the sealed seed has been changed: it does not open.')
      )
    },
  }
}

/** A wrapper with a key of 32 bytes in a file of its own (`readKeyFile`), read anew each time. */
export function wrapByKeyFile(options: { path: string; dice: Dice }): SeedWrapper {
  const { path, dice } = options
  return {
    wrap: async (plain, bound) => {
      const kdf = { name: 'key-file' as const }
      return close({ kdf, key: keyFromFile(path), dice }, plain, bound)
    },
    unwrap: async ({ kdf, nonce, ciphertext }, bound) => {
      if (kdf.name !== 'key-file') return refuse('The seed is not sealed with a key file.')
      const terms = { key: keyFromFile(path), nonce: fromBase64(nonce), bound }
      return (
        openBox(terms, fromBase64(ciphertext)) ??
        refuse(
          'The key file is another one, or the sealed seed has been changed: it does not open.',
        )
      )
    },
  }
}

function close(
  { kdf, key, dice }: { kdf: Kdf; key: KeyObject; dice: Dice },
  plain: Uint8Array,
  bound: Uint8Array,
): WrappedSecret {
  const nonce = draw(dice, NONCE_BYTES)
  const ciphertext = closeBox({ key, nonce, bound }, plain)
  return { kdf, nonce: toBase64(nonce), ciphertext: toBase64(ciphertext) }
}

/**
 * argon2id, version 1.3, of the passphrase in NFKC: the same text however a keyboard composes it.
 */
async function stretch(
  passphrase: Secret,
  { memoryKib, passes, lanes, salt }: Argon2Cost & { salt: string },
): Promise<KeyObject> {
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

/**
 * The file's key is not used itself: the same file given for the service key would still be another
 * key.
 */
function keyFromFile(path: string): KeyObject {
  const secret = readKeyFile(path)
  const bytes = new Uint8Array(hkdfSync('sha256', secret, '', 'sluice/v1/seed', KEY_BYTES))
  secret.fill(0)
  return intoKey(bytes)
}

function intoKey(bytes: Uint8Array): KeyObject {
  assert(bytes.length === KEY_BYTES, 'a key of another length than asked for')
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
