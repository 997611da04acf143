import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { formatTokenId } from '@sluice/wire'
import fc from 'fast-check'
import { Transaction } from 'micro-eth-signer'
import { describe, expect, test } from 'vitest'
import {
  brandEvmAddress,
  checksumAddress as serviceChecksum,
  evmAddressOf,
} from '../../../service/src/chains/evm/address.ts'
import { nativeTokenId } from '../../../service/src/chains/evm/block.ts'
import { craftTransaction } from '../../../service/src/chains/evm/transaction.ts'
import type { Intent } from '../../../service/src/chains/port.ts'
import { type GasTerms, maxFeeOf } from '../../../service/src/chains/spending.ts'
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
import { decodeUnsigned, digestsOf } from './decode.ts'
import { Undecodable } from './decoded.ts'
import { decodeEvm } from './evm.ts'
import { encodeList, type RlpItem } from './rlp.ts'

const KEY = new Uint8Array(32).fill(7)
const FROM = evmAddressOf(secp256k1.getPublicKey(KEY, true))
const CHAINS = ['1', '56', '97', '137', '11155111'].map((reference) =>
  parseChain(`eip155:${reference}`),
)
const GWEI = 10n ** 9n
const TO = 'd0'.repeat(20)
const TOKEN = 'dac17f958d2ee523a2206206994597c13d831ec7'
const TOKEN_TEXT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const TRANSFER = `a9059cbb${'00'.repeat(12)}${TO}${'00'.repeat(31)}09`

const anyAddress = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .filter((bytes) => bytes.some((byte) => byte > 0))
  .map((bytes) => brandEvmAddress(`0x${bytesToHex(bytes)}`))
const anyFee = fc.bigInt(0n, 10n ** 13n)
const anyTerms: fc.Arbitrary<GasTerms> = fc.oneof(
  fc.tuple(fc.bigInt(1n, 10n ** 7n), anyFee, anyFee).map(([gasLimit, left, right]): GasTerms => {
    const [tip, fee] = left < right ? [left, right] : [right, left]
    return { family: 'eip155', gasLimit, maxFeePerGas: fee, maxPriorityFeePerGas: tip }
  }),
  fc.tuple(fc.bigInt(1n, 10n ** 7n), anyFee).map(([gasLimit, gasPrice]): GasTerms => {
    return { family: 'eip155-legacy', gasLimit, gasPrice }
  }),
)
const anyIntent: fc.Arbitrary<Intent> = fc
  .record({
    chainId: fc.constantFrom(...CHAINS),
    to: anyAddress,
    contract: fc.option(anyAddress),
    amount: fc.oneof(fc.bigInt(1n, 2n ** 256n - 1n), fc.bigInt(1n, 1_000n)),
  })
  .map(({ chainId, to, contract, amount }) => {
    const tokenId =
      contract === null
        ? nativeTokenId(chainId)
        : formatTokenId({
            chainId,
            assetNamespace: 'erc20',
            assetReference: serviceChecksum(contract),
          })
    return { chainId, tokenId, from: FROM, to, amount, memo: null }
  })
const anyNonce = fc.oneof(fc.nat(300), fc.maxSafeNat())

/** A body that the service crafts, with the intent and terms behind it. */
const anyCrafted = fc
  .record({ intent: anyIntent, terms: anyTerms, nonce: anyNonce })
  .map((made) => {
    const { body, digests } = craftTransaction(made.intent, made.terms, {
      kind: 'nonce',
      nonce: made.nonce,
    })
    return { ...made, body, digests }
  })

describe('a transaction that the service crafts', () => {
  test('a crafted body decodes to its intent, with the digest of the service', () => {
    fc.assert(
      fc.property(anyCrafted, ({ intent, terms, nonce, body, digests }) => {
        const { chainId, tokenId, to, amount } = intent
        const reference = tokenId.split('/erc20:')[1] ?? null
        expect(decodeUnsigned(chainId, body)).toEqual({
          chainId,
          from: null,
          action: {
            kind: 'payment',
            contract: reference,
            to: serviceChecksum(to),
            amount,
            memo: null,
          },
          slot: { kind: 'nonce', nonce },
          maxFee: maxFeeOf(terms),
        })
        expect(digestsOf(chainId, body)).toEqual(digests)
      }),
      { numRuns: 1_000 },
    )
  })

  test('a crafted body is refused for another chain', () => {
    fc.assert(
      fc.property(anyCrafted, fc.constantFrom(...CHAINS), ({ intent, body }, chainId) => {
        fc.pre(chainId !== intent.chainId)
        expect(() => decodeUnsigned(chainId, body)).toThrow(Undecodable)
        expect(() => digestsOf(chainId, body)).toThrow(Undecodable)
      }),
      { numRuns: 100 },
    )
  })
})

interface Parts {
  type: 0 | 1 | 2
  chainId: bigint
  nonce: bigint
  tip: bigint
  price: bigint
  gasLimit: bigint
  to: string
  value: bigint
  data: string
  access: RlpItem
  more: RlpItem[]
}

const PLAIN: Parts = {
  type: 2,
  chainId: 1n,
  nonce: 3n,
  tip: GWEI,
  price: 30n * GWEI,
  gasLimit: 90_000n,
  to: TOKEN,
  value: 0n,
  data: TRANSFER,
  access: null,
  more: [],
}

/** Big-endian bytes, written independently of the decoder. */
function numberBytes(value: bigint): Uint8Array {
  const digits = value === 0n ? '' : value.toString(16)
  return hexToBytes(digits.length % 2 === 0 ? digits : `0${digits}`)
}

function bodyOf(change: Partial<Parts>): Uint8Array {
  const parts = { ...PLAIN, ...change }
  const { type, chainId, nonce, tip, price, gasLimit, value, data, access, more } = parts
  const call = [numberBytes(gasLimit), hexToBytes(parts.to), numberBytes(value), hexToBytes(data)]
  if (type === 0) {
    const items = [numberBytes(nonce), numberBytes(price), ...call, numberBytes(chainId)]
    return encodeList([...items, new Uint8Array(), new Uint8Array(), ...more])
  }
  const prices = type === 2 ? [tip, price] : [price]
  const items = [...[chainId, nonce, ...prices].map(numberBytes), ...call, access, ...more]
  return Uint8Array.of(type, ...encodeList(items))
}

describe('a transaction of another form', () => {
  test('a transaction of the known form decodes', () => {
    const payment = { kind: 'payment', contract: TOKEN_TEXT, amount: 9n }
    expect(decodeEvm(bodyOf({}))).toMatchObject({ action: payment, maxFee: 90_000n * 30n * GWEI })
    expect(decodeEvm(bodyOf({ type: 0 }))).toMatchObject({ action: payment })
    expect(decodeEvm(bodyOf({ nonce: 2n ** 53n - 1n })).slot).toEqual({
      kind: 'nonce',
      nonce: Number.MAX_SAFE_INTEGER,
    })
    expect(decodeEvm(bodyOf({ to: TO, data: '' })).action).toMatchObject({ amount: 0n })
  })

  const native = { to: TO, data: '' }
  const refused: [name: string, change: Partial<Parts>, message: RegExp][] = [
    ['value beside a transfer', { value: 1n }, /both value and data/],
    ['value with other data', { ...native, value: 5n, data: '00' }, /both value and data/],
    ['data without value', { ...native, data: '00' }, /ERC-20/],
    ['a byte after the transfer', { data: `${TRANSFER}00` }, /ERC-20/],
    ['a transfer without its last byte', { data: TRANSFER.slice(0, -2) }, /ERC-20/],
    ['bytes before the recipient', { data: `a9059cbb01${TRANSFER.slice(10)}` }, /ERC-20/],
    ['transferFrom', { data: `23b872dd${TRANSFER.slice(8)}` }, /ERC-20/],
    ['approve', { data: `095ea7b3${TRANSFER.slice(8)}` }, /ERC-20/],
    ['a created contract', { to: '', data: '6000' }, /ERC-20/],
    ['an empty created contract', { to: '', data: '', value: 1n }, /20 bytes/],
    ['a contract of no address', { to: '' }, /20 bytes/],
    ['a recipient of 19 bytes', { ...native, to: TO.slice(2) }, /20 bytes/],
    ['a recipient of 21 bytes', { ...native, to: `00${TO}` }, /20 bytes/],
    ['the zero address', { ...native, to: '00'.repeat(20), value: 1n }, /zero address/],
    ['the zero address in a transfer', { data: TRANSFER.replace(TO, '00'.repeat(20)) }, /zero/],
    ['the zero address as a token', { to: '00'.repeat(20) }, /zero address/],
    ['bytes as access list', { access: new Uint8Array() }, /access list/],
    ['no access list', { type: 0, chainId: 0n }, /no chain/],
    ['chain 0', { chainId: 0n }, /no chain/],
    ['a nonce of 2^53', { nonce: 2n ** 53n }, /nonce/],
    ['a tip above the price', { tip: 31n * GWEI }, /priority fee/],
    ['no gas', { gasLimit: 0n }, /gas limit/],
    ['a value of 33 bytes', { ...native, value: 2n ** 256n }, /32 bytes/],
    ['a tenth field', { more: [new Uint8Array()] }, /10 fields/],
    ['a type with an access list and without fees', { type: 1 }, /not an RLP list/],
  ]
  test.each(refused)('%s is refused', (_name, change, message) => {
    expect(() => decodeEvm(bodyOf(change))).toThrow(message)
    expect(() => decodeEvm(bodyOf(change))).toThrow(Undecodable)
  })

  const encodings: [name: string, body: Uint8Array, message: RegExp][] = [
    ['no bytes', new Uint8Array(), /end inside/],
    ['only a type', Uint8Array.of(2), /end inside/],
    ['a type above 2', Uint8Array.of(3, ...bodyOf({}).subarray(1)), /not an RLP list/],
    ['a full access list', withAccessList(), /list with content/],
    ['a signed legacy transaction', signedLegacy(), /signed/],
    ['six fields, from before EIP-155', encodeList(Array(6).fill(Uint8Array.of(1))), /6 fields/],
    ['a list as a number', encodeList(Array(9).fill(null)), /list instead of bytes/],
    ['a length of five bytes', Uint8Array.of(0xfc, 0, 0, 0, 0, 1, 1), /4 bytes/],
    ['a number with a leading zero', leadingZero(), /leading zero/],
    ['a small number with a length', longByte(), /not canonical/],
    ['a long length of a short list', longLength(), /not canonical/],
  ]
  test.each(encodings)('%s is refused', (_name, body, message) => {
    expect(() => decodeEvm(body)).toThrow(message)
    expect(() => decodeEvm(body)).toThrow(Undecodable)
  })
})

/** The same transfer with an access list of one address. */
function withAccessList(): Uint8Array {
  const entry = hexToBytes(`d7d694${TOKEN}c0`)
  const [type = 2, head = 0xf8, length = 0, ...rest] = bodyOf({})
  return Uint8Array.of(type, head, length - 1 + entry.length, ...rest.slice(0, -1), ...entry)
}

function signedLegacy(): Uint8Array {
  const [r, s] = [Uint8Array.of(1), Uint8Array.of(2)]
  const items = [3n, GWEI, 21_000n].map(numberBytes)
  const call = [hexToBytes(TO), numberBytes(5n), new Uint8Array()]
  return encodeList([...items, ...call, numberBytes(37n), r, s])
}

/** The nonce 3 as 82 00 03. */
function leadingZero(): Uint8Array {
  const items = [1n, 3n].map(numberBytes)
  const prices = [GWEI, 30n * GWEI, 21_000n].map(numberBytes)
  const call = [hexToBytes(TO), numberBytes(5n), new Uint8Array(), null]
  const padded = [items[0] ?? null, Uint8Array.of(0, 3), ...prices, ...call]
  return Uint8Array.of(2, ...encodeList(padded))
}

/** The nonce 3 as 81 03. */
function longByte(): Uint8Array {
  const [type = 2, head = 0, ...items] = bodyOf({ to: TO, data: '', value: 5n })
  const [chain = 1, ...rest] = items
  return Uint8Array.of(type, head + 1, chain, 0x81, ...rest)
}

/** A list of less than 56 bytes behind f8. */
function longLength(): Uint8Array {
  const [type = 2, head = 0, ...items] = bodyOf({ to: TO, data: '', value: 5n })
  return Uint8Array.of(type, 0xf8, head - 0xc0, ...items)
}

/**
 * The fields that two transactions with the same effect may differ in: the type; the priority fee
 * below the same price; gas limit and price with the same product. All others must be equal.
 */
function boundFields(body: Uint8Array): string {
  const { type, raw } = Transaction.fromBytes(body)
  expect(['eip1559', 'legacy']).toContain(type)
  const fields = Object(raw)
  const price: bigint = type === 'legacy' ? fields.gasPrice : fields.maxFeePerGas
  const { chainId, nonce, to, value, data, gasLimit } = raw
  return textOf({ chainId, nonce, to, value, data, most: gasLimit * price })
}

describe('changed bytes', () => {
  test('a changed body throws, has another effect, or splits the same fee differently', () => {
    let decodable = 0
    fc.assert(
      fc.property(anyCrafted, changes, ({ body }, drawn) => {
        const changed = drawn.map((change) => change(body))
        for (const change of decodableChanges(decodeEvm, body, changed, boundFields)) {
          decodable += 1
          expect(change.hasSameEffect).toBe(change.isBoundSame)
        }
      }),
      { numRuns: 250 },
    )
    expect(decodable).toBeGreaterThan(500)
  })

  test('every byte and length of a token transfer counts, except the priority fee', () => {
    const body = bodyOf({})
    const tip = bytesToHex(body).indexOf('843b9aca00') / 2
    expect(freePositions(decodeEvm, body)).toEqual([0, 1, 2, 3].map((index) => tip + 1 + index))
    expect(decodableLengths(decodeEvm, body)).toEqual([])
    expect(decodableExtensions(decodeEvm, body)).toEqual([])
  })

  test('every byte and length of a legacy payment counts', () => {
    const body = bodyOf({ type: 0, to: TO, data: '', value: 5n * GWEI })
    expect(freePositions(decodeEvm, body)).toEqual([])
    expect(decodableLengths(decodeEvm, body)).toEqual([])
    expect(decodableExtensions(decodeEvm, body)).toEqual([])
  })

  test('random bytes never decode', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(effectOf(decodeEvm, bytes)).toBeNull()
        expect(effectOf(decodeEvm, Uint8Array.of(2, ...bytes))).toBeNull()
      }),
      { numRuns: 1_000 },
    )
  })
})
