import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  hkdfSync,
  timingSafeEqual,
} from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { assert } from '../base/assert.ts'
import type { Random } from '../base/random.ts'
import { NONCE_BYTES, closeBox, openBox } from './box.ts'
import { draw } from './draw.ts'
import { frame } from './frame.ts'
import type { Field } from './frame.ts'
import { KEY_BYTES, createKeyFile, readKeyFile } from './key-file.ts'

/**
 * The second root secret beside the seed, never stored in the database. It encrypts TOTP and
 * webhook secrets, and authenticates the rows that a writer of the database must not be able to
 * forge.
 */
export interface ServiceKey {
  /**
   * Encrypts a text. Each `purpose`, the kind of secret, has a separate key. `context` names the
   * row, so that a blob moved to another row cannot be decrypted. Throws an Outage like `draw`.
   */
  seal(purpose: string, context: string, text: string): Uint8Array
  /** Decrypts a text. Throws a Bug if purpose, context or blob differ from those of `seal`. */
  open(purpose: string, context: string, blob: Uint8Array): string
  /** HMAC-SHA256 over fields, 32 bytes; `1`, `'1'` and `null` are different fields. */
  mac(purpose: string, fields: readonly Field[]): Uint8Array
  /** Verifies a MAC in constant time. */
  verify(purpose: string, fields: readonly Field[], mac: Uint8Array): boolean
  /** The Ed25519 key pair (RFC 8032) derived for a purpose. */
  keyPair(purpose: string): KeyPair
}

/** Key handles; the bytes are outside the heap and never printed. */
export interface KeyPair {
  privateKey: KeyObject
  publicKey: KeyObject
}

/** PKCS #8 of an Ed25519 private key (RFC 8410, section 7) before the 32 bytes of its seed. */
const ED25519_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Copies a key of 32 bytes to outside the heap; the caller may wipe the bytes. */
export function openServiceKey(options: { key: Uint8Array; random: Random }): ServiceKey {
  assert(options.key.length === KEY_BYTES, 'a service key has 32 bytes')
  return new HeldServiceKey(createSecretKey(options.key), options.random)
}

/** Loads the service key from a file. Throws Misconfigured like `readKeyFile`. */
export function loadServiceKey(path: string, random: Random): ServiceKey {
  const key = readKeyFile(path)
  try {
    return openServiceKey({ key, random })
  } finally {
    key.fill(0)
  }
}

/** Creates a service key file (0600). Never overwrites; throws an Outage like `draw`. */
export function createServiceKeyFile(path: string, random: Random): ServiceKey {
  createKeyFile(path, random)
  return loadServiceKey(path, random)
}

/** First byte of a blob: AES-256-GCM with 12 bytes of nonce, the text, 16 bytes of tag. */
const SEALED_V1 = 1
const NONCE_END = 1 + NONCE_BYTES

class HeldServiceKey implements ServiceKey {
  readonly #root: KeyObject
  readonly #random: Random
  /** Derived keys by use. Uses are few, because purposes are constants. */
  readonly #keys = new Map<string, KeyObject>()

  constructor(root: KeyObject, random: Random) {
    this.#root = root
    this.#random = random
  }

  seal(purpose: string, context: string, text: string): Uint8Array {
    const nonce = draw(this.#random, NONCE_BYTES)
    const plain = Buffer.from(text, 'utf8')
    const box = closeBox({ ...this.#terms(purpose, context), nonce }, plain)
    plain.fill(0)
    return new Uint8Array(Buffer.concat([Uint8Array.of(SEALED_V1), nonce, box]))
  }

  open(purpose: string, context: string, blob: Uint8Array): string {
    const terms = { ...this.#terms(purpose, context), nonce: blob.subarray(1, NONCE_END) }
    const plain = blob[0] === SEALED_V1 ? openBox(terms, blob.subarray(NONCE_END)) : null
    assert(plain !== null, 'a sealed value does not open', { purpose, context })
    const text = Buffer.from(plain).toString('utf8')
    plain.fill(0)
    return text
  }

  mac(purpose: string, fields: readonly Field[]): Uint8Array {
    const hmac = createHmac('sha256', this.#key(`mac/${purpose}`))
    return new Uint8Array(hmac.update(frame(fields)).digest())
  }

  verify(purpose: string, fields: readonly Field[], mac: Uint8Array): boolean {
    const right = this.mac(purpose, fields)
    return mac.length === right.length && timingSafeEqual(right, mac)
  }

  keyPair(purpose: string): KeyPair {
    const seed = this.#key(`ed25519/${purpose}`).export()
    const der = Buffer.concat([ED25519_HEAD, seed])
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    for (const bytes of [seed, der]) bytes.fill(0)
    return { privateKey, publicKey: createPublicKey(privateKey) }
  }

  #terms(purpose: string, context: string): { key: KeyObject; bound: Uint8Array } {
    return { key: this.#key(`seal/${purpose}`), bound: frame([SEALED_V1, purpose, context]) }
  }

  #key(use: string): KeyObject {
    const known = this.#keys.get(use)
    if (known) return known
    const bytes = new Uint8Array(hkdfSync('sha256', this.#root, '', `sluice/v1/${use}`, KEY_BYTES))
    const key = createSecretKey(bytes)
    bytes.fill(0)
    this.#keys.set(use, key)
    return key
  }
}
