import { describe, expect, test } from 'vitest'
import { Bug } from '../base/assert.ts'
import { accountPathOf, pathOf } from './paths.ts'
import type { DerivationPath } from './paths.ts'

const base: DerivationPath = {
  namespace: 'eip155',
  isTestnet: false,
  wallet: 7,
  branch: 0,
  index: 9,
}
const LAST = 2 ** 31 - 1

test.each<[DerivationPath['namespace'], boolean, string]>([
  ['eip155', false, "m/44'/60'/7'/0/9"],
  ['bip122', false, "m/84'/0'/7'/0/9"],
  ['tron', false, "m/44'/195'/7'/0/9"],
  ['xrpl', false, "m/44'/144'/7'/0/9"],
  ['eip155', true, "m/44'/1'/7'/0/9"],
  ['bip122', true, "m/84'/1'/7'/0/9"],
  ['tron', true, "m/44'/1'/7'/0/9"],
  ['xrpl', true, "m/44'/1'/7'/0/9"],
])('K05 the path of %s (testnet: %s) is %s', (namespace, isTestnet, path) => {
  expect(pathOf({ ...base, namespace, isTestnet })).toBe(path)
})

test.each([
  [false, "m/86'/0'/7'/0/9"],
  [true, "m/86'/1'/7'/0/9"],
])('K05 the path of P2TR (testnet: %s) is %s', (isTestnet, path) => {
  expect(pathOf({ ...base, namespace: 'bip122', isTestnet, addressType: 'p2tr' })).toBe(path)
})

test('Bitcoin defaults to P2WPKH, and other families have no types [K05]', () => {
  const bitcoin = { ...base, namespace: 'bip122' } as const
  expect(pathOf({ ...bitcoin, addressType: 'p2wpkh' })).toBe(pathOf(bitcoin))
  for (const namespace of ['eip155', 'tron', 'xrpl'] as const) {
    for (const addressType of ['p2tr', 'p2wpkh'] as const) {
      expect(() => pathOf({ ...base, namespace, addressType })).toThrow(Bug)
    }
  }
})

test('the xpub of a wallet is one level above the branch [K05]', () => {
  expect(accountPathOf(base)).toBe("m/44'/60'/7'")
})

test('the first and the last number and the branch of change are valid', () => {
  const last = { ...base, wallet: LAST, branch: 1 as const, index: LAST }
  expect(pathOf(last)).toBe("m/44'/60'/2147483647'/1/2147483647")
  expect(pathOf({ ...base, wallet: 0, index: 0 })).toBe("m/44'/60'/0'/0/0")
})

describe.each([-1, LAST + 1, 2 ** 32, 2 ** 53, 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
  'the number %d, which would slip into the hardened keys or is none,',
  (number) => {
    test('is refused as index', () => {
      expect(() => pathOf({ ...base, index: number })).toThrow(Bug)
    })

    test('is refused as wallet', () => {
      expect(() => pathOf({ ...base, wallet: number })).toThrow(Bug)
      expect(() => accountPathOf({ ...base, wallet: number })).toThrow(Bug)
    })
  },
)

test('a text or another branch from an unchecked row is refused', () => {
  const rows: Record<string, unknown>[] = [
    { index: '5' },
    { wallet: '5' },
    { branch: 2 },
    { addressType: 'p2sh' },
  ]
  for (const row of rows) expect(() => pathOf(Object.assign({ ...base }, row))).toThrow(Bug)
})
