import { secp256k1 } from '@noble/curves/secp256k1.js'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { compareWith } from '../../test/support/oracles.ts'
import { Bug } from '../base/assert.ts'
import { signDigest } from './sign-digest.ts'
import type { Signature } from './sign-digest.ts'

const ORDER = secp256k1.Point.Fn.ORDER
const COUNT = 1_000

const sha256 = (text: string) => new Uint8Array(createHash('sha256').update(text).digest())
const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex.padStart(64, '0'), 'hex'))
const hex32 = (value: bigint) => value.toString(16).padStart(64, '0')
const compact = ({ r, s }: Signature) => hex32(r) + hex32(s)

/** Private key, message (SHA-256), nonce k and signature, as the Bitcoin libraries share them. */
const VECTORS: [string, string, string, string][] = [
  [
    '1',
    'Satoshi Nakamoto',
    '8f8a276c19f4149656b280621e358cce24f5f52542772691ee69063b74f15d15',
    '934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8' +
      '2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5',
  ],
  [
    '1',
    'All those moments will be lost in time, like tears in rain. Time to die...',
    '38aa22d72376b4dbc472e06c3ba403ee0a394da63fc58d88686c611aba98d6b3',
    '8600dbd41e348fe5c9465ab92d23e3db8b98b873beecd930736488696438cb6b' +
      '547fe64427496db33bf66019dacbf0039c04199abb0122918601db38a72cfc21',
  ],
  [
    'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140',
    'Satoshi Nakamoto',
    '33a19b60e25fb6f4435af53a3d42d493644827367e6453928554f43e49aa6f90',
    'fd567d121db66e382991534ada77a6bd3106f0a1098c231e47993447cd6af2d0' +
      '6b39cd0eb1bc8603e159ef5c20a5c8ad685a45b06ce9bebed3f153d10d93bed5',
  ],
  [
    'f8b8af8ce3c7cca5e300d33939540c10d45ce001b8f252bfbc57ba0342904181',
    'Alan Turing',
    '525a82b70e67874398067543fd84c83d30c175fdc45fdeee082fe13b1d7cfdf1',
    '7063ae83e7f62bbb171798131b4a0564b956930092b33b07b395615d9ec7e15c' +
      '58dfcc1e00a35e1572f366ffe34ba0fc47db1e7189759b9fb233c5b05ab388ea',
  ],
  [
    'e91671c46231f833a6406ccbea0e3e392c76c167bac1cb013f6f1013980455c2',
    'There is a computer disease that anybody who works with computers knows about. ' +
      "It's a very serious disease and it interferes completely with the work. " +
      "The trouble with computers is that you 'play' with them!",
    '1f4b84c23a86a221d233f2521be018d9318639d5b8bbd6374a8a59232d16ad3d',
    'b552edd27580141f3b2a5463048cb7cd3e047b97c9f98076c32dbdf85a68718b' +
      '279fa72dd19bfae05577e06c7c0c1900c371fcd5893f7e1d56a37d30174671f6',
  ],
]

test.each(VECTORS)('K02 RFC 6979: key %s signs "%s" as published', (key, message, k, signature) => {
  const signed = signDigest(bytesOf(key), sha256(message))
  expect(compact(signed)).toBe(signature)
  const nonce = nonceOf(signed, BigInt(`0x${key}`), sha256(message))
  expect([BigInt(`0x${k}`), ORDER - BigInt(`0x${k}`)]).toContain(nonce)
})

describe('K02 1,000 signatures with one key', () => {
  const key = sha256('a key of this test')
  const secret = BigInt(`0x${Buffer.from(key).toString('hex')}`)
  const messages = Array.from({ length: COUNT }, (_, number) => `message ${number}`)
  const signed = messages.map((message) => signDigest(key, sha256(message)))

  test('repeat no r', () => {
    expect(new Set(signed.map(({ r }) => r)).size).toBe(COUNT)
  })

  test('have s in the lower half', () => {
    expect(signed.every(({ s }) => s > 0n && s <= ORDER / 2n)).toBe(true)
  })

  compareWith(['ethers'], ({ ethers }) => {
    test('are the ones ethers makes, recovery included', () => {
      const other = new ethers.SigningKey(key)
      signed.forEach((signature, number) => {
        const theirs = other.sign(sha256(messages[number] ?? ''))
        expect(compact(signature)).toBe(theirs.r.slice(2) + theirs.s.slice(2))
        expect(signature.recovery).toBe(theirs.yParity)
      })
    })
  })

  test('are verified by OpenSSL', () => {
    const point = secp256k1.getPublicKey(key, false)
    const part = (from: number) =>
      Buffer.from(point.subarray(from, from + 32)).toString('base64url')
    const jwk = { kty: 'EC', crv: 'secp256k1', x: part(1), y: part(33) }
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
    const verdicts = signed.map((signature, number) =>
      verify(
        'sha256',
        Buffer.from(messages[number] ?? ''),
        { key: publicKey, dsaEncoding: 'ieee-p1363' },
        Buffer.from(compact(signature), 'hex'),
      ),
    )
    expect(verdicts.filter(Boolean)).toHaveLength(COUNT)
  })

  test('show no bias in the first bits of their nonces', () => {
    const bins = Array.from({ length: 16 }, () => 0)
    signed.forEach((signature, number) => {
      const nonce = nonceOf(signature, secret, sha256(messages[number] ?? ''))
      const bin = Number(nonce >> 252n)
      bins[bin] = (bins[bin] ?? 0) + 1
    })
    const expected = COUNT / bins.length
    const chiSquare = bins.reduce((sum, bin) => sum + (bin - expected) ** 2 / expected, 0)
    // 15 degrees of freedom, p = 0.001.
    expect(chiSquare).toBeLessThan(37.7)
  })
})

test.each([0, 20, 31, 33, 64])('a digest of %d bytes is not signed', (length) => {
  expect(() => signDigest(bytesOf('1'), new Uint8Array(length))).toThrow(Bug)
})

/** k = (z + r·d) / s, or its negative where s was moved into the lower half. */
function nonceOf({ r, s }: Signature, secret: bigint, digest: Uint8Array): bigint {
  const { Fn } = secp256k1.Point
  const z = BigInt(`0x${Buffer.from(digest).toString('hex')}`)
  return Fn.create(Fn.mul(z + r * secret, Fn.inv(s)))
}
