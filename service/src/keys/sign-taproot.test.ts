import { schnorr } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Bug } from '../base/assert.ts'
import { signTaproot, tweakPrivateKey } from './sign-taproot.ts'

const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** BIP-341, key path spending: the input of an output without scripts. */
const KEY = '6b973d88838f27366ed61c9ad6367663045cb456e28335c109e30717ae0c6baa'
const TWEAKED = '2405b971772ad26915c8dcdf10f238753a9b837e5f8e6a86fd7c0cce5b7296d9'
const DIGEST = '2514a6272f85cfa0f45eb907fcb0d121b808ed37c6ea160a5a9046ed5526d555'
const SIGNATURE =
  'ed7c1647cb97379e76892be0cacff57ec4a7102aa24296ca39af7541246d8ff1' +
  '4d38958d4cc1e2e478e4d4a764bbfd835b16d4e314b72937b29833060b87276c'

test('K02 BIP-341: a key is tweaked, and signs, as published', () => {
  expect(hexOf(tweakPrivateKey(bytesOf(KEY)))).toBe(TWEAKED)
  const { r, s } = signTaproot(bytesOf(KEY), bytesOf(DIGEST))
  expect(r.toString(16).padStart(64, '0') + s.toString(16).padStart(64, '0')).toBe(SIGNATURE)
})

/** BIP-340's own vectors: key, digest, signature; the last four must not be valid. */
const VERIFIED: [string, string, string, boolean][] = [
  [
    'd69c3509bb99e412e68b0fe8544e72837dfa30746d8be2aa65975f29d22dc7b9',
    '4df3c3f68fcc83b27e9d42c90431a72499f17875c81a599b566c9889b9696703',
    '00000000000000000000003b78ce563f89a0ed9414f5aa28ad0d96d6795f9c63' +
      '76afb1548af603b3eb45c9f8207dee1060cb71c04e80f593060b07d28308d7f4',
    true,
  ],
  [
    'eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34',
    '243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89',
    '6cff5c3ba86c69ea4b7376f31a9bcb4f74c1976089b2d9963da2e5543e177769' +
      '69e89b4c5564d00349106b8497785dd7d1d713a8ae82b32fa79d5f7fc407d39b',
    false,
  ],
  [
    'dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659',
    '243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89',
    'fff97bd5755eeea420453a14355235d382f6472f8568a18b2f057a1460297556' +
      '3cc27944640ac607cd107ae10923d9ef7a73c643e166be5ebeafa34b1ac553e2',
    false,
  ],
  [
    'dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659',
    '243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89',
    '6cff5c3ba86c69ea4b7376f31a9bcb4f74c1976089b2d9963da2e5543e177769' +
      '961764b3aa9b2ffcb6ef947b6887a226e8d7c93e00c5ed0c1834ff0d0c2e6da6',
    false,
  ],
  [
    'dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659',
    '243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89',
    '6cff5c3ba86c69ea4b7376f31a9bcb4f74c1976089b2d9963da2e5543e177769' +
      'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141',
    false,
  ],
]

test.each(VERIFIED)(
  'K02 BIP-340: under key %s the digest %s has %s (%s)',
  (key, digest, bytes, is) => {
    expect(schnorr.verify(bytesOf(bytes), bytesOf(digest), bytesOf(key))).toBe(is)
  },
)

test('the tweaked key signs for odd and even keys [K02]', () => {
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
  const keys = bytes.filter((key) => key.some(Boolean) && (key[0] ?? 0) < 0xff)
  fc.assert(
    fc.property(keys, bytes, (key, digest) => {
      const { r, s } = signTaproot(key, digest)
      const text = [r, s].map((number) => number.toString(16).padStart(64, '0')).join('')
      const outputKey = schnorr.getPublicKey(tweakPrivateKey(key))
      expect(schnorr.verify(bytesOf(text), digest, outputKey)).toBe(true)
    }),
    { numRuns: 30 },
  )
})

test.each([0, 20, 31, 33, 64])('a digest of %d bytes is not signed', (length) => {
  expect(() => signTaproot(bytesOf(KEY), new Uint8Array(length))).toThrow(Bug)
})
