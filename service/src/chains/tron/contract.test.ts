import { describe, expect, test } from 'vitest'
import { contractIn } from './contract.ts'
import { writeMessage } from './protobuf.ts'

const OWNER = `41${'11'.repeat(20)}`
const TO = `41${'22'.repeat(20)}`
const PAYMENT = writeMessage([
  [1, bytes(OWNER)],
  [2, bytes(TO)],
  [3, 5n],
])
const READ = { kind: 'transfer', owner: OWNER, to: TO, amount: 5n }

function bytes(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'))
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}

/** The signed bytes of a TransferContract, with further fields of a stranger. */
function rawOf(payment: Uint8Array, { type = 1n, besides = '' } = {}): Uint8Array {
  const url = new Uint8Array(Buffer.from('type.googleapis.com/protocol.TransferContract'))
  const parameter = writeMessage([
    [1, url],
    [2, payment],
  ])
  const contract = writeMessage([
    [1, type],
    [2, parameter],
  ])
  return joined(writeMessage([[11, contract]]), bytes(besides))
}

/** Fields that protobuf-java skips, or reads in several encodings. */
const ODD: readonly [string, string][] = [
  ['a group', '4b4c'],
  ['a group with fields in it', '4b080112014119000000000000000025000000004c'],
  ['groups within groups', '4b535453544c'],
  ['a varint of ten bytes above 64 bits', '48ffffffffffffffffff7f'],
  ['a tag of more bytes than it needs', 'c88080800001'],
  ['the amount as bytes, which is not the amount', '1a0109'],
  ['the amount in 64 fixed bits, which is not the amount', '190900000000000000'],
  ['the owner as a number, which is not the owner', '0807'],
  ['the owner in 32 fixed bits, which is not the owner', '0d07000000'],
]

describe('the bytes of a stranger', () => {
  test.each(ODD)('a payment with %s is the same payment [N09]', (_name, hex) => {
    expect(contractIn(rawOf(joined(PAYMENT, bytes(hex))))).toEqual(READ)
    expect(contractIn(rawOf(joined(bytes(hex), PAYMENT)))).toEqual(READ)
  })

  test.each([
    ['a group', '7b7c'],
    ['a contract that is a number', '5807'],
    ['a varint above 64 bits', '78ffffffffffffffffff7f'],
  ])('a transaction with %s is the same transaction [N09]', (_name, besides) => {
    expect(contractIn(rawOf(PAYMENT, { besides }))).toEqual(READ)
  })

  test('numbers are cut to as many bits as their fields have [N09]', () => {
    const amount = bytes('1885808080808080808002')
    expect(contractIn(rawOf(joined(PAYMENT, amount)))).toEqual(READ)
    expect(contractIn(rawOf(PAYMENT, { type: 2n ** 32n + 1n }))).toEqual(READ)
    expect(contractIn(rawOf(PAYMENT, { type: 2n ** 33n + 2n }))).toEqual({ kind: 'other' })
  })

  test('of two amounts the last one counts, zero too, as java-tron has it [E01]', () => {
    expect(contractIn(rawOf(joined(PAYMENT, bytes('1807'))))).toEqual({ ...READ, amount: 7n })
    expect(contractIn(rawOf(joined(PAYMENT, bytes('1800'))))).toEqual({ ...READ, amount: 0n })
  })

  test.each([
    ['a group that does not end', '4b'],
    ['a group that ends as another', '4b54'],
    ['the end of no group', '4c'],
    ['a field without a number', '0001'],
    ['a wire type that does not exist', '4e'],
    ['bytes that are cut off', '4a05aa'],
    ['an amount below zero', '18ffffffffffffffffff01'],
    ['a recipient that is no address', '1203414141'],
  ])('what java-tron would not execute is unread: %s [N09]', (_name, hex) => {
    expect(contractIn(rawOf(joined(PAYMENT, bytes(hex))))).toEqual({ kind: 'unread' })
  })

  test('bytes that are no message at all are unread [N09]', () => {
    expect(contractIn(bytes('0b'))).toEqual({ kind: 'unread' })
  })
})
