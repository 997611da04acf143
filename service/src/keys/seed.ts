import { pbkdf2Sync } from 'node:crypto'
import { HDKey } from '@scure/bip32'
import { entropyToMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { assert } from '../base/assert.ts'
import { Secret } from '../base/secret.ts'

/** The decrypted seed of an installation. It has no printable fields; `destroy` wipes it. */
export class Seed {
  /** BIP-32 fingerprint of the root key: 8 hexadecimal digits, not secret. */
  readonly fingerprint: string
  readonly #entropy: Uint8Array
  readonly #master: Uint8Array
  #destroyed = false

  /** Copies 16 to 32 bytes of BIP-39 entropy; the caller may wipe them. */
  constructor(entropy: Uint8Array) {
    this.#entropy = Uint8Array.from(entropy)
    this.#master = stretch(entropyToMnemonic(entropy, wordlist))
    const root = this.root()
    this.fingerprint = root.fingerprint.toString(16).padStart(8, '0')
    root.wipePrivateData()
  }

  /** The words to write down. A string cannot be wiped, so call this only to show them. */
  words(): Secret {
    this.#check()
    return new Secret(entropyToMnemonic(this.#entropy, wordlist))
  }

  /** A copy of the entropy for encryption; the caller wipes it. */
  entropy(): Uint8Array {
    this.#check()
    return Uint8Array.from(this.#entropy)
  }

  /** The root key (BIP-32). Only for this module; the caller wipes it. */
  root(): HDKey {
    this.#check()
    return HDKey.fromMasterSeed(this.#master)
  }

  destroy(): void {
    this.#destroyed = true
    this.#entropy.fill(0)
    this.#master.fill(0)
  }

  #check(): void {
    assert(!this.#destroyed, 'the seed has been destroyed')
  }
}

/**
 * The BIP-39 seed of 64 bytes, without a passphrase. OpenSSL's PBKDF2, because the library's in
 * JavaScript took a quarter of a second.
 */
function stretch(words: string): Uint8Array {
  return pbkdf2Sync(words, 'mnemonic', 2_048, 64, 'sha512')
}
