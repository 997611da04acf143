import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import type { TokenId } from '@sluice/wire'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Intent } from '../../../service/src/chains/port.ts'
import type { TronTerms } from '../../../service/src/chains/spending.ts'
import { fromHex41, tronAddressOf } from '../../../service/src/chains/tron/address.ts'
import { contractTokenId, nativeTokenId } from '../../../service/src/chains/tron/chain-ids.ts'
import { readMessage, writeMessage } from '../../../service/src/chains/tron/protobuf.ts'
import { craftTransaction } from '../../../service/src/chains/tron/transaction.ts'
import { parseChain } from '../../../service/test/adapters/brands.ts'
import {
  changes,
  decodableChanges,
  decodableExtensions,
  decodableLengths,
  effectOf,
  freePositions,
  textOf,
} from '../../test/mutations.ts'
import { tronAddress } from './address.ts'
import { decodeUnsigned, digestsOf } from './decode.ts'
import { type Decoded, Undecodable } from './decoded.ts'
import { decodeTron } from './tron.ts'

const CHAIN = parseChain('tron:0x00000000000000000000000000000000')
const FROM = tronAddressOf(secp256k1.getPublicKey(new Uint8Array(32).fill(7), true))
const USDT = 'a614f803b6fd780986a42c78ec9c7f77e6ded13c'

const anyAddress = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .filter((bytes) => bytes.some((byte) => byte > 0))
  .map((bytes) => fromHex41(`41${bytesToHex(bytes)}`))
const anySun = fc.oneof(fc.bigInt(1n, 1_000n), fc.bigInt(1n, 2n ** 63n - 1n))
const anyTerms = fc
  .record({
    headTime: fc.bigInt(1_500_000_000_000n, 2_500_000_000_000n),
    window: fc.bigInt(1n, 86_400_000n),
    reference: fc.bigInt(0n, 2n ** 256n - 1n),
    feeLimit: fc.bigInt(1n, 15_000_000_000n),
    number: fc.nat(),
  })
  .map(({ headTime, window, reference, feeLimit, number }) => {
    const terms: TronTerms = {
      family: 'tron',
      fee: feeLimit,
      feeLimit,
      lent: 0n,
      reference,
      since: headTime,
      headTime,
      expiration: headTime + window,
    }
    return { terms, number }
  })
const anyMemo = fc.option(fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }))
const anyPayment = fc
  .record({
    contract: fc.option(anyAddress),
    to: anyAddress,
    coins: anySun,
    tokens: fc.bigInt(1n, 2n ** 256n - 1n),
    memo: anyMemo,
  })
  .map(({ contract, to, coins, tokens, memo }): Intent => {
    const isToken = contract !== null
    const tokenId: TokenId = isToken ? contractTokenId(CHAIN, contract) : nativeTokenId(CHAIN)
    return { chainId: CHAIN, tokenId, from: FROM, to, amount: isToken ? tokens : coins, memo }
  })
const anyDelegation = fc
  .record({
    to: anyAddress,
    act: fc.constantFrom('lend' as const, 'take-back' as const),
    stake: fc.bigInt(1_000_000n, 2n ** 63n - 1n),
  })
  .map(({ to, act, stake }): Intent => {
    const parties = { chainId: CHAIN, tokenId: nativeTokenId(CHAIN), from: FROM, to }
    return { ...parties, amount: 0n, memo: null, delegation: { act, stake } }
  })
const anyCrafted = fc
  .tuple(fc.oneof({ weight: 3, arbitrary: anyPayment }, anyDelegation), anyTerms)
  .map(([intent, { terms, number }]) => {
    const feeLimit = intent.tokenId.includes('trc20') ? terms.feeLimit : 0n
    const reservation = { kind: 'nonce', nonce: number } as const
    return { intent, ...craft(intent, { ...terms, feeLimit }, reservation) }
  })

function craft(intent: Intent, terms: TronTerms, reservation: { kind: 'nonce'; nonce: number }) {
  const { body, digests } = craftTransaction(intent, terms, reservation)
  return { terms, body, digests }
}

function expectedOf(intent: Intent, terms: TronTerms): Decoded {
  const { tokenId, from, to, amount, memo, delegation } = intent
  const contract = tokenId.split('/trc20:')[1] ?? null
  return {
    chainId: null,
    from,
    action:
      delegation === undefined
        ? { kind: 'payment', contract, to, amount, memo }
        : { kind: 'delegation', to, ...delegation },
    slot: { kind: 'window', expiresAt: Number(terms.expiration) },
    maxFee: terms.feeLimit,
  }
}

describe('a transaction that the service crafts', () => {
  test('a crafted body decodes to its intent, with the digest of the service', () => {
    fc.assert(
      fc.property(anyCrafted, ({ intent, terms, body, digests }) => {
        expect(decodeUnsigned(CHAIN, body)).toEqual(expectedOf(intent, terms))
        expect(digestsOf(CHAIN, body)).toEqual(digests)
      }),
      { numRuns: 1_000 },
    )
  })
})

type Fields = [number: number, value: bigint | Uint8Array][]

interface Parts {
  type: bigint
  name: string
  value: Fields
  contract: Fields
  any: Fields
  raw: Fields
}

const OWNER = hexToBytes(`41${'11'.repeat(20)}`)
const TO = hexToBytes(`41${'22'.repeat(20)}`)
const TOKEN = hexToBytes(`41${USDT}`)
const TRANSFER_DATA = concatBytes(
  hexToBytes(`a9059cbb${'00'.repeat(12)}`),
  TO.subarray(1),
  hexToBytes(`${'00'.repeat(31)}09`),
)
const COINS: Parts = {
  type: 1n,
  name: 'TransferContract',
  value: [
    [1, OWNER],
    [2, TO],
    [3, 5n],
  ],
  contract: [],
  any: [],
  raw: [],
}
const CALL: Partial<Parts> = {
  type: 31n,
  name: 'TriggerSmartContract',
  value: [
    [1, OWNER],
    [2, TOKEN],
    [4, TRANSFER_DATA],
  ],
  raw: [[18, 7n]],
}
const LEND: Partial<Parts> = {
  type: 57n,
  name: 'DelegateResourceContract',
  value: [
    [1, OWNER],
    [2, 1n],
    [3, 1_000_000n],
    [4, TO],
  ],
}

/** Raw data whose fields replace or follow the usual ones, in the order of their numbers. */
function bodyOf(change: Partial<Parts>): Uint8Array {
  const { type, name, value, contract, any, raw } = { ...COINS, ...change }
  const url = new TextEncoder().encode(`type.googleapis.com/protocol.${name}`)
  const parameter = merged(
    [
      [1, url],
      [2, merged(value, [])],
    ],
    any,
  )
  const usual: Fields = [
    [1, Uint8Array.of(0x5e, 0x4b)],
    [4, new Uint8Array(8).fill(3)],
    [8, 1_700_000_600_000n],
    [
      11,
      merged(
        [
          [1, type],
          [2, parameter],
        ],
        contract,
      ),
    ],
    [14, 1_700_000_000_123n],
  ]
  return merged(usual, raw)
}

function merged(usual: Fields, others: Fields): Uint8Array {
  const replaced = new Set(others.map(([number]) => number))
  const fields = [...usual.filter(([number]) => !replaced.has(number)), ...others]
  return writeMessage(fields.toSorted(([left], [right]) => left - right))
}

/** The fields of a contract with one of them replaced or added. */
function fieldsOf({ value = [] }: Partial<Parts>, ...others: Fields): Fields {
  const replaced = new Set(others.map(([number]) => number))
  return [...value.filter(([number]) => !replaced.has(number)), ...others].toSorted(
    ([left], [right]) => left - right,
  )
}

describe('a transaction of another form', () => {
  test('a transaction of the known form decodes', () => {
    expect(decodeTron(bodyOf({})).action).toMatchObject({ kind: 'payment', amount: 5n })
    expect(decodeTron(bodyOf(CALL)).action).toMatchObject({
      contract: tronAddress(TOKEN.subarray(1)),
    })
    expect(decodeTron(bodyOf(LEND)).action).toMatchObject({ act: 'lend', stake: 1_000_000n })
    const memo = new TextEncoder().encode('\ufeffinvoice 7 ✓')
    expect(decodeTron(bodyOf({ raw: [[10, memo]] })).action).toMatchObject({
      memo: '\ufeffinvoice 7 ✓',
    })
  })

  const zero = hexToBytes(`41${'00'.repeat(20)}`)
  const longer = concatBytes(TRANSFER_DATA, Uint8Array.of(0))
  const prefixed = TRANSFER_DATA.with(15, 0x41)
  const refused: [name: string, change: Partial<Parts>, message: RegExp][] = [
    ['the number of a reference block', { raw: [[3, 9n]] }, /unknown field: number 3/],
    ['authorities', { raw: [[9, TO]] }, /unknown field: number 9/],
    ['scripts', { raw: [[12, TO]] }, /unknown field: number 12/],
    ['an unknown field', { raw: [[99, 1n]] }, /unknown field: number 99/],
    ['a number as bytes', { raw: [[8, TO]] }, /unknown field: number 8, type 2/],
    ['bytes as a number', { raw: [[10, 5n]] }, /unknown field: number 10, type 0/],
    ['a provider', { contract: [[3, TO]] }, /unknown field: number 3/],
    ['a contract name', { contract: [[4, TO]] }, /unknown field: number 4/],
    ['a permission id', { contract: [[5, 2n]] }, /unknown field: number 5/],
    ['an unknown field of the parameter', { any: [[3, 1n]] }, /unknown field: number 3/],
    ['a vote', { type: 4n, name: 'VoteWitnessContract' }, /unknown type 4/],
    ['an asset', { type: 2n, name: 'TransferAssetContract' }, /unknown type 2/],
    ['a change of permissions', { type: 46n, name: 'AccountPermissionUpdateContract' }, /type 46/],
    ['the name of another contract', { name: 'TransferAssetContract' }, /is not named/],
    ['a reference of 3 bytes', { raw: [[1, Uint8Array.of(1, 2, 3)]] }, /2 bytes/],
    ['no reference', { raw: [[1, new Uint8Array()]] }, /2 bytes/],
    ['a hash of 7 bytes', { raw: [[4, new Uint8Array(7).fill(1)]] }, /8 bytes/],
    ['no expiration', { raw: [[8, 0n]] }, /does not expire/],
    ['a negative expiration', { raw: [[8, -1n]] }, /more than 63 bits/],
    ['an expiration of 2^53', { raw: [[8, 2n ** 53n]] }, /above 2\^53/],
    ['no timestamp', { raw: [[14, 0n]] }, /no timestamp/],
    ['a fee limit without a call', { raw: [[18, 1n]] }, /has a fee limit/],
    ['a memo that is not UTF-8', { raw: [[10, Uint8Array.of(0xff)]] }, /not UTF-8/],
    ['an amount of 0', { value: fieldsOf(COINS, [3, 0n]) }, /amount is 0/],
    ['a negative amount', { value: fieldsOf(COINS, [3, -5n]) }, /more than 63 bits/],
    ['a payment to the owner', { value: fieldsOf(COINS, [2, OWNER]) }, /is the owner/],
    ['a payment to the zero address', { value: fieldsOf(COINS, [2, zero]) }, /zero address/],
    ['no recipient', { value: fieldsOf(COINS, [2, new Uint8Array()]) }, /41 and 20 bytes/],
    ['a prefix of another network', { value: fieldsOf(COINS, [2, TO.with(0, 0xa0)]) }, /41 and 20/],
    ['an address of 20 bytes', { value: fieldsOf(COINS, [1, TO.subarray(1)]) }, /41 and 20 bytes/],
    [
      'a fourth field of a transfer',
      { value: fieldsOf(COINS, [4, TO]) },
      /unknown field: number 4/,
    ],
    ['a call without a fee limit', { ...CALL, raw: [] }, /no fee limit/],
    ['TRX beside a call', { ...CALL, value: fieldsOf(CALL, [3, 1n]) }, /unknown field: number 3/],
    ['a TRC-10 value', { ...CALL, value: fieldsOf(CALL, [5, 1n]) }, /unknown field: number 5/],
    ['a TRC-10 token', { ...CALL, value: fieldsOf(CALL, [6, 1n]) }, /unknown field: number 6/],
    ['a byte after a transfer', { ...CALL, value: fieldsOf(CALL, [4, longer]) }, /not exactly/],
    ['a prefix in a word', { ...CALL, value: fieldsOf(CALL, [4, prefixed]) }, /not exactly/],
    ['approve', { ...CALL, value: fieldsOf(CALL, [4, TRANSFER_DATA.with(0, 9)]) }, /not exactly/],
    [
      'a call without data',
      { ...CALL, value: fieldsOf(CALL, [4, new Uint8Array()]) },
      /not exactly/,
    ],
    ['tokens for the owner', { ...CALL, value: fieldsOf(CALL, [1, TO]) }, /is the owner/],
    [
      'an amount of 0 tokens',
      { ...CALL, value: fieldsOf(CALL, [4, TRANSFER_DATA.with(67, 0)]) },
      /amount is 0/,
    ],
    ['bandwidth', { ...LEND, value: fieldsOf(LEND, [2, 0n]) }, /not energy/],
    ['another resource', { ...LEND, value: fieldsOf(LEND, [2, 2n]) }, /not energy/],
    ['a stake of 0', { ...LEND, value: fieldsOf(LEND, [3, 0n]) }, /stake is 0/],
    ['a lock', { ...LEND, value: fieldsOf(LEND, [5, 1n]) }, /unknown field: number 5/],
    ['a lock period', { ...LEND, value: fieldsOf(LEND, [6, 1n]) }, /unknown field: number 6/],
    ['energy for oneself', { ...LEND, value: fieldsOf(LEND, [4, OWNER]) }, /is the owner/],
    ['a memo of a delegation', { ...LEND, raw: [[10, TO]] }, /a memo or a fee limit/],
    ['a fee limit of a delegation', { ...LEND, raw: [[18, 1n]] }, /a memo or a fee limit/],
    ['the number of another contract', { ...LEND, type: 58n }, /is not named/],
  ]
  test.each(refused)('%s is refused', (_name, change, message) => {
    expect(() => decodeTron(bodyOf(change))).toThrow(message)
    expect(() => decodeTron(bodyOf(change))).toThrow(Undecodable)
  })

  const plain = bodyOf({})
  const [head, tail] = [plain.subarray(0, 4), plain.subarray(4)]
  const encodings: [name: string, body: Uint8Array, message: RegExp][] = [
    ['no bytes', new Uint8Array(), /2 bytes/],
    ['a field that is written twice', concatBytes(head, head, tail), /not canonical/],
    ['fields in another order', concatBytes(tail, head), /not canonical/],
    ['a second contract', concatBytes(plain, contractField(plain)), /not canonical/],
    ['a value of 0 that is written', concatBytes(plain, hexToBytes('900100')), /not canonical/],
    ['a long tag', concatBytes(hexToBytes('8a00'), plain.subarray(1)), /not canonical/],
    ['a long length', concatBytes(hexToBytes('0a8200'), plain.subarray(2)), /not canonical/],
    ['a length beyond the end', hexToBytes('0a055e4b'), /end inside/],
    ['an unfinished number', hexToBytes('40ff'), /end inside/],
    ['a group', concatBytes(plain, hexToBytes('0b0c')), /unknown field: number 1, type 3/],
  ]
  test.each(encodings)('%s is refused', (_name, body, message) => {
    expect(() => decodeTron(body)).toThrow(message)
    expect(() => decodeTron(body)).toThrow(Undecodable)
  })
})

/** The bytes of field 11, of less than 128 bytes, in raw data. */
function contractField(body: Uint8Array): Uint8Array {
  const start = body.indexOf(0x5a)
  return body.subarray(start, start + 2 + (body[start + 1] ?? 0))
}

/**
 * The fields of raw data, except those that two transactions with the same effect may differ in:
 * the reference to a block (1 and 4) and the timestamp (14).
 */
function boundFields(body: Uint8Array): string {
  const message = readMessage(body)
  if (message === null) throw new Error('not a message')
  const bound = [...message].filter(([number]) => ![1, 4, 14].includes(number))
  return textOf(bound.map(([number, values]) => [number, ...values.map(valueText)]))
}

function valueText(value: bigint | Uint8Array | null): string {
  return value instanceof Uint8Array ? bytesToHex(value) : String(value)
}

describe('changed bytes', () => {
  test('a changed body throws, has another effect, or only another reference or time', () => {
    let decodable = 0
    fc.assert(
      fc.property(anyCrafted, changes, ({ body }, drawn) => {
        const changed = drawn.map((change) => change(body))
        for (const change of decodableChanges(decodeTron, body, changed, boundFields)) {
          decodable += 1
          expect(change.hasSameEffect).toBe(change.isBoundSame)
        }
      }),
      { numRuns: 250 },
    )
    expect(decodable).toBeGreaterThan(500)
  })

  test.each([
    ['transfer', bodyOf({})],
    ['call', bodyOf(CALL)],
    ['delegation', bodyOf(LEND)],
  ])('every byte and length of a %s counts, except reference and timestamp', (_name, body) => {
    const reference = [2, 3, ...Array.from({ length: 8 }, (_, index) => 6 + index)]
    const timestamp = bytesToHex(body).lastIndexOf('70fbd095ff') / 2
    expect(freePositions(decodeTron, body)).toEqual([
      ...reference,
      ...Array.from({ length: 6 }, (_, index) => timestamp + 1 + index),
    ])
    expect(decodableLengths(decodeTron, body)).toEqual([])
    expect(decodableExtensions(decodeTron, body)).toEqual([])
  })

  test('random bytes never decode', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(effectOf(decodeTron, bytes)).toBeNull()
      }),
      { numRuns: 1_000 },
    )
  })
})
