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
import type { Dice } from '../base/dice.ts'
import { NONCE_BYTES, closeBox, openBox } from './box.ts'
import { draw } from './draw.ts'
import { frame } from './frame.ts'
import type { Field } from './frame.ts'
import { KEY_BYTES, createKeyFile, readKeyFile } from './key-file.ts'

/**
 * The second root of secrecy beside the seed (engineering, 7): seals the TOTP and webhook secrets
 * that the database keeps, and MACs the rows that a writer of the database must not be able to
 * forge. Never in the database itself.
 */
export interface ServiceKey {
  /**
   * Encrypts a text. `purpose` names the kind of secret and has a key of its own; `context` names
   * the row, so that a blob moved to another row does not open. Throws an Outage where the dice
   * fail.
   */
  seal(purpose: string, context: string, text: string): Uint8Array
  /** The reverse. Throws a Bug where purpose, context or blob are not those it was sealed with. */
  open(purpose: string, context: string, blob: Uint8Array): string
  /**
   * HMAC-SHA256 over fields, 32 bytes. Text, numbers and null stay apart: `1`, `'1'` and `null`
   * differ.
   */
  mac(purpose: string, fields: readonly Field[]): Uint8Array
  /** Whether a MAC is the one of these fields; in constant time. */
  verify(purpose: string, fields: readonly Field[], mac: Uint8Array): boolean
  /** An Ed25519 key pair (RFC 8032) of this purpose's own, the same for the same service key. */
  keyPair(purpose: string): KeyPair
}

/** Handles of keys whose bytes lie outside the heap; neither prints what it is. */
export interface KeyPair {
  privateKey: KeyObject
  publicKey: KeyObject
}

/** PKCS #8 of an Ed25519 private key (RFC 8410, section 7): this, then the 32 bytes of its seed. */
const ED25519_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Takes a key of 32 bytes and keeps a copy of its own outside the heap; the caller may wipe the
 * bytes.
 */
export function openServiceKey(options: { key: Uint8Array; dice: Dice }): ServiceKey {
  assert(options.key.length === KEY_BYTES, 'a service key has 32 bytes')
  return new HeldServiceKey(createSecretKey(options.key), options.dice)
}

/**
 * Opens the service key in a file. Refuses, in words, a file that is missing, unfit or open to
 * others.
 */
export function loadServiceKey(path: string, dice: Dice): ServiceKey {
  const key = readKeyFile(path)
  try {
    return openServiceKey({ key, dice })
  } finally {
    key.fill(0)
  }
}

/**
 * Makes the file (0600) with a new key, and opens it. Refuses to overwrite; throws an Outage where
 * the dice fail.
 */
export function createServiceKeyFile(path: string, dice: Dice): ServiceKey {
  createKeyFile(path, dice)
  return loadServiceKey(path, dice)
}

/**
 * The first byte of a sealed blob: AES-256-GCM, then 12 bytes of nonce, the text, 16 bytes of tag.
 */
const SEALED_V1 = 1
const NONCE_END = 1 + NONCE_BYTES

class HeldServiceKey implements ServiceKey {
  readonly #root: KeyObject
  readonly #dice: Dice
  /** Derived keys by use; uses are few, since purposes are constants of the code. */
  readonly #keys = new Map<string, KeyObject>()

  constructor(root: KeyObject, dice: Dice) {
    this.#root = root
    this.#dice = dice
  }

  seal(purpose: string, context: string, text: string): Uint8Array {
    const nonce = draw(this.#dice, NONCE_BYTES)
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
