import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { parseToken } from '../../../test/adapters/brands.ts'
import { termsAt } from '../../../test/adapters/tron-terms.ts'
import { SHASTA, tronSender } from '../../../test/adapters/tron-world.ts'
import { compareWith } from '../../../test/support/oracles.ts'
import { Bug } from '../../base/assert.ts'
import { signDigest } from '../../keys/sign-digest.ts'
import type { Intent } from '../port.ts'
import { hasExpired, restsOn } from '../spending.ts'
import { fromHex41, toHex41, tronAddressOf, ZERO_ADDRESS } from './address.ts'
import { bytesOf, readMessage, writeMessage } from './protobuf.ts'
import {
  bandwidthOf,
  combineTransaction,
  craftTransaction,
  decodeTransaction,
} from './transaction.ts'
import { windowAfter } from './window.ts'

const COIN = parseToken(`${SHASTA}/slip44:195`)
const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const USDT_HEX = '41a614f803b6fd780986a42c78ec9c7f77e6ded13c'
const TOKEN = parseToken(`${SHASTA}/trc20:${USDT}`)
const KEY = new Uint8Array(createHash('sha256').update('a key').digest())
const FROM = tronAddressOf(secp256k1.getPublicKey(KEY, true))

const anyIntent = fc.record({
  isToken: fc.boolean(),
  to: fc.uint8Array({ minLength: 20, maxLength: 20 }).filter((one) => one.some((byte) => byte > 0)),
  amount: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
  memo: fc.option(fc.string({ minLength: 1, maxLength: 64 }), { nil: null }),
  height: fc.integer({ min: 1, max: 2 ** 32 }),
  headTime: fc.integer({ min: 1_600_000_000_000, max: 2_000_000_000_000 }),
  number: fc.nat(),
  feeLimit: fc.bigInt({ min: 1n, max: 15_000_000_000n }),
})

/** The library counts in floating point: beyond 2^53 it is no witness. */
const exact = anyIntent.filter(({ amount }) => amount < 2n ** 53n)

function crafted(sample: typeof anyIntent extends fc.Arbitrary<infer T> ? T : never) {
  const { isToken, to, amount, memo, height, headTime, number } = sample
  const tokenId = isToken ? TOKEN : COIN
  const address = fromHex41(`41${Buffer.from(to).toString('hex')}`)
  const intent: Intent = { chainId: SHASTA, tokenId, from: FROM, to: address, amount, memo }
  const feeLimit = isToken ? sample.feeLimit : 0n
  const terms = termsAt({ height, headTime, feeLimit })
  const unsigned = craftTransaction(intent, terms, { kind: 'nonce', nonce: number })
  const signed = combineTransaction(
    unsigned,
    unsigned.digests.map((one) => signDigest(KEY, one)),
  )
  return { intent, terms, number, unsigned, signed }
}

/** The same transaction as the public library understands it. */
function theirs(sample: ReturnType<typeof crafted>) {
  const { intent, number, terms } = sample
  const words = [toHex41(intent.to).slice(2), intent.amount.toString(16)]
  const data = `a9059cbb${words.map((one) => one.padStart(64, '0')).join('')}`
  const owner_address = toHex41(FROM)
  const isToken = intent.tokenId === TOKEN
  const type = isToken ? 'TriggerSmartContract' : 'TransferContract'
  const value = isToken
    ? { owner_address, contract_address: USDT_HEX, data }
    : { owner_address, to_address: toHex41(intent.to), amount: Number(intent.amount) }
  const id = terms.reference.toString(16).padStart(64, '0')
  const headTime = Number(terms.headTime)
  const memo = Buffer.from(intent.memo ?? '', 'utf8').toString('hex')
  return {
    visible: false,
    txID: '',
    raw_data_hex: '',
    raw_data: {
      contract: [{ parameter: { value, type_url: `type.googleapis.com/protocol.${type}` }, type }],
      ref_block_bytes: id.slice(12, 16),
      ref_block_hash: id.slice(16, 32),
      expiration: headTime + 600_000,
      timestamp: headTime - (headTime % 1_000) + (number % 1_000),
      ...(memo === '' ? {} : { data: memo }),
      ...(isToken ? { fee_limit: Number(terms.feeLimit) } : {}),
    },
  }
}

describe('a TRON transaction', () => {
  compareWith(['tronweb'], ({ tronweb }) => {
    test('is byte for byte what the public library makes of the same payment', () => {
      fc.assert(
        fc.property(exact, (sample) => {
          const { transaction } = tronweb.utils
          const ours = crafted(sample)
          const pb = transaction.txJsonToPb(theirs(ours))
          const hex = Buffer.from(ours.unsigned.body).toString('hex')
          expect(transaction.txPbToRawDataHex(pb).toLowerCase()).toBe(hex)
          expect(transaction.txPbToTxID(pb).replace(/^0x/, '')).toBe(ours.signed.txnHash)
        }),
        { numRuns: 60 },
      )
    })

    test('is signed so that the public library recovers its sender', () => {
      fc.assert(
        fc.property(exact, (sample) => {
          const ours = crafted(sample)
          const outer = readMessage(ours.signed.raw)
          const signature = outer === null ? '' : Buffer.from(bytesOf(outer, 2)).toString('hex')
          const { txnHash: txID } = ours.signed
          const raw_data_hex = Buffer.from(ours.unsigned.body).toString('hex')
          const witness = Object({ ...theirs(ours), txID, raw_data_hex, signature: [signature] })
          const signer = tronweb.Trx.ecRecover(witness)
          expect(signer).toBe(FROM)
        }),
        { numRuns: 30 },
      )
    })
  })

  test('decodes to its intent', () => {
    fc.assert(
      fc.property(anyIntent, (sample) => {
        const { intent, terms, signed } = crafted(sample)
        const { chainId, tokenId, from, to, amount, memo } = intent
        expect(decodeTransaction(SHASTA, signed.raw)).toEqual({
          chainId,
          tokenId,
          from,
          to,
          amount,
          memo,
          nonce: null,
          txnHash: signed.txnHash,
          maxFee: terms.feeLimit,
        })
      }),
    )
  })

  test('weighs on the bandwidth what was reckoned before', () => {
    fc.assert(
      fc.property(anyIntent, (sample) => {
        const { intent, terms, signed } = crafted(sample)
        expect(bandwidthOf(intent, terms.feeLimit)).toBe(BigInt(signed.raw.length + 64))
      }),
    )
  })

  test('two payments that are the same in all else are two transactions', () => {
    const intent: Intent = {
      chainId: SHASTA,
      tokenId: COIN,
      from: FROM,
      to: tronSender(1).address,
      amount: 5n,
      memo: null,
    }
    const terms = termsAt({ height: 7, headTime: 1_800_000_000_123, feeLimit: 0n })
    const digests = [0, 1, 2, 999].map((nonce) => {
      const { body } = craftTransaction(intent, terms, { kind: 'nonce', nonce })
      return Buffer.from(body).toString('hex')
    })
    expect(new Set(digests).size).toBe(4)
  })

  test('signed by another than its sender is a bug, and so are bytes that were changed', () => {
    const [sample] = fc.sample(anyIntent, { numRuns: 1, seed: 4 })
    if (sample === undefined) throw new Error('no sample')
    const { unsigned, signed } = crafted(sample)
    const stranger = unsigned.digests.map((one) => tronSender(3).sign(one))
    expect(() => combineTransaction(unsigned, stranger)).toThrow(Bug)
    const [body, signature] = [1, 2].map((field) => {
      const message = readMessage(signed.raw)
      return message === null ? new Uint8Array() : bytesOf(message, field)
    })
    if (body === undefined || signature === undefined) throw new Error('no parts')
    const forged = [
      Uint8Array.from([...signed.raw, 0x18, 0x01]),
      writeMessage([
        [1, Uint8Array.from([...body, 0x98, 0x01, 0x01])],
        [2, signature],
      ]),
      writeMessage([[1, body]]),
      writeMessage([
        [1, body],
        [2, signature.subarray(0, 64)],
      ]),
      signed.raw.subarray(0, signed.raw.length - 1),
    ]
    for (const raw of forged) expect(() => decodeTransaction(SHASTA, raw)).toThrow(Bug)
  })

  test('a zero payment, without a recipient, to oneself or beyond 64 bits is a bug', () => {
    const reservation = { kind: 'nonce', nonce: 0 } as const
    const terms = termsAt({ height: 7, headTime: 1_800_000_000_000, feeLimit: 0n })
    const good: Intent = {
      chainId: SHASTA,
      tokenId: COIN,
      from: FROM,
      to: tronSender(1).address,
      amount: 1n,
      memo: null,
    }
    craftTransaction(good, terms, reservation)
    const bad: Partial<Intent>[] = [
      { amount: 0n },
      { amount: 2n ** 63n },
      { to: ZERO_ADDRESS },
      { to: FROM },
      { tokenId: parseToken('tron:0x00000000000000000000000000000000/slip44:195') },
      { tokenId: TOKEN },
    ]
    for (const change of bad)
      expect(() => craftTransaction({ ...good, ...change }, terms, reservation)).toThrow(Bug)
  })

  test('a successor is made only after the last has expired in solid time [W13]', () => {
    const terms = termsAt({ height: 7, headTime: 1_800_000_000_000, feeLimit: 0n })
    const { reference, headTime } = terms
    const rate = { family: 'tron', energyPrice: 100n, reference: reference + 1n } as const
    const at = (since: bigint) => windowAfter(terms, { ...rate, since, headTime: since + 57_000n })
    expect(at(headTime)).toBeNull()
    expect(at(terms.expiration)).toBeNull()
    const next = at(terms.expiration + 1n)
    expect(next).toMatchObject({ fee: terms.fee, reference: reference + 1n })
    expect(next?.expiration).toBe(terms.expiration + 657_001n)
  })

  test('it has expired for certain where blocks of the final chain are past its end', () => {
    const times = fc.record({
      height: fc.integer({ min: 20, max: 2 ** 31 }),
      headTime: fc.integer({ min: 1_600_000_000_000, max: 2_000_000_000_000 }),
      slots: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 300 }),
    })
    fc.assert(
      fc.property(times, ({ height, headTime, slots }) => {
        const terms = termsAt({ height, headTime, feeLimit: 0n })
        const time = slots.reduce((sum, slot) => sum + slot * 3_000, Number(terms.since))
        const final = height + slots.length
        const expired = hasExpired(terms, { height: final + 1_000, final })
        // Blocks that were missed make it later, never earlier.
        if (expired) expect(time).toBeGreaterThan(Number(terms.expiration))
        expect(hasExpired(terms, { height: final + 1_000, final: null })).toBe(false)
        expect(restsOn(terms)).toBe(BigInt(height))
      }),
    )
  })
})
