import { pbkdf2Sync } from 'node:crypto'
import { HDKey } from '@scure/bip32'
import { entropyToMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { assert } from '../base/assert.ts'
import { Secret } from '../base/secret.ts'

/** The seed of an installation, opened. It prints as nothing; `destroy` wipes it. */
export class Seed {
  /**
   * BIP-32's fingerprint of the root key, 8 hexadecimal digits: tells seeds apart and is no secret.
   */
  readonly fingerprint: string
  readonly #entropy: Uint8Array
  readonly #master: Uint8Array
  #destroyed = false

  /** Takes 16 to 32 bytes of BIP-39 entropy and copies them; the caller may wipe its own. */
  constructor(entropy: Uint8Array) {
    this.#entropy = Uint8Array.from(entropy)
    this.#master = stretch(entropyToMnemonic(entropy, wordlist))
    const root = this.root()
    this.fingerprint = root.fingerprint.toString(16).padStart(8, '0')
    root.wipePrivateData()
  }

  /** The words to write down. A JavaScript text cannot be wiped: ask for them only to show them. */
  words(): Secret {
    this.#check()
    return new Secret(entropyToMnemonic(this.#entropy, wordlist))
  }

  /** A copy of the entropy, for sealing; the caller wipes it. */
  entropy(): Uint8Array {
    this.#check()
    return Uint8Array.from(this.#entropy)
  }

  /** The root of the tree of keys (BIP-32); the caller wipes it. Never let it out of this room. */
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
 * BIP-39: the words, with no passphrase of their own, as 64 bytes. OpenSSL's, for the library's in
 * JavaScript took a quarter of a second at every start.
 */
function stretch(words: string): Uint8Array {
  return pbkdf2Sync(words, 'mnemonic', 2_048, 64, 'sha512')
}
