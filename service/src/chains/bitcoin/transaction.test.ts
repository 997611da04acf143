import { secp256k1 } from '@noble/curves/secp256k1.js'
import { payments, Transaction as OracleTransaction, networks } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Bug } from '../../base/assert.ts'
import { signDigest } from '../../keys/sign-digest.ts'
import { parseChain, parseHolder, parseToken } from '../../../test/adapters/brands.ts'
import type { Coin, CoinsReservation, Intent } from '../port.ts'
import { bitcoinAddressOf, scriptOf } from './address.ts'
import { decodeTransaction } from './decode.ts'
import { combineTransaction, craftTransaction } from './transaction.ts'

const CHAIN = parseChain('bip122:0f9188f13cb7b2c71f2a335e3a4fc328')
const NATIVE = { chainId: CHAIN, tokenId: parseToken(`${CHAIN}/slip44:0`) }
const keyOf = (number: number) => new Uint8Array(32).fill(number + 1)
const addressOf = (number: number) =>
  bitcoinAddressOf(secp256k1.getPublicKey(keyOf(number), true), CHAIN)
const RECIPIENTS = [
  'bcrt1pamhwamhwamhwamhwamhwamhwamhwamhwamhwamhwamhwamhwamhqz6nvlh',
  '2NF2b3KS8xXb9XHvbRMXdZh8s5g92rUZHtp',
  addressOf(77),
].map((text) => parseHolder(CHAIN, text))

const coins: fc.Arbitrary<Coin[]> = fc
  .array(fc.tuple(fc.bigInt(20_000n, 10n ** 12n), fc.integer({ min: 0, max: 9 })), {
    minLength: 1,
    maxLength: 6,
  })
  .map((list) =>
    list.map(([amount, key], vout) => {
      return { txnHash: 'cd'.repeat(32), vout, address: addressOf(key), amount }
    }),
  )

function intentOf(changes: Partial<Intent> = {}): Intent {
  const to = RECIPIENTS[0] ?? addressOf(0)
  return { ...NATIVE, from: addressOf(0), to, amount: 10_000n, memo: null, ...changes }
}

function keyNumber(address: string): number {
  return Array.from({ length: 10 }, (_, at) => at).find((at) => addressOf(at) === address) ?? -1
}

function signed(intent: Intent, reservation: CoinsReservation, maxFee: bigint) {
  const unsigned = craftTransaction(intent, reservation, { maxFee })
  const signers = unsigned.signers ?? []
  const signatures = unsigned.digests.map((digest, at) =>
    signDigest(keyOf(keyNumber(signers[at] ?? '')), digest),
  )
  return { unsigned, ...combineTransaction(unsigned, signatures) }
}

describe('a payment of coins', () => {
  test('spends these coins, pays these amounts, as another library reads it [B12]', () => {
    fc.assert(
      fc.property(coins, fc.constantFrom(...RECIPIENTS), fc.boolean(), (spent, to, hasChange) => {
        const total = spent.reduce((sum, { amount }) => sum + amount, 0n)
        const change = hasChange ? { address: addressOf(9), amount: 5_000n } : null
        const reservation: CoinsReservation = { kind: 'coins', coins: spent, change }
        const { raw, txnHash } = signed(intentOf({ to }), reservation, total)
        const read = OracleTransaction.fromBuffer(Buffer.from(raw))
        expect(read.getId()).toBe(txnHash)
        expect(read.ins.map(({ index, sequence }) => [index, sequence])).toEqual(
          spent.map(({ vout }) => [vout, 0xfffffffd]),
        )
        const paid = read.outs.map(({ value, script }) => [
          Buffer.from(script).toString('hex'),
          value,
        ])
        const expected = [{ address: to, amount: 10_000n }, ...(change ? [change] : [])]
        expect(paid).toEqual(
          expected.map(({ address, amount }) => [scriptOf(address, CHAIN).toString('hex'), amount]),
        )
        read.ins.forEach(({ witness }, at) => {
          const [der = new Uint8Array(), pubkey = new Uint8Array()] = witness
          const coin = spent[at]
          const { output } = payments.p2pkh({ pubkey, network: networks.regtest })
          if (coin === undefined || output === undefined) throw new Error('no coin')
          const digest = read.hashForWitnessV0(at, output, coin.amount, 1)
          const options = { prehash: false, lowS: true, format: 'der' } as const
          expect(secp256k1.verify(der.slice(0, -1), digest, pubkey, options)).toBe(true)
          expect(bitcoinAddressOf(pubkey, CHAIN)).toBe(coin.address)
        })
      }),
      { numRuns: 15 },
    )
  })

  test('decodes to its intent, with the fee from the inputs in full [K04]', () => {
    const spent: Coin = {
      txnHash: 'ee'.repeat(32),
      vout: 1,
      address: addressOf(3),
      amount: 90_000n,
    }
    const change = { address: addressOf(4), amount: 79_000n }
    const intent = intentOf({ from: addressOf(3) })
    const { raw, txnHash } = signed(intent, { kind: 'coins', coins: [spent], change }, 1_000n)
    const { to, amount } = intent
    expect(decodeTransaction(NATIVE, raw, [spent])).toEqual({
      ...NATIVE,
      txnHash,
      from: addressOf(3),
      to,
      amount,
      nonce: null,
      maxFee: 1_000n,
      outputs: [{ address: to, amount }, change],
      spends: [{ txnHash: spent.txnHash, vout: 1 }],
      vsize: OracleTransaction.fromBuffer(Buffer.from(raw)).virtualSize(),
    })
    expect(decodeTransaction(NATIVE, raw, null).maxFee).toBeGreaterThan(10n ** 15n)
    const other = { ...spent, vout: 2 }
    expect(() => decodeTransaction(NATIVE, raw, [other])).toThrow(Bug)
    expect(() => decodeTransaction(NATIVE, raw, [spent, other])).toThrow(Bug)
    expect(() => decodeTransaction(NATIVE, raw.subarray(1), [spent])).toThrow(Bug)
  })

  test('of several is each of them in order, and is read back so [K04]', () => {
    const amounts = fc.array(fc.bigInt(1_000n, 50_000n), { minLength: 1, maxLength: 100 })
    fc.assert(
      fc.property(coins, amounts, fc.boolean(), (spent, list, hasChange) => {
        const payees = list.map((amount, at) => ({
          to: RECIPIENTS[at % 3] ?? addressOf(0),
          amount,
        }))
        const paid = list.reduce((sum, amount) => sum + amount, 0n)
        const first = spent[0] ?? coin
        const big = [{ ...first, amount: 10n ** 9n }, ...spent.slice(1)]
        const total = big.reduce((sum, { amount }) => sum + amount, 0n)
        const rest = hasChange ? { address: addressOf(9), amount: total - paid - 777n } : null
        const intent = intentOf({ to: payees[0]?.to ?? addressOf(0), amount: paid, payees })
        const { raw, txnHash } = signed(intent, { kind: 'coins', coins: big, change: rest }, total)
        const outputs = payees.map(({ to, amount }) => ({ address: to, amount }))
        expect(decodeTransaction(NATIVE, raw, big)).toMatchObject({
          txnHash,
          tokenId: NATIVE.tokenId,
          outputs: rest === null ? outputs : [...outputs, rest],
          spends: big.map(({ txnHash: from, vout }) => ({ txnHash: from, vout })),
          maxFee: rest === null ? total - paid : 777n,
        })
      }),
      { numRuns: 10 },
    )
  })

  test('without payees returns the whole amount, and without any output is a bug', () => {
    const intent = intentOf({ to: addressOf(3), amount: 0n, payees: [] })
    const change = { address: addressOf(3), amount: 19_000n }
    const { raw } = signed(intent, { kind: 'coins', coins: [coin], change }, 1_000n)
    expect(decodeTransaction(NATIVE, raw, [coin]).outputs).toEqual([change])
    const nothing: CoinsReservation = { kind: 'coins', coins: [coin], change: null }
    expect(() => craftTransaction(intent, nothing, { maxFee: 50_000n })).toThrow(Bug)
  })

  test.each([
    ['another sum', { amount: 9_999n }],
    ['another first', { to: addressOf(8) }],
  ])('to several with %s than the intent says is a bug', (_name, wrong) => {
    const payees = [addressOf(5), addressOf(6)].map((to) => ({ to, amount: 5_000n }))
    const intent = intentOf({ to: addressOf(5), payees, ...wrong })
    const reservation: CoinsReservation = { kind: 'coins', coins: [coin], change: null }
    expect(() => craftTransaction(intent, reservation, { maxFee: 50_000n })).toThrow(Bug)
  })

  test('of which a byte was changed after it was signed is a bug, coins given [K04]', () => {
    const change = { address: addressOf(4), amount: 5_000n }
    const reservation: CoinsReservation = { kind: 'coins', coins: [coin], change }
    const { raw } = signed(intentOf(), reservation, 5_000n)
    expect(decodeTransaction(NATIVE, raw, [coin]).maxFee).toBe(5_000n)
    const places = fc.integer({ min: 0, max: raw.length - 1 })
    fc.assert(
      fc.property(places, fc.integer({ min: 1, max: 255 }), (at, by) => {
        const other = Uint8Array.from(raw)
        other[at] = (other[at] ?? 0) ^ by
        expect(() => decodeTransaction(NATIVE, other, [coin])).toThrow(Bug)
      }),
      { numRuns: 300 },
    )
    expect(() => decodeTransaction(NATIVE, raw, [{ ...coin, amount: 20_001n }])).toThrow(Bug)
    const stranger = { ...coin, address: addressOf(8) }
    expect(() => decodeTransaction(NATIVE, raw, [stranger])).toThrow(Bug)
  })

  const coin: Coin = { txnHash: 'ee'.repeat(32), vout: 0, address: addressOf(3), amount: 20_000n }
  const wrong: [string, CoinsReservation, bigint][] = [
    ['pays more than the cap as a fee', { kind: 'coins', coins: [coin], change: null }, 9_999n],
    ['spends a coin twice', { kind: 'coins', coins: [coin, { ...coin }], change: null }, 50_000n],
    ['spends nothing', { kind: 'coins', coins: [], change: null }, 50_000n],
    [
      'pays more than it spends',
      { kind: 'coins', coins: [coin], change: { address: addressOf(1), amount: 10_001n } },
      50_000n,
    ],
    [
      'spends a coin of another kind',
      {
        kind: 'coins',
        coins: [{ ...coin, address: RECIPIENTS[1] ?? addressOf(0) }],
        change: null,
      },
      50_000n,
    ],
    [
      'returns change to an address that is not ours',
      { kind: 'coins', coins: [coin], change: { address: addressOf(1), amount: 0n } },
      50_000n,
    ],
  ]
  test.each(wrong)('that %s is a bug [W16]', (_name, reservation, maxFee) => {
    expect(() => craftTransaction(intentOf(), reservation, { maxFee })).toThrow(Bug)
  })

  test('signed by another key is a bug, and so is a missing signature', () => {
    const reservation: CoinsReservation = { kind: 'coins', coins: [coin], change: null }
    const unsigned = craftTransaction(intentOf(), reservation, { maxFee: 50_000n })
    const [digest = new Uint8Array(32)] = unsigned.digests
    expect(() => combineTransaction(unsigned, [signDigest(keyOf(4), digest)])).toThrow(Bug)
    expect(() => combineTransaction(unsigned, [])).toThrow(Bug)
    expect(combineTransaction(unsigned, [signDigest(keyOf(3), digest)]).txnHash).toHaveLength(64)
  })
})
