import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { payments, initEccLib, Transaction as OracleTransaction } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Bug } from '../../base/assert.ts'
import { signDigest } from '../../keys/sign-digest.ts'
import { signTaproot } from '../../keys/sign-taproot.ts'
import { parseChain, parseToken } from '../../../test/adapters/brands.ts'
import type { Coin, CoinsReservation, Intent } from '../port.ts'
import { bitcoinAddressOf, outputKeyOfScript, scriptOf } from './address.ts'
import { decodeTransaction } from './decode.ts'
import { taprootDigests } from './digest-taproot.ts'
import { parseTransaction } from './raw-transaction.ts'
import { typesOf, vsizeOf } from './size.ts'
import { combineTransaction, craftTransaction } from './transaction.ts'

/** BIP-341, key path spending: a transaction, what it spends, and what input 4 signs. */
const VECTOR =
  '02000000097de20cbff686da83a54981d2b9bab3586f4ca7e48f57f5b55963115f3b334e9c0100000000' +
  '00000000d7b7cab57b1393ace2d064f4d4a2cb8af6def61273e127517d44759b6dafdd990000000000ff' +
  'fffffff8e1f583384333689228c5d28eac13366be082dc57441760d957275419a418420000000000ffff' +
  'fffff0689180aa63b30cb162a73c6d2a38b7eeda2a83ece74310fda0843ad604853b0100000000feffff' +
  'ffaa5202bdf6d8ccd2ee0f0202afbbb7461d9264a25e5bfd3c5a52ee1239e0ba6c0000000000feffffff' +
  '956149bdc66faa968eb2be2d2faa29718acbfe3941215893a2a3446d32acd050000000000000000000e6' +
  '64b9773b88c09c32cb70a2a3e4da0ced63b7ba3b22f848531bbb1d5d5f4c94010000000000000000e9aa' +
  '6b8e6c9de67619e6a3924ae25696bb7b694bb677a632a74ef7eadfd4eabf0000000000ffffffffa778eb' +
  '6a263dc090464cd125c466b5a99667720b1c110468831d058aa1b82af10100000000ffffffff0200ca9a' +
  '3b000000001976a91406afd46bcdfd22ef94ac122aa11f241244a37ecc88ac807840cb0000000020ac9a' +
  '87f5594be208f8532db38cff670c450ed2fea8fcdefcc9a663f78bab962b0065cd1d'
const SPENT: [script: string, amount: bigint][] = [
  ['512053a1f6e454df1aa2776a2814a721372d6258050de330b3c6d10ee8f4e0dda343', 420_000_000n],
  ['5120147c9c57132f6e7ecddba9800bb0c4449251c92a1e60371ee77557b6620f3ea3', 462_000_000n],
  ['76a914751e76e8199196d454941c45d1b3a323f1433bd688ac', 294_000_000n],
  ['5120e4d810fd50586274face62b8a807eb9719cef49c04177cc6b76a9a4251d5450e', 504_000_000n],
  ['512091b64d5324723a985170e4dc5a0f84c041804f2cd12660fa5dec09fc21783605', 630_000_000n],
  ['00147dd65592d0ab2fe0d0257d571abf032cd9db93dc', 378_000_000n],
  ['512075169f4001aa68f15bbed28b218df1d0a62cbbcf1188c6665110c293c907b831', 672_000_000n],
  ['5120712447206d7a5238acc7ff53fbe94a3b64539ad291c7cdbc490b7577e4b17df5', 546_000_000n],
  ['512077e30a5522dd9f894c3f8b8bd4c4b2cf82ca7da8a3ea6a239655c39c050ab220', 588_000_000n],
]
const DIGEST_4 = '4f900a0bae3f1446fd48490c2958b5a023228f01661cda3496a11da502a7f7ef'
const WITNESS_4 =
  'b4010dd48a617db09926f729e79c33ae0b4e94b79f04a1ae93ede6315eb3669d' +
  'e185a17d2b0ac9ee09fd4c64b678a0b61a0a86fa888a273c8511be83bfd6810f'

const CHAIN = parseChain('bip122:0f9188f13cb7b2c71f2a335e3a4fc328')
const MAIN = parseChain('bip122:000000000019d6689c085ae165831e93')
const NATIVE = { chainId: CHAIN, tokenId: parseToken(`${CHAIN}/slip44:0`) }
const keyOf = (number: number) => new Uint8Array(32).fill(number + 1)
const publicKeyOf = (number: number) => secp256k1.getPublicKey(keyOf(number), true)
const isTaproot = (number: number) => number % 2 === 1
const addressOf = (number: number) =>
  bitcoinAddressOf(publicKeyOf(number), CHAIN, isTaproot(number) ? 'p2tr' : 'p2wpkh')

/** Coins of keys of both types, in any order. */
const coins: fc.Arbitrary<Coin[]> = fc
  .array(fc.tuple(fc.bigInt(20_000n, 10n ** 12n), fc.nat(9)), { minLength: 1, maxLength: 7 })
  .map((list) =>
    list.map(([amount, key], vout) => {
      return { txnHash: 'cd'.repeat(32), vout, address: addressOf(key), amount }
    }),
  )

function keyNumber(address: string): number {
  return Array.from({ length: 10 }, (_, at) => at).find((at) => addressOf(at) === address) ?? -1
}

function sign(address: string, digest: Uint8Array) {
  const number = keyNumber(address)
  return (isTaproot(number) ? signTaproot : signDigest)(keyOf(number), digest)
}

function pay(spent: readonly Coin[]) {
  const intent: Intent = {
    ...NATIVE,
    from: addressOf(0),
    to: addressOf(3),
    amount: 10_000n,
    memo: null,
  }
  const change = { address: addressOf(2), amount: 5_000n }
  const reservation: CoinsReservation = { kind: 'coins', coins: spent, change }
  const maxFee = spent.reduce((sum, { amount }) => sum + amount, 0n)
  const unsigned = craftTransaction(intent, reservation, { maxFee })
  const { signers = [] } = unsigned
  const signatures = unsigned.digests.map((digest, at) => sign(signers[at] ?? '', digest))
  return { unsigned, signatures, ...combineTransaction(unsigned, signatures) }
}

describe('P2TR', () => {
  test('the addresses of the published vectors of BIP-86 come out [K05]', () => {
    const keys = [
      '03cc8a4bc64d897bddc5fbc2f670f7a8ba0b386779106cf1223c6fc5d7cd6fc115',
      '0283dfe85a3151d2517290da461fe2815591ef69f2b18a2ce63f01697a8b313145',
      '02399f1b2f4393f29a18c937859c5dd8a77350103157eb880f02e8c08214277cef',
    ]
    const shown = keys.map((key) => bitcoinAddressOf(Buffer.from(key, 'hex'), MAIN, 'p2tr'))
    expect(shown).toEqual([
      'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
      'bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh',
      'bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7',
    ])
    const [first = ''] = shown.map((address) => scriptOf(address, MAIN).toString('hex'))
    expect(first).toBe('5120a60869f0dbcf1dc659c9cecbaf8050135ea9e8cdc487053f1dc6880949dc684c')
  })

  test('BIP-341: what an input signs, and what opens it, are as published', () => {
    const spent = SPENT.map(([script, value]) => ({ script: Buffer.from(script, 'hex'), value }))
    const digest = taprootDigests(parseTransaction(Buffer.from(VECTOR, 'hex')), spent)(4)
    expect(digest.toString('hex')).toBe(DIGEST_4)
    const key = outputKeyOfScript(spent[4]?.script ?? Buffer.of())
    expect(schnorr.verify(Buffer.from(WITNESS_4, 'hex'), digest, key ?? Buffer.of())).toBe(true)
  })
})

describe('coins of both types in one transaction', () => {
  initEccLib(oracleCurve())

  test('are signed over what all of them hold, as another library reads it [K04]', () => {
    fc.assert(
      fc.property(coins, (spent) => {
        const { raw, txnHash } = pay(spent)
        const read = OracleTransaction.fromBuffer(Buffer.from(raw))
        const scripts = spent.map(({ address }) => scriptOf(address, CHAIN))
        const amounts = spent.map(({ amount }) => amount)
        expect(read.getId()).toBe(txnHash)
        read.ins.forEach(({ witness }, at) => {
          const number = keyNumber(spent[at]?.address ?? '')
          const [signature = new Uint8Array(), key = new Uint8Array()] = witness
          if (isTaproot(number)) {
            const internalPubkey = publicKeyOf(number).subarray(1)
            const { output = new Uint8Array() } = payments.p2tr({ internalPubkey })
            const digest = read.hashForWitnessV1(at, scripts, amounts, 0)
            expect(witness.map(({ length }) => length)).toEqual([64])
            expect(schnorr.verify(signature, digest, output.subarray(2))).toBe(true)
            return
          }
          const { output = new Uint8Array() } = payments.p2pkh({ pubkey: key })
          const digest = read.hashForWitnessV0(at, output, amounts[at] ?? 0n, 1)
          const options = { prehash: false, lowS: true, format: 'der' } as const
          expect(secp256k1.verify(signature.slice(0, -1), digest, key, options)).toBe(true)
        })
      }),
      { numRuns: 15 },
    )
  })

  test('decodes to its intent and has the estimated size [K04]', () => {
    fc.assert(
      fc.property(coins, (spent) => {
        const { raw, txnHash } = pay(spent)
        const decoded = decodeTransaction(NATIVE, raw, spent)
        const total = spent.reduce((sum, { amount }) => sum + amount, 0n)
        const usual = spent.filter(({ address }) => !isTaproot(keyNumber(address))).length
        const paid = [3, 2].map((key) => ({ script: scriptOf(addressOf(key), CHAIN) }))
        const reckoned = vsizeOf(typesOf(spent), paid)
        expect(decoded).toMatchObject({
          txnHash,
          from: spent[0]?.address,
          to: addressOf(3),
          maxFee: total - 15_000n,
          outputs: [
            { address: addressOf(3), amount: 10_000n },
            { address: addressOf(2), amount: 5_000n },
          ],
        })
        // A DER signature may be a byte shorter than the longest; one of Schnorr never is.
        expect(reckoned - (decoded.vsize ?? 0)).toBeGreaterThanOrEqual(0)
        expect(reckoned - (decoded.vsize ?? 0)).toBeLessThanOrEqual(usual)
      }),
      { numRuns: 15 },
    )
  })

  const spent = [1, 2, 3].map((key, vout): Coin => {
    return { txnHash: 'ee'.repeat(32), vout, address: addressOf(key), amount: 20_000n }
  })

  test('is a bug when any bit of the bytes is changed [K04]', () => {
    const { raw } = pay(spent)
    fc.assert(
      fc.property(fc.nat(raw.length - 1), fc.nat(7), (at, bit) => {
        const other = Uint8Array.from(raw)
        other[at] = (other[at] ?? 0) ^ (1 << bit)
        expect(() => decodeTransaction(NATIVE, other, spent)).toThrow(Bug)
      }),
      { numRuns: 300 },
    )
  })

  test.each([
    ['an amount', 0, { amount: 20_001n }],
    ['the amount of a coin of the other type', 1, { amount: 20_001n }],
    ['an address', 2, { address: addressOf(5) }],
    ['a type', 2, { address: bitcoinAddressOf(publicKeyOf(3), CHAIN) }],
  ])('%s that is not what was signed is a bug [K04]', (_what, at, wrong) => {
    const { raw } = pay(spent)
    const others = spent.map((coin, rank) => (rank === at ? { ...coin, ...wrong } : coin))
    expect(() => decodeTransaction(NATIVE, raw, spent)).not.toThrow()
    expect(() => decodeTransaction(NATIVE, raw, others)).toThrow(Bug)
  })

  test('a signature of the other kind, or of the key that is not tweaked, is a bug [K04]', () => {
    const { unsigned, signatures } = pay(spent)
    const [digest = new Uint8Array(32)] = unsigned.digests
    const plain = schnorr.sign(digest, keyOf(1), new Uint8Array(32))
    const [r, s] = [0, 32].map((from) => {
      return BigInt(`0x${Buffer.from(plain.subarray(from, from + 32)).toString('hex')}`)
    })
    const wrongs = [
      signDigest(keyOf(1), digest),
      { r: r ?? 0n, s: s ?? 0n, recovery: 0 },
      signTaproot(keyOf(3), digest),
    ]
    for (const wrong of wrongs) {
      const others = signatures.map((one, at) => (at === 0 ? wrong : one))
      expect(() => combineTransaction(unsigned, others)).toThrow(Bug)
    }
  })

  test('has no known signer without its inputs', () => {
    expect(() => decodeTransaction(NATIVE, pay(spent).raw, null)).toThrow(Bug)
  })
})

/** The curve as the other library asks for it. */
function oracleCurve() {
  return {
    isXOnlyPoint: (x: Uint8Array) => {
      try {
        schnorr.utils.lift_x(BigInt(`0x${Buffer.from(x).toString('hex')}`))
        return true
      } catch {
        return false
      }
    },
    xOnlyPointAddTweak: (x: Uint8Array, tweak: Uint8Array) => {
      const { Point } = secp256k1
      const number = BigInt(`0x${Buffer.from(tweak).toString('hex')}`)
      const point = Point.fromBytes(Buffer.concat([Buffer.of(2), x]))
      const tweaked = point.add(Point.BASE.multiply(number))
      if (tweaked.is0()) return null
      const bytes = tweaked.toBytes(true)
      const parity = bytes[0] === 3 ? 1 : 0
      return { parity, xOnlyPubkey: bytes.slice(1) } as const
    },
  }
}
