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
import type { Delegation, Intent } from '../port.ts'
import { toHex41, tronAddressOf } from './address.ts'
import { delegationIn } from './delegation.ts'
import { bytesOf, readMessage, writeMessage } from './protobuf.ts'
import {
  bandwidthOf,
  combineTransaction,
  craftTransaction,
  decodeTransaction,
} from './transaction.ts'

const COIN = parseToken(`${SHASTA}/slip44:195`)
const KEY = new Uint8Array(createHash('sha256').update('a lender').digest())
const FROM = tronAddressOf(secp256k1.getPublicKey(KEY, true))
const TO = tronSender(41).address
const TERMS = termsAt({ height: 9, headTime: 1_800_000_000_000, feeLimit: 0n })
const KINDS = { lend: 'DelegateResourceContract', 'take-back': 'UnDelegateResourceContract' }

const anyDelegation: fc.Arbitrary<Delegation> = fc.record({
  act: fc.constantFrom('lend', 'take-back'),
  stake: fc.bigInt({ min: 1_000_000n, max: 2n ** 53n - 1n }),
})

function intentOf(delegation: Delegation): Intent {
  const parties = { chainId: SHASTA, tokenId: COIN, from: FROM, to: TO }
  return { ...parties, amount: 0n, memo: null, delegation }
}

function signed(delegation: Delegation) {
  const unsigned = craftTransaction(intentOf(delegation), TERMS, { kind: 'nonce', nonce: 5 })
  const signatures = unsigned.digests.map((one) => signDigest(KEY, one))
  return { unsigned, ...combineTransaction(unsigned, signatures) }
}

/** The same transaction as the public library understands it. */
function theirs({ act, stake }: Delegation) {
  const parties = { owner_address: toHex41(FROM), receiver_address: toHex41(TO) }
  const value = { ...parties, balance: Number(stake), resource: 'ENERGY' }
  const type_url = `type.googleapis.com/protocol.${KINDS[act]}`
  const id = TERMS.reference.toString(16).padStart(64, '0')
  const raw_data = {
    contract: [{ parameter: { value, type_url }, type: KINDS[act] }],
    ref_block_bytes: id.slice(12, 16),
    ref_block_hash: id.slice(16, 32),
    expiration: Number(TERMS.expiration),
    timestamp: Number(TERMS.headTime) + 5,
  }
  return { visible: false, txID: '', raw_data_hex: '', raw_data }
}

describe('a transaction that lends energy or takes it back', () => {
  compareWith(['tronweb'], ({ tronweb }) => {
    test('is byte for byte what the public library makes of it, and signed by its sender', () => {
      fc.assert(
        fc.property(anyDelegation, (delegation) => {
          const { transaction } = tronweb.utils
          const ours = signed(delegation)
          const pb = transaction.txJsonToPb(theirs(delegation))
          const raw_data_hex = Buffer.from(ours.unsigned.body).toString('hex')
          expect(transaction.txPbToRawDataHex(pb).toLowerCase()).toBe(raw_data_hex)
          expect(transaction.txPbToTxID(pb).replace(/^0x/, '')).toBe(ours.txnHash)
          const outer = readMessage(ours.raw)
          const signature = outer === null ? '' : Buffer.from(bytesOf(outer, 2)).toString('hex')
          const all = { ...theirs(delegation), raw_data_hex, signature: [signature] }
          expect(tronweb.Trx.ecRecover(Object({ ...all, txID: ours.txnHash }))).toBe(FROM)
        }),
        { numRuns: 40 },
      )
    })
  })

  test('decodes to its intent, and pays no amount', () => {
    fc.assert(
      fc.property(anyDelegation, (delegation) => {
        const { raw, txnHash } = signed(delegation)
        expect(decodeTransaction(SHASTA, raw)).toEqual({
          chainId: SHASTA,
          tokenId: COIN,
          from: FROM,
          to: TO,
          amount: 0n,
          memo: null,
          nonce: null,
          txnHash,
          maxFee: 0n,
          delegation,
        })
        expect(bandwidthOf(intentOf(delegation), 0n)).toBe(BigInt(raw.length + 64))
      }),
      { numRuns: 40 },
    )
  })

  test('is rejected when it would lock the stake, or lend bandwidth', () => {
    const owner = new Uint8Array(Buffer.from(toHex41(FROM), 'hex'))
    const receiver = new Uint8Array(Buffer.from(toHex41(TO), 'hex'))
    const withFields = (...fields: [number, bigint | Uint8Array][]) => {
      const url = `type.googleapis.com/protocol.${KINDS.lend}`
      const any = writeMessage([
        [1, new Uint8Array(Buffer.from(url))],
        [2, writeMessage([[1, owner], [3, 5_000_000n], [4, receiver], ...fields])],
      ])
      const contract = writeMessage([
        [1, 57n],
        [2, any],
      ])
      return delegationIn(writeMessage([[11, contract]]))
    }
    expect(withFields([2, 1n])).toMatchObject({ act: 'lend', stake: 5_000_000n, to: TO })
    expect(withFields()).toBeNull()
    expect(withFields([2, 1n], [5, 1n])).toBeNull()
    expect(withFields([2, 1n], [6, 86_400n])).toBeNull()
  })

  test.each<[string, Partial<Intent>]>([
    ['pays besides', { amount: 1n }],
    ['lends to its own sender', { to: FROM }],
    ['lends less than the chain knows', { delegation: { act: 'lend', stake: 999_999n } }],
    ['carries a memo', { memo: 'a word' }],
    ['names a token', { tokenId: parseToken(`${SHASTA}/trc20:${TO}`) }],
  ])('with %s is a bug', (_what, change) => {
    const good = intentOf({ act: 'lend', stake: 1_000_000n })
    const reservation = { kind: 'nonce', nonce: 0 } as const
    craftTransaction(good, TERMS, reservation)
    expect(() => craftTransaction({ ...good, ...change }, TERMS, reservation)).toThrow(Bug)
  })
})
