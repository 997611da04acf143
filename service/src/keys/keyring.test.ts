import { secp256k1 } from '@noble/curves/secp256k1.js'
import { describe, expect, test } from 'vitest'
import { Bug } from '../base/assert.ts'
import { systemRandom } from '../base/random.ts'
import { Secret } from '../base/secret.ts'
import { deriveReceiveKey } from './derive.ts'
import { openKeyring } from './keyring.ts'
import type { DerivationPath } from './paths.ts'
import { createSeed, importSeed } from './seed-file.ts'

const MNEMONIC = new Secret('test test test test test test test test test test test junk')
const open = () => openKeyring(importSeed(MNEMONIC))
const at: DerivationPath = {
  namespace: 'eip155',
  isTestnet: false,
  wallet: 0,
  branch: 0,
  index: 4,
}
const DIGEST = new Uint8Array(32).fill(9)

describe('K02 a signature of the keyring', () => {
  const keyring = open()

  test('recovers to the public key of its path, on both branches', () => {
    for (const path of [at, { ...at, branch: 1 as const }, { ...at, namespace: 'xrpl' as const }]) {
      const { r, s, recovery } = keyring.sign(path, DIGEST)
      const signature = new secp256k1.Signature(r, s, recovery)
      expect(signature.recoverPublicKey(DIGEST).toBytes(true)).toEqual(keyring.publicKey(path))
    }
  })

  test('is the same each time, and another for another digest or path', () => {
    const first = keyring.sign(at, DIGEST)
    expect(keyring.sign(at, DIGEST)).toEqual(first)
    expect(
      keyring.sign(
        at,
        DIGEST.map((byte) => byte + 1),
      ).r,
    ).not.toBe(first.r)
    expect(keyring.sign({ ...at, index: 5 }, DIGEST).r).not.toBe(first.r)
  })

  test('is refused for a number out of range and a digest of another length', () => {
    expect(() => keyring.sign({ ...at, index: 2 ** 31 }, DIGEST)).toThrow(Bug)
    expect(() => keyring.sign({ ...at, wallet: 2 ** 31 }, DIGEST)).toThrow(Bug)
    expect(() => keyring.sign(at, DIGEST.subarray(1))).toThrow(Bug)
  })
})

test('a hardened index is refused and not silently another key', () => {
  const keyring = open()
  expect(() => keyring.publicKey({ ...at, index: 2 ** 31 })).toThrow('out of range')
  expect(() => keyring.accountXpub({ ...at, wallet: 2 ** 31 })).toThrow('out of range')
})

test('more branches in use than are kept give the keys of their wallets still', () => {
  const keyring = open()
  const first = keyring.publicKey(at)
  for (let wallet = 1; wallet <= 70; wallet += 1) keyring.publicKey({ ...at, wallet })
  expect(keyring.publicKey(at)).toEqual(first)
  const last = deriveReceiveKey(keyring.accountXpub({ ...at, wallet: 70 }), at.index)
  expect(keyring.publicKey({ ...at, wallet: 70 })).toEqual(last)
})

test('K10 a destroyed keyring answers nothing', () => {
  const keyring = open()
  keyring.publicKey(at)
  keyring.destroy()
  expect(() => keyring.publicKey(at)).toThrow('destroyed')
  expect(() => keyring.sign(at, DIGEST)).toThrow('destroyed')
  expect(() => keyring.accountXpub(at)).toThrow('destroyed')
  expect(keyring.fingerprint).toMatch(/^[0-9a-f]{8}$/)
})

test('K10 a keyring outlives its seed, and a destroyed seed gives nothing', () => {
  const seed = importSeed(createSeed(systemRandom))
  const keyring = openKeyring(seed)
  const before = keyring.publicKey(at)
  seed.destroy()
  expect(keyring.publicKey(at)).toEqual(before)
  expect(() => seed.words()).toThrow('destroyed')
  expect(() => seed.entropy()).toThrow('destroyed')
  expect(() => openKeyring(seed)).toThrow('destroyed')
})
