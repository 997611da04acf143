import { HDKey } from '@scure/bip32'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Secret } from '../base/secret.ts'
import { confirmsReceiveKeys } from './confirm.ts'
import { compressKey, deriveReceiveKey, deriveReceiveKeys } from './derive.ts'
import { openKeyring } from './keyring.ts'
import { createSeed, importSeed } from './seed-file.ts'
import { systemRandom } from '../base/random.ts'

const WORDS = new Secret('test test test test test test test test test test test junk')
const keyring = openKeyring(importSeed(WORDS))
const at = { namespace: 'eip155', isTestnet: false, wallet: 3, branch: 0 } as const
const xpub = keyring.accountXpub(at)
const indexes = fc.integer({ min: 0, max: 2 ** 31 - 1 })

function claims(of: readonly number[]) {
  const keys = deriveReceiveKeys(xpub, of)
  return of.map((index, place) => ({ index, key: keys[place] ?? new Uint8Array() }))
}

describe('confirmsReceiveKeys [K06]', () => {
  test('accepts the keys of the xpub and of the seed', () => {
    fc.assert(
      fc.property(fc.array(indexes, { minLength: 1, maxLength: 5 }), (some) => {
        const together = deriveReceiveKeys(xpub, some).map(compressKey)
        expect(together).toEqual(some.map((index) => deriveReceiveKey(xpub, index)))
        expect(together).toEqual(some.map((index) => keyring.publicKey({ ...at, index })))
        expect(confirmsReceiveKeys(xpub, claims(some))).toBe(true)
      }),
      { numRuns: 15 },
    )
  })

  test('rejects a foreign key at any position', () => {
    const good = claims([7, 8, 9, 10])
    const [other] = claims([11])
    for (const [place, { index }] of good.entries()) {
      const wrong = good.with(place, { index, key: other?.key ?? new Uint8Array() })
      expect(confirmsReceiveKeys(xpub, wrong)).toBe(false)
    }
  })

  test('rejects two exchanged keys', () => {
    const good = claims([7, 8, 9])
    const keys = good.map(({ key }) => key)
    for (const order of [
      [1, 0, 2],
      [2, 1, 0],
      [0, 2, 1],
      [1, 2, 0],
    ]) {
      const wrong = good.map(({ index }, place) => ({
        index,
        key: keys[order[place] ?? 0] ?? new Uint8Array(),
      }))
      expect(confirmsReceiveKeys(xpub, wrong)).toBe(false)
    }
  })

  test('rejects keys of another seed, wallet or index', () => {
    const good = claims([7, 8])
    const stranger = openKeyring(importSeed(createSeed(systemRandom)))
    expect(confirmsReceiveKeys(stranger.accountXpub(at), good)).toBe(false)
    expect(confirmsReceiveKeys(keyring.accountXpub({ ...at, wallet: 4 }), good)).toBe(false)
    const shifted = good.map(({ index, key }) => ({ index: index + 1, key }))
    expect(confirmsReceiveKeys(xpub, shifted)).toBe(false)
  })

  test('throws a bug for bytes that are not a point', () => {
    const [one] = claims([6])
    const flat = { index: 7, key: new Uint8Array(65).fill(4) }
    expect(() => confirmsReceiveKeys(xpub, one ? [one, flat] : [])).toThrow()
    expect(() => deriveReceiveKeys(xpub, [2 ** 31])).toThrow('out of range')
  })

  test('compressKey agrees with an independent library [K05]', () => {
    const node = HDKey.fromExtendedKey(xpub).deriveChild(0)
    for (let index = 0; index < 20; index += 1) {
      const [key = new Uint8Array()] = deriveReceiveKeys(xpub, [index])
      expect(compressKey(key)).toEqual(node.deriveChild(index).publicKey)
    }
  })
})
