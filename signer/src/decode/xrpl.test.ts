import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { decode, encodeForSigning } from 'ripple-binary-codec'
import { describe, expect, test } from 'vitest'
import type { Intent } from '../../../service/src/chains/port.ts'
import { addressOfId, xrplAddressOf } from '../../../service/src/chains/xrpl/address.ts'
import { nativeTokenId } from '../../../service/src/chains/xrpl/block.ts'
import { craftTransaction } from '../../../service/src/chains/xrpl/transaction.ts'
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
import { type Action, Undecodable } from './decoded.ts'
import { decodeXrpl } from './xrpl.ts'

const CHAIN = parseChain('xrpl:mainnet')
const KEY = secp256k1.getPublicKey(new Uint8Array(32).fill(7), true)
const FROM = xrplAddressOf(KEY)
const UINT32_MAX = 2 ** 32 - 1
const PREFIX_BYTES = 4

const anyUint32 = fc.oneof(
  fc.integer({ min: 1, max: 300 }),
  fc.integer({ min: 1, max: UINT32_MAX }),
)
const anyDrops = fc.oneof(fc.bigInt(1n, 300n), fc.bigInt(1n, 10n ** 17n))
const anyAddress = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(addressOfId)
const anyReservation = fc.oneof(
  anyUint32.map((nonce) => ({ kind: 'nonce', nonce }) as const),
  anyUint32.map((ticket) => ({ kind: 'ticket', ticket }) as const),
)
const COMMON = { chainId: CHAIN, tokenId: nativeTokenId(CHAIN), from: FROM, memo: null }
const anyIntent: fc.Arbitrary<Intent> = fc.oneof(
  fc
    .record({
      to: anyAddress.filter((address) => address !== FROM),
      amount: anyDrops,
      tag: fc.option(fc.integer({ min: 0, max: UINT32_MAX })),
    })
    .map(({ to, amount, tag }) => {
      return { ...COMMON, to, amount, memo: tag === null ? null : String(tag) }
    }),
  fc.constant({ ...COMMON, to: FROM, amount: 0n }),
  fc.integer({ min: 1, max: 250 }).map((tickets) => {
    return { ...COMMON, to: FROM, amount: 0n, tickets }
  }),
)
const anyCrafted = fc
  .record({ intent: anyIntent, fee: anyDrops, lastLedger: anyUint32, reservation: anyReservation })
  .map(({ intent, fee, lastLedger, reservation }) => {
    const terms = { family: 'xrpl', fee, lastLedger: BigInt(lastLedger) } as const
    const { body, digests } = craftTransaction(intent, terms, reservation, KEY)
    return { intent, fee, reservation, body: Uint8Array.from(body), digests }
  })

function actionOf({ to, amount, memo, tickets }: Intent): Action {
  if (tickets !== undefined) return { kind: 'tickets', count: tickets }
  if (amount === 0n) return { kind: 'require-tag' }
  return { kind: 'payment', contract: null, to, amount, memo }
}

describe('a transaction that the service crafts', () => {
  test('a crafted body decodes to its intent, with the digest of the service', () => {
    fc.assert(
      fc.property(anyCrafted, ({ intent, fee, reservation, body, digests }) => {
        expect(decodeUnsigned(CHAIN, body)).toEqual({
          chainId: null,
          from: FROM,
          action: actionOf(intent),
          slot: reservation,
          maxFee: fee,
        })
        expect(digestsOf(CHAIN, body).map(bytesToHex)).toEqual(digests.map(bytesToHex))
      }),
      { numRuns: 1_000 },
    )
  })
})

const TO = addressOfId(new Uint8Array(20).fill(9))
const PAYMENT = {
  TransactionType: 'Payment',
  Flags: 0x8000_0000,
  Sequence: 5,
  LastLedgerSequence: 90,
  Amount: '25',
  Fee: '12',
  SigningPubKey: bytesToHex(KEY).toUpperCase(),
  Account: FROM,
  Destination: TO,
}
const { Amount: _amount, Destination: _destination, ...BARE } = PAYMENT
const REQUIRE_TAG = { ...BARE, TransactionType: 'AccountSet', SetFlag: 1 }
const TICKETS = { ...BARE, TransactionType: 'TicketCreate', TicketCount: 10 }

/** The bytes for signing of any fields, by the codec of the XRP Ledger's own libraries. */
function bodyOf(fields: object): Uint8Array {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined)
  return hexToBytes(encodeForSigning(Object.fromEntries(present)).toLowerCase())
}

describe('a transaction of another form', () => {
  test('a transaction of the known form decodes', () => {
    expect(decodeXrpl(bodyOf(PAYMENT)).action).toMatchObject({ to: TO, amount: 25n, memo: null })
    expect(decodeXrpl(bodyOf(REQUIRE_TAG)).action).toEqual({ kind: 'require-tag' })
    expect(decodeXrpl(bodyOf(TICKETS)).action).toEqual({ kind: 'tickets', count: 10 })
    expect(decodeXrpl(bodyOf({ ...PAYMENT, DestinationTag: 0 })).action).toMatchObject({
      memo: '0',
    })
    const ticket = { Sequence: 0, TicketSequence: 8 }
    expect(decodeXrpl(bodyOf({ ...PAYMENT, ...ticket })).slot).toEqual({
      kind: 'ticket',
      ticket: 8,
    })
  })

  const other = secp256k1.getPublicKey(new Uint8Array(32).fill(8), true)
  const token = { currency: 'USD', value: '1', issuer: TO }
  const memos = [{ Memo: { MemoData: 'ABCD' } }]
  const refused: [name: string, fields: object, message: RegExp][] = [
    ['a partial payment', { ...PAYMENT, Flags: 0x8002_0000 }, /tfFullyCanonicalSig/],
    ['no flags', { ...PAYMENT, Flags: 0 }, /tfFullyCanonicalSig/],
    ['an amount of a token', { ...PAYMENT, Amount: token }, /unknown field/],
    ['a maximum to send', { ...PAYMENT, SendMax: '30' }, /unknown field/],
    ['a minimum to deliver', { ...PAYMENT, DeliverMin: '3' }, /unknown field/],
    ['paths', { ...PAYMENT, Paths: [[{ account: TO }]] }, /unknown field/],
    ['memos', { ...PAYMENT, Memos: memos }, /unknown field/],
    ['a source tag', { ...PAYMENT, SourceTag: 5 }, /unknown field/],
    ['an invoice id', { ...PAYMENT, InvoiceID: 'AB'.repeat(32) }, /unknown field/],
    ['a network id', { ...PAYMENT, NetworkID: 1_025 }, /unknown field/],
    ['an earlier transaction', { ...PAYMENT, AccountTxnID: 'AB'.repeat(32) }, /unknown field/],
    ['no last ledger', { ...PAYMENT, LastLedgerSequence: undefined }, /LastLedger\w+ is missing/],
    ['the last ledger 0', { ...PAYMENT, LastLedgerSequence: 0 }, /last ledger is 0/],
    ['an amount of 0', { ...PAYMENT, Amount: '0' }, /Amount is not 1 to/],
    ['a fee of 0', { ...PAYMENT, Fee: '0' }, /Fee is not 1 to/],
    ['a payment to its account', { ...PAYMENT, Destination: FROM }, /its own account/],
    ['no destination', { ...PAYMENT, Destination: undefined }, /Destination is missing/],
    ['the key of another', { ...PAYMENT, SigningPubKey: bytesToHex(other) }, /own key/],
    ['no key', { ...PAYMENT, SigningPubKey: '' }, /unknown field/],
    ['no sequence', { ...PAYMENT, Sequence: 0 }, /neither a Sequence nor a ticket/],
    ['a sequence and a ticket', { ...PAYMENT, TicketSequence: 3 }, /a Sequence and a ticket/],
    ['the ticket 0', { ...PAYMENT, Sequence: 0, TicketSequence: 0 }, /ticket 0/],
    ['another flag of an account', { ...REQUIRE_TAG, SetFlag: 4 }, /asfRequireDest/],
    ['a cleared flag', { ...REQUIRE_TAG, ClearFlag: 1 }, /unknown field/],
    ['a cleared flag alone', { ...REQUIRE_TAG, SetFlag: undefined, ClearFlag: 3 }, /unknown field/],
    ['an account set without a flag', { ...REQUIRE_TAG, SetFlag: undefined }, /SetFlag is missing/],
    ['a domain', { ...REQUIRE_TAG, Domain: 'AB' }, /unknown field/],
    ['an amount in an account set', { ...REQUIRE_TAG, Amount: '5' }, /Amount is not allowed/],
    ['a tag in an account set', { ...REQUIRE_TAG, DestinationTag: 5 }, /DestinationTag is not/],
    ['0 tickets', { ...TICKETS, TicketCount: 0 }, /1 to 250/],
    ['251 tickets', { ...TICKETS, TicketCount: 251 }, /1 to 250/],
    ['a flag among tickets', { ...TICKETS, SetFlag: 1 }, /SetFlag is not allowed/],
    ['tickets in a payment', { ...PAYMENT, TicketCount: 5 }, /TicketCount is not allowed/],
    ['a regular key', { ...BARE, TransactionType: 'SetRegularKey' }, /unknown transaction type 5/],
    ['a deleted account', { ...PAYMENT, TransactionType: 'AccountDelete' }, /transaction type 21/],
    ['an escrow', { ...PAYMENT, TransactionType: 'EscrowCreate' }, /transaction type 1/],
  ]
  test.each(refused)('%s is refused', (_name, fields, message) => {
    expect(() => decodeXrpl(bodyOf(fields))).toThrow(message)
    expect(() => decodeXrpl(bodyOf(fields))).toThrow(Undecodable)
  })

  const plain = bodyOf(PAYMENT)
  const [prefix, fields] = [plain.subarray(0, PREFIX_BYTES), plain.subarray(PREFIX_BYTES)]
  const type = fields.subarray(0, 3)
  const encodings: [name: string, body: Uint8Array, message: RegExp][] = [
    ['no bytes', new Uint8Array(), /STX/],
    ['only the prefix', prefix, /TransactionType is missing/],
    ['no prefix', fields, /STX/],
    ['the prefix of several signers', concatBytes(hexToBytes('534d5400'), fields), /STX/],
    ['the prefix of a claim', concatBytes(hexToBytes('434c4d00'), fields), /STX/],
    ['a field that is written twice', concatBytes(prefix, type, fields), /another order/],
    ['fields in another order', concatBytes(prefix, fields.subarray(3), type), /another order/],
    ['a field that ends early', plain.subarray(0, -1), /end inside/],
    ['more drops than exist', withAmount(plain, 10n ** 17n + 1n), /Amount is not 1 to/],
    ['a negative amount', withAmount(plain, -(2n ** 62n) + 25n), /not an amount of XRP/],
  ]
  test.each(encodings)('%s is refused', (_name, body, message) => {
    expect(() => decodeXrpl(body)).toThrow(message)
    expect(() => decodeXrpl(body)).toThrow(Undecodable)
  })
})

/** The same payment with 2^62 and these drops as its amount. */
function withAmount(body: Uint8Array, drops: bigint): Uint8Array {
  const digits = (2n ** 62n + drops).toString(16).padStart(16, '0')
  return hexToBytes(bytesToHex(body).replace(`614000000000000019`, `61${digits}`))
}

/** The fields, except the last ledger: two transactions with the same effect may differ in it. */
function boundFields(body: Uint8Array): string {
  const { LastLedgerSequence: _, ...bound } = decode(bytesToHex(body.subarray(PREFIX_BYTES)))
  return textOf(bound)
}

describe('changed bytes', () => {
  test('a changed body throws, has another effect, or only another last ledger', () => {
    let decodable = 0
    fc.assert(
      fc.property(anyCrafted, changes, ({ body }, drawn) => {
        const changed = drawn.map((change) => change(body))
        for (const change of decodableChanges(decodeXrpl, body, changed, boundFields)) {
          decodable += 1
          expect(change.hasSameEffect).toBe(change.isBoundSame)
        }
      }),
      { numRuns: 500 },
    )
    expect(decodable).toBeGreaterThan(500)
  })

  test.each([
    ['payment', bodyOf({ ...PAYMENT, DestinationTag: 7 })],
    ['account set', bodyOf(REQUIRE_TAG)],
    ['ticket create', bodyOf({ ...TICKETS, Sequence: 0, TicketSequence: 9 })],
  ])('every byte and length of a %s counts, except the last ledger', (_name, body) => {
    const lastLedger = bytesToHex(body).indexOf('201b0000005a') / 2
    expect(freePositions(decodeXrpl, body)).toEqual([2, 3, 4, 5].map((index) => lastLedger + index))
    expect(decodableLengths(decodeXrpl, body)).toEqual([])
    expect(decodableExtensions(decodeXrpl, body)).toEqual([])
  })

  test('random bytes never decode', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(effectOf(decodeXrpl, bytes)).toBeNull()
        expect(effectOf(decodeXrpl, concatBytes(hexToBytes('53545800'), bytes))).toBeNull()
      }),
      { numRuns: 1_000 },
    )
  })
})
