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
 * The only access to the seed. It returns public keys, xpubs and signatures, so that a separate
 * signer process or a KMS can implement it later.
 */
export interface Keyring {
  /** Of the seed: 8 hexadecimal digits, not secret. */
  readonly fingerprint: string
  /**
   * The xpub at `m/purpose'/coin'/wallet'`. For deposit wallets only: together with the private key
   * of one address it reveals all others.
   */
  accountXpub(at: AccountPath): string
  /** 33 bytes, compressed. */
  publicKey(at: DerivationPath): Uint8Array
  /**
   * Signs a digest of 32 bytes. The path decides the scheme, and no key uses both: ECDSA (RFC 6979,
   * low s), or for P2TR BIP-340 with the tweaked key of BIP-341.
   */
  sign(at: DerivationPath, digest: Uint8Array): Signature
  /** Wipes every key. Later calls throw a Bug. */
  destroy(): void
}

/** Opens a keyring. It copies the keys, so the seed can be destroyed. */
export function openKeyring(seed: Seed): Keyring {
  return new SeedKeyring(seed)
}

/** Opens the keyring of a seed file and destroys the seed. Throws like `unsealSeed`. */
export async function unlockKeyring(path: string, wrapper: SeedWrapper): Promise<Keyring> {
  const seed = await unsealSeed(readSeedFile(path), wrapper)
  try {
    return openKeyring(seed)
  } finally {
    seed.destroy()
  }
}

/** Number of cached branches; with its branch a signature takes one derivation, not five. */
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

  /** Runs `work` with a key and wipes the key afterwards. */
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
