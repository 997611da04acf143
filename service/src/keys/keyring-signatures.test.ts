import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { taprootTweakPubkey } from '@scure/btc-signer/utils.js'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { compareWith } from '../../test/support/oracles.ts'
import { IS_SHORT } from '../../test/support/tier.ts'
import { Secret } from '../base/secret.ts'
import { openKeyring } from './keyring.ts'
import { pathOf } from './paths.ts'
import type { DerivationPath } from './paths.ts'
import { importSeed } from './seed-file.ts'

/** Known to everybody: nothing may ever be paid to its addresses. */
const MNEMONIC = 'test test test test test test test test test test test junk'
const COUNT = IS_SHORT ? 1_000 : 10_000
const COMPARED = IS_SHORT ? 100 : 500
const ORDER = secp256k1.Point.Fn.ORDER
const AT: DerivationPath = {
  namespace: 'eip155',
  isTestnet: false,
  wallet: 0,
  branch: 0,
  index: 4,
}

describe(`K02 ${COUNT} signatures of the keyring with one key`, () => {
  const keyring = openKeyring(importSeed(new Secret(MNEMONIC)))
  const digests = Array.from({ length: COUNT }, (_, number) => {
    return new Uint8Array(createHash('sha256').update(`message ${number}`).digest())
  })
  const signed = digests.map((digest) => keyring.sign(AT, digest))

  test('repeat no r: one repeated nonce would give the key away', () => {
    expect(new Set(signed.map(({ r }) => r)).size).toBe(COUNT)
  })

  test('have s in the lower half, as EIP-2 wants it', () => {
    expect(signed.filter(({ s }) => s <= 0n || s > ORDER / 2n)).toEqual([])
  })

  compareWith(['ethers'], ({ ethers }) => {
    test('are those of RFC 6979 that ethers makes of the same mnemonic and path', () => {
      const theirs = ethers.HDNodeWallet.fromPhrase(MNEMONIC, '', pathOf(AT)).signingKey
      for (const [number, digest] of digests.slice(0, COMPARED).entries()) {
        const { r, s, yParity } = theirs.sign(digest)
        const ours = signed[number]
        expect(ours).toEqual({ r: BigInt(r), s: BigInt(s), recovery: yParity })
      }
    })
  })

  test('are the same a second time', () => {
    const again = digests.slice(0, COMPARED).map((digest) => keyring.sign(AT, digest))
    expect(again).toEqual(signed.slice(0, COMPARED))
  })
})

describe(`K02 ${COMPARED} signatures of the keyring on a path of P2TR`, () => {
  const keyring = openKeyring(importSeed(new Secret(MNEMONIC)))
  const at = { ...AT, namespace: 'bip122', addressType: 'p2tr' } as const
  const digests = Array.from({ length: COMPARED }, (_, number) => {
    return new Uint8Array(createHash('sha256').update(`message ${number}`).digest())
  })
  const signed = digests.map((digest) => keyring.sign(at, digest))

  test('repeat no r, and are the same a second time', () => {
    expect(new Set(signed.map(({ r }) => r)).size).toBe(COMPARED)
    expect(digests.map((digest) => keyring.sign(at, digest))).toEqual(signed)
  })

  test('are of the tweaked key of that path, which signs by BIP-340 alone', () => {
    const key = keyring.publicKey(at)
    const [outputKey] = taprootTweakPubkey(key.subarray(1), new Uint8Array())
    for (const [number, { r, s, recovery }] of signed.entries()) {
      const bytes = Buffer.from(`${hex32(r)}${hex32(s)}`, 'hex')
      const digest = digests[number] ?? new Uint8Array()
      expect(schnorr.verify(bytes, digest, outputKey)).toBe(true)
      expect(schnorr.verify(bytes, digest, key.subarray(1))).toBe(false)
      expect(secp256k1.verify(bytes, digest, key, { prehash: false, lowS: false })).toBe(false)
      expect(recovery).toBe(0)
    }
  })

  test('are of another key than those of the same number on the path of P2WPKH', () => {
    const usual = { ...at, addressType: 'p2wpkh' } as const
    expect(keyring.publicKey(usual)).not.toEqual(keyring.publicKey(at))
    const [digest = new Uint8Array()] = digests
    expect(keyring.sign(usual, digest)).not.toEqual(signed[0])
  })
})

function hex32(number: bigint): string {
  return number.toString(16).padStart(64, '0')
}

test('K02 elliptic, whose signatures could be malleable or reveal a key, is no dependency', () => {
  const lock = fileURLToPath(new URL('../../../package-lock.json', import.meta.url))
  const { packages }: { packages: object } = JSON.parse(readFileSync(lock, 'utf8'))
  const names = Object.keys(packages)
  expect(names.some((name) => name.endsWith('node_modules/@noble/curves'))).toBe(true)
  expect(names.filter((name) => name.endsWith('node_modules/elliptic'))).toEqual([])
})
