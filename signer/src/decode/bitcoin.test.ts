import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import type { ChainId } from '@sluice/wire'
import { Transaction } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressOfScript, bitcoinAddressOf } from '../../../service/src/chains/bitcoin/address.ts'
import { craftTransaction } from '../../../service/src/chains/bitcoin/transaction.ts'
import type { Address, Coin, CoinsReservation, Intent } from '../../../service/src/chains/port.ts'
import { parseChain, parseToken } from '../../../service/test/adapters/brands.ts'
import {
  changes,
  decodableChanges,
  decodableExtensions,
  decodableLengths,
  effectOf,
  freePositions,
  textOf,
} from '../../test/mutations.ts'
import { addressOf } from './address.ts'
import { decodeBitcoin } from './bitcoin.ts'
import { decodeUnsigned, digestsOf } from './decode.ts'
import { type Decoded, type Input, Undecodable } from './decoded.ts'

const MAIN = parseChain('bip122:000000000019d6689c085ae165831e93')
const TESTNET = parseChain('bip122:000000000933ea01ad0ee984209779ba')
/** All known networks; the last three are testnet4, signet and regtest. */
const CHAINS = [
  MAIN,
  TESTNET,
  parseChain('bip122:00000000da84f2bafbbc53dee25a72ae'),
  parseChain('bip122:00000008819873e925422c1ff0f99f7c'),
  parseChain('bip122:0f9188f13cb7b2c71f2a335e3a4fc328'),
]

const publicKeyOf = (number: number) =>
  secp256k1.getPublicKey(new Uint8Array(32).fill(number + 1), true)

/** Scripts of all forms that have an address. */
const anyScript = fc
  .record({
    form: fc.constantFrom(
      ['0014', 20, ''] as const,
      ['0020', 32, ''] as const,
      ['5120', 32, ''] as const,
      ['76a914', 20, '88ac'] as const,
      ['a914', 20, '87'] as const,
    ),
    content: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  })
  .map(({ form: [head, bytes, tail], content }) =>
    concatBytes(hexToBytes(head), content.subarray(0, bytes), hexToBytes(tail)),
  )

function scriptAddress(script: Uint8Array, chainId: ChainId): Address {
  const address = addressOfScript(script, chainId)
  if (address === null) throw new Error('no address')
  return address
}

const anyAmount = fc.oneof(fc.bigInt(1n, 300n), fc.bigInt(1n, 10n ** 12n))
const anyCoins = fc.uniqueArray(
  fc.record({
    txnHash: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytesToHex),
    vout: fc.oneof(fc.nat(300), fc.integer({ min: 0, max: 2 ** 32 - 1 })),
    amount: fc.bigInt(10n ** 12n, 10n ** 13n),
    key: fc.nat(9),
    type: fc.constantFrom('p2wpkh', 'p2tr'),
  }),
  { minLength: 1, maxLength: 6, selector: ({ txnHash, vout }) => `${txnHash}:${vout}` },
)

/** A payment that the service crafts; the inputs are worth at least as much as the outputs. */
const anyCrafted = fc
  .record({
    chainId: fc.constantFrom(...CHAINS),
    drawn: anyCoins,
    payees: fc.array(fc.record({ script: anyScript, amount: anyAmount }), {
      minLength: 1,
      maxLength: 4,
    }),
    change: fc.option(anyAmount),
    twins: fc.nat(999),
  })
  .filter(({ drawn, payees, change }) => {
    const outputs = [...payees, { amount: change ?? 0n }]
    return sumOf(drawn) >= sumOf(outputs)
  })
  .map(({ chainId, drawn, payees: paid, change: rest, twins }) => {
    const coins: Coin[] = drawn.map(({ txnHash, vout, amount, key, type }) => {
      return { txnHash, vout, amount, address: bitcoinAddressOf(publicKeyOf(key), chainId, type) }
    })
    const payees = paid.map(({ script, amount }) => {
      return { to: scriptAddress(script, chainId), amount }
    })
    const from = coins[0]?.address ?? bitcoinAddressOf(publicKeyOf(0), chainId)
    const change = rest === null ? null : { address: from, amount: rest }
    return { chainId, ...craft(chainId, { kind: 'coins', coins, change, twins }, payees) }
  })

function sumOf(parts: readonly { amount: bigint }[]): bigint {
  return parts.reduce((sum, { amount }) => sum + amount, 0n)
}

/** The transaction that the service gives to the signer, and what it spends and pays. */
function craft(
  chainId: ChainId,
  reservation: CoinsReservation,
  payees: { to: Address; amount: bigint }[],
) {
  const { coins, change } = reservation
  const [first] = payees
  const from = coins[0]?.address
  if (first === undefined || from === undefined) throw new Error('no payment')
  const intent: Intent = {
    chainId,
    tokenId: parseToken(`${chainId}/slip44:0`),
    from,
    to: first.to,
    amount: sumOf(payees),
    memo: null,
    payees,
  }
  const made = craftTransaction(intent, reservation, { maxFee: sumOf(coins) })
  const { unsigned: body, digests } = made
  if (body === undefined) throw new Error('no transaction for the signer')
  const outputs = payees.map(({ to, amount }) => ({ address: to, amount }))
  return { coins, body, digests, outputs: change === null ? outputs : [...outputs, change] }
}

describe('a transaction that the service crafts', () => {
  test('a crafted body decodes to its intent, with the digests of the service', () => {
    fc.assert(
      fc.property(anyCrafted, ({ chainId, coins, outputs, body, digests }) => {
        expect(decodeUnsigned(chainId, body, coins)).toEqual({
          chainId: null,
          from: null,
          action: { kind: 'outputs', outputs },
          slot: {
            kind: 'inputs',
            outpoints: coins.map(({ txnHash, vout }) => `${txnHash}:${vout}`),
          },
          maxFee: sumOf(coins) - sumOf(outputs),
        } satisfies Decoded)
        const ours = digestsOf(chainId, body, coins).map(bytesToHex)
        expect(ours).toEqual(digests.map((digest) => bytesToHex(Uint8Array.from(digest))))
      }),
      { numRuns: 150 },
    )
  })
})

interface Parts {
  version: number
  inputs: { hash: string; vout: number; script: string; sequence: number }[]
  outputs: { amount: bigint; script: string }[]
  lockTime: number
}

const INPUT = { hash: 'cd'.repeat(32), vout: 1, script: '', sequence: 0xfffffffd }
const OUTPUT = { amount: 5_000n, script: `0014${'11'.repeat(20)}` }
const PLAIN: Parts = { version: 2, inputs: [INPUT], outputs: [OUTPUT], lockTime: 0 }

/** The bytes of any transaction without witnesses, by another library. */
function bodyOf(change: Partial<Parts>): Uint8Array {
  const { version, inputs, outputs, lockTime } = { ...PLAIN, ...change }
  const transaction = new Transaction()
  transaction.version = version
  transaction.locktime = lockTime
  for (const { hash, vout, script, sequence } of inputs) {
    const bytes = hexToBytes(hash).toReversed()
    transaction.addInput(bytes, vout, sequence, hexToBytes(script))
  }
  for (const { amount, script } of outputs) transaction.addOutput(hexToBytes(script), amount)
  return Uint8Array.from(transaction.toBuffer())
}

function spentOf(count: number, amount = 6_000n): Input[] {
  return Array.from({ length: count }, (_, index) => {
    return { amount, address: addressOf(MAIN, publicKeyOf(index)) }
  })
}

describe('a transaction of another form', () => {
  const second = { ...INPUT, vout: 2 }

  test('a transaction of the known form decodes', () => {
    expect(decodeBitcoin(MAIN, bodyOf({}), spentOf(1))).toMatchObject({
      slot: { outpoints: [`${'cd'.repeat(32)}:1`] },
      maxFee: 1_000n,
    })
    const both = { inputs: [INPUT, second] }
    expect(decodeBitcoin(MAIN, bodyOf(both), spentOf(2)).maxFee).toBe(7_000n)
    const last = { inputs: [{ ...INPUT, sequence: 0xfffffffd - 999 }] }
    expect(decodeBitcoin(MAIN, bodyOf(last), spentOf(1)).maxFee).toBe(1_000n)
    const many = { outputs: Array.from({ length: 300 }, () => ({ ...OUTPUT, amount: 20n })) }
    expect(decodeBitcoin(MAIN, bodyOf(many), spentOf(1)).maxFee).toBe(0n)
  })

  const paying = (script: string): Partial<Parts> => ({ outputs: [{ amount: 5n, script }] })
  const one = spentOf(1)
  const refused: [name: string, change: Partial<Parts>, spent: Input[], message: RegExp][] = [
    ['version 1', { version: 1 }, one, /version is 1/],
    ['version 3', { version: 3 }, one, /version is 3/],
    ['a lock time', { lockTime: 800_000 }, one, /lock time/],
    ['a final sequence', { inputs: [{ ...INPUT, sequence: 0xffffffff }] }, one, /sequence/],
    ['a sequence of lock times', { inputs: [{ ...INPUT, sequence: 0xfffffffe }] }, one, /sequence/],
    ['a relative lock', { inputs: [{ ...INPUT, sequence: 6 }] }, one, /sequence/],
    ['the thousandth twin', { inputs: [{ ...INPUT, sequence: 0xfffffffd - 1_000 }] }, one, /seque/],
    [
      'two sequences',
      { inputs: [INPUT, { ...second, sequence: 0xfffffffc }] },
      spentOf(2),
      /sequence numbers of the inputs differ/,
    ],
    ['a script of an input', { inputs: [{ ...INPUT, script: '51' }] }, one, /input has a script/],
    ['an output that is spent twice', { inputs: [INPUT, INPUT] }, spentOf(2), /twice/],
    ['an amount too few', { inputs: [INPUT, second] }, one, /1 amounts for 2 inputs/],
    ['an amount too many', {}, spentOf(2), /2 amounts for 1 inputs/],
    ['no outputs', { outputs: [] }, one, /no outputs/],
    ['an output of 0', { outputs: [{ ...OUTPUT, amount: 0n }] }, one, /output is 0/],
    ['more than it spends', { outputs: [{ ...OUTPUT, amount: 6_001n }] }, one, /more than the in/],
    ['an input of 0', {}, spentOf(1, 0n), /input is not above 0/],
    ['an input below 0', { inputs: [INPUT, second] }, [...one, ...spentOf(1, -1n)], /not above 0/],
    ['more coins than exist', {}, spentOf(1, 21n * 10n ** 14n + 1n), /21 million/],
    ['data', paying('6a0568656c6c6f'), one, /unknown form/],
    ['an empty script', paying(''), one, /unknown form/],
    ['a bare key', paying(`21${'02'.repeat(33)}ac`), one, /unknown form/],
    ['a witness program of 19 bytes', paying(`0013${'11'.repeat(19)}`), one, /unknown form/],
    ['a byte after a script', paying(`0014${'11'.repeat(20)}00`), one, /unknown form/],
    ['taproot of 31 bytes', paying(`511f${'11'.repeat(31)}`), one, /unknown form/],
    ['an anchor', paying('51024e73'), one, /unknown form/],
    ['version 2 of a witness', paying(`5220${'11'.repeat(32)}`), one, /unknown form/],
    ['a long push', paying(`76a94c14${'11'.repeat(20)}88ac`), one, /unknown form/],
  ]
  test.each(refused)('%s is refused', (_name, change, spent, message) => {
    expect(() => decodeBitcoin(MAIN, bodyOf(change), spent)).toThrow(message)
    expect(() => digestsOf(MAIN, bodyOf(change), spent)).toThrow(Undecodable)
  })

  const plain = bytesToHex(bodyOf({}))
  const encodings: [name: string, body: string, message: RegExp][] = [
    ['no bytes', '', /end inside/],
    ['no inputs', `02000000000100000000000000000000000000`, /no inputs/],
    ['witnesses', plain.replace(/^02000000/, '020000000001'), /./],
    ['a long count', plain.replace(/^0200000001/, '02000000fd0100'), /not canonical/],
    ['a count of 8 bytes', plain.replace(/^0200000001/, '02000000ff01'), /more than 4 bytes/],
    ['a count beyond the end', plain.replace(/^0200000001/, '02000000fd0002'), /inside a list/],
    ['a byte after the lock time', `${plain}00`, /not canonical/],
    ['a PSBT', '70736274ff0100', /./],
  ]
  test.each(encodings)('%s is refused', (_name, hex, message) => {
    expect(() => decodeBitcoin(MAIN, hexToBytes(hex), one)).toThrow(message)
    expect(() => decodeBitcoin(MAIN, hexToBytes(hex), one)).toThrow(Undecodable)
  })

  test('an unknown network or family, and inputs of another family, are refused', () => {
    expect(() => decodeUnsigned('bip122:00', bodyOf({}), one)).toThrow(/Bitcoin network/)
    expect(() => decodeUnsigned('solana:1', bodyOf({}))).toThrow(/family of chains: solana/)
    expect(() => decodeUnsigned('eip155:1', bodyOf({}), one)).toThrow(/only Bitcoin/)
    const script = { amount: 6_000n, address: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' }
    expect(() => digestsOf(MAIN, bodyOf({}), [script])).toThrow(/no P2WPKH or P2TR/)
  })
})

/** All fields but the sequence number: two transactions with the same effect may differ in it. */
function boundFields(body: Uint8Array): string {
  const { version, locktime, ins, outs } = Transaction.fromBuffer(Buffer.from(body))
  const points = ins.map(({ hash, index, script }) => [...hash, index, ...script])
  const paid = outs.map(({ value, script }) => [value, ...script])
  return textOf({ version, locktime, points, paid })
}

describe('changed bytes', () => {
  test('a changed body throws, has another effect, or only another sequence number', () => {
    let decodable = 0
    fc.assert(
      fc.property(anyCrafted, changes, ({ chainId, coins, body }, drawn) => {
        const decode = (bytes: Uint8Array) => decodeBitcoin(chainId, bytes, coins)
        const changed = drawn.map((change) => change(body))
        for (const change of decodableChanges(decode, body, changed, boundFields)) {
          decodable += 1
          expect(change.hasSameEffect).toBe(change.isBoundSame)
        }
      }),
      { numRuns: 150 },
    )
    expect(decodable).toBeGreaterThan(300)
  })

  test('every byte and length counts, except in the sequence number of a single input', () => {
    const body = bodyOf({})
    const spent = spentOf(1)
    const decode = (bytes: Uint8Array) => decodeBitcoin(MAIN, bytes, spent)
    const sequence = bytesToHex(body).indexOf('fdffffff') / 2
    expect(freePositions(decode, body)).toEqual([sequence, sequence + 1])
    expect(decodableLengths(decode, body)).toEqual([])
    expect(decodableExtensions(decode, body)).toEqual([])
  })

  test('every byte and length of two inputs and three outputs counts', () => {
    const outputs = [
      { amount: 5_000n, script: `5120${'22'.repeat(32)}` },
      { amount: 4_000n, script: `76a914${'33'.repeat(20)}88ac` },
      { amount: 3_000n, script: `a914${'44'.repeat(20)}87` },
    ]
    const body = bodyOf({ inputs: [INPUT, { ...INPUT, vout: 2 }], outputs })
    const spent = spentOf(2)
    const decode = (bytes: Uint8Array) => decodeBitcoin(MAIN, bytes, spent)
    expect(freePositions(decode, body)).toEqual([])
    expect(decodableLengths(decode, body)).toEqual([])
    expect(decodableExtensions(decode, body)).toEqual([])
  })

  test('digests cover the spent outputs as BIP-143 and BIP-341 say', () => {
    const body = bodyOf({ inputs: [INPUT, { ...INPUT, vout: 2 }] })
    const [first, second] = spentOf(2)
    const taproot = { amount: 6_000n, address: addressOf(MAIN, publicKeyOf(0), 'p2tr') }
    if (first === undefined || second === undefined) throw new Error('no inputs')
    const digests = (...spent: Input[]) => digestsOf(MAIN, body, spent).map(bytesToHex)
    const [keyHash, other] = digests(first, second)
    expect(digests({ ...first, amount: 6_001n }, second)[0]).not.toBe(keyHash)
    expect(digests(second, second)[0]).not.toBe(keyHash)
    // A P2WPKH input signs no amount of the other inputs; a P2TR input signs all amounts.
    expect(digests({ ...first, amount: 6_001n }, second)[1]).toBe(other)
    const [shared] = digests(taproot, second)
    expect(digests(taproot, { ...second, amount: 6_001n })[0]).not.toBe(shared)
  })

  test('random bytes never decode', () => {
    const spent = spentOf(1)
    const decode = (body: Uint8Array) => decodeBitcoin(MAIN, body, spent)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(effectOf(decode, bytes)).toBeNull()
        expect(effectOf(decode, concatBytes(hexToBytes('0200000001'), bytes))).toBeNull()
      }),
      { numRuns: 1_000 },
    )
  })
})
