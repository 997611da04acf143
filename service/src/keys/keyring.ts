import { assert } from '../base/assert.ts'
import type { HDKey } from '@scure/bip32'
import { descend } from './descend.ts'
import { accountStepsOf, branchStepsOf, checkIndex, isTaproot } from './paths.ts'
import type { AccountPath, DerivationPath } from './paths.ts'
import { readSeedFile, unsealSeed } from './seed-file.ts'
import type { Seed } from './seed.ts'
import { signDigest } from './sign-digest.ts'
import type { Signature } from './sign-digest.ts'
import { signTaproot } from './sign-taproot.ts'
import type { SeedWrapper } from './wrap-seed.ts'

/**
 * All that the house may ask of the seed. What comes out is public keys, xpubs and signatures; a
 * signer in a process of its own, or a KMS, can stand behind the same calls later.
 */
export interface Keyring {
  /** Of the seed, 8 hexadecimal digits; no secret. */
  readonly fingerprint: string
  /**
   * The xpub at `m/purpose'/coin'/wallet'`. Ask it of deposit wallets alone: with one leaf's key it
   * opens all.
   */
  accountXpub(at: AccountPath): string
  /** 33 bytes, compressed. */
  publicKey(at: DerivationPath): Uint8Array
  /**
   * Signs a digest of 32 bytes, in the one way that its path allows: by ECDSA (RFC 6979, low s), or
   * on paths of P2TR by BIP-340 with the tweaked key of BIP-341. No key ever signs in both.
   */
  sign(at: DerivationPath, digest: Uint8Array): Signature
  /** Wipes every key. What is asked afterwards is a Bug. */
  destroy(): void
}

/** Opens the keyring of a seed. It keeps keys of its own: the seed can be destroyed. */
export function openKeyring(seed: Seed): Keyring {
  return new SeedKeyring(seed)
}

/**
 * From the file straight to the keyring, with no seed left over. Refuses as `readSeedFile` and
 * `unsealSeed` do.
 */
export async function unlockKeyring(path: string, wrapper: SeedWrapper): Promise<Keyring> {
  const seed = await unsealSeed(readSeedFile(path), wrapper)
  try {
    return openKeyring(seed)
  } finally {
    seed.destroy()
  }
}

/** Branches whose nodes are kept, so that a signature costs one derivation and not five. */
const BRANCHES_MAX = 64

class SeedKeyring implements Keyring {
  readonly fingerprint: string
  readonly #root: HDKey
  readonly #branches = new Map<string, HDKey>()
  #destroyed = false

  constructor(seed: Seed) {
    this.fingerprint = seed.fingerprint
    this.#root = seed.root()
  }

  accountXpub(at: AccountPath): string {
    this.#check()
    const account = descend(this.#root, accountStepsOf(at))
    account.wipePrivateData()
    return account.publicExtendedKey
  }

  publicKey(at: DerivationPath): Uint8Array {
    return this.#withLeaf(at, ({ publicKey }) => {
      assert(publicKey !== null, 'a key without its public half')
      return publicKey
    })
  }

  sign(at: DerivationPath, digest: Uint8Array): Signature {
    return this.#withLeaf(at, ({ privateKey }) => {
      assert(privateKey !== null, 'a key without its private half')
      try {
        return isTaproot(at) ? signTaproot(privateKey, digest) : signDigest(privateKey, digest)
      } finally {
        privateKey.fill(0)
      }
    })
  }

  destroy(): void {
    this.#destroyed = true
    this.#root.wipePrivateData()
    for (const branch of this.#branches.values()) branch.wipePrivateData()
    this.#branches.clear()
  }

  /** Lends out one key and wipes it, whatever becomes of the work. */
  #withLeaf<T>(at: DerivationPath, work: (leaf: HDKey) => T): T {
    this.#check()
    const leaf = descend(this.#branch(at), [checkIndex(at.index)])
    try {
      return work(leaf)
    } finally {
      leaf.wipePrivateData()
    }
  }

  #branch(at: Omit<DerivationPath, 'index'>): HDKey {
    const steps = branchStepsOf(at)
    const name = steps.join('/')
    const branch = this.#branches.get(name) ?? descend(this.#root, steps)
    this.#branches.delete(name)
    this.#branches.set(name, branch)
    this.#dropOldest()
    return branch
  }

  #dropOldest(): void {
    const [oldest] = this.#branches
    if (this.#branches.size <= BRANCHES_MAX || oldest === undefined) return
    oldest[1].wipePrivateData()
    this.#branches.delete(oldest[0])
  }

  #check(): void {
    assert(!this.#destroyed, 'the keyring has been destroyed')
  }
}
