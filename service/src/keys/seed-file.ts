import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { assert } from '../base/assert.ts'
import { iso } from '../base/clock.ts'
import type { Millis } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import { Refusal } from '../base/fault.ts'
import { Secret } from '../base/secret.ts'
import { draw } from './draw.ts'
import { frame } from './frame.ts'
import { createPrivateFile, readPrivateFile, refuseFile } from './private-file.ts'
import { Seed } from './seed.ts'
import type { SeedWrapper } from './wrap-seed.ts'

/** 24 words. */
const NEW_SEED_BYTES = 32
const WORD_COUNTS = [12, 15, 18, 21, 24]

/** Creates a seed and returns its 24 words (BIP-39, English). Throws an Outage like `draw`. */
export function createSeed(random: Random): Secret {
  const entropy = draw(random, NEW_SEED_BYTES)
  const words = entropyToMnemonic(entropy, wordlist)
  entropy.fill(0)
  return new Secret(words)
}

/**
 * Parses 12 to 24 words of BIP-39 (English, without a BIP-39 passphrase) in any case and spacing.
 * Refuses an invalid list with BAD_REQUEST, without repeating a word.
 */
export function importSeed(mnemonic: Secret): Seed {
  const words = mnemonic.reveal().trim().toLowerCase().split(/\s+/)
  if (!WORD_COUNTS.includes(words.length))
    refuseWords(`A seed has 12, 15, 18, 21 or 24 words, not ${words.length}.`)
  const unknown = words.findIndex((word) => !wordlist.includes(word))
  if (unknown >= 0) refuseWords(`Word ${unknown + 1} is not in the English list of BIP-39.`)
  return openSeed(entropyOf(words))
}

/** Base64 of exactly 16 bytes, exactly 12, and any number. */
const SALT = { pattern: '^[A-Za-z0-9+/]{22}==$' }
const NONCE = { pattern: '^[A-Za-z0-9+/]{16}$' }
const BASE64 = { pattern: '^[A-Za-z0-9+/]+={0,2}$', maxLength: 4_096 }
const GIB_IN_KIB = 1_048_576
/** argon2 needs at least 8 KiB for each lane. */
const LANES_MAX = 64

/** The seed file, version 1. The bounds limit what a corrupt file can cost. */
const SEALED_SEED = Type.Object({
  version: Type.Literal(1),
  kdf: Type.Union([
    Type.Object({
      name: Type.Literal('argon2id'),
      memoryKib: Type.Integer({ minimum: 8 * LANES_MAX, maximum: 4 * GIB_IN_KIB }),
      passes: Type.Integer({ minimum: 1, maximum: 100 }),
      lanes: Type.Integer({ minimum: 1, maximum: LANES_MAX }),
      salt: Type.String(SALT),
    }),
    Type.Object({ name: Type.Literal('key-file') }),
  ]),
  nonce: Type.String(NONCE),
  ciphertext: Type.String(BASE64),
  fingerprint: Type.String({ pattern: '^[0-9a-f]{8}$' }),
  createdAt: Type.String({ maxLength: 24 }),
})

/** The installation's seed at rest: BIP-39 entropy, encrypted with AES-256-GCM. */
export type SealedSeed = Static<typeof SEALED_SEED>

const FILE_BYTES_MAX = 65_536

/** Encrypts a seed. Throws Misconfigured for a short passphrase, and an Outage like `draw`. */
export async function sealSeed(
  seed: Seed,
  wrapper: SeedWrapper,
  { now }: { now: Millis },
): Promise<SealedSeed> {
  const label = { version: 1 as const, fingerprint: seed.fingerprint, createdAt: iso(now) }
  const entropy = seed.entropy()
  try {
    const { kdf, nonce, ciphertext } = await wrapper.wrap(entropy, boundOf(label))
    return { ...label, kdf, nonce, ciphertext }
  } finally {
    entropy.fill(0)
  }
}

/** Decrypts a seed. Throws Misconfigured if the passphrase or key is wrong, or the file changed. */
export async function unsealSeed(sealed: SealedSeed, wrapper: SeedWrapper): Promise<Seed> {
  const seed = openSeed(await wrapper.unwrap(sealed, boundOf(sealed)))
  // Authenticated with the entropy, so a difference means that our own derivation changed.
  assert(seed.fingerprint === sealed.fingerprint, 'the fingerprint of the seed changed', {
    now: seed.fingerprint,
    sealed: sealed.fingerprint,
  })
  return seed
}

/** Writes an encrypted seed to a new file (0600). Never overwrites. */
export function writeSeedFile(path: string, sealed: SealedSeed): void {
  createPrivateFile(path, Buffer.from(`${JSON.stringify(sealed, null, 2)}\n`, 'utf8'))
}

/**
 * Reads an encrypted seed. Throws Misconfigured if the file is missing, accessible to others, or
 * not a seed file of version 1.
 */
export function readSeedFile(path: string): SealedSeed {
  const content = Buffer.from(readPrivateFile(path, FILE_BYTES_MAX)).toString('utf8')
  const sealed = parseJson(content)
  if (Value.Check(SEALED_SEED, sealed)) return sealed
  return refuseFile(path, 'is not a seed file of version 1')
}

/** Authenticated with the ciphertext, so that the label cannot be changed. */
function boundOf(label: { version: number; fingerprint: string; createdAt: string }): Uint8Array {
  return frame(['sluice seed', label.version, label.fingerprint, label.createdAt])
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function entropyOf(words: readonly string[]): Uint8Array {
  try {
    return mnemonicToEntropy(words.join(' '), wordlist)
  } catch {
    // The library's error may contain words of the seed.
    return refuseWords('The checksum of the words is wrong. Check their spelling and order.')
  }
}

/** Copies the entropy into a seed and wipes it. */
function openSeed(entropy: Uint8Array): Seed {
  try {
    return new Seed(entropy)
  } finally {
    entropy.fill(0)
  }
}

function refuseWords(says: string): never {
  throw new Refusal('BAD_REQUEST', {}, says)
}
