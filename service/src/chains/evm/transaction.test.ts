import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { formatTokenId } from '@sluice/wire'
import type { ChainId } from '@sluice/wire'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareWith } from '../../../test/support/oracles.ts'
import { Bug } from '../../base/assert.ts'
import { signDigest } from '../../keys/sign-digest.ts'
import type { Intent, Signed } from '../port.ts'
import { maxFeeOf } from '../spending.ts'
import type { GasTerms } from '../spending.ts'
import { encodeTransfer } from './abi.ts'
import { brandEvmAddress, checksumAddress, evmAddressOf } from './address.ts'
import { nativeTokenId } from './block.ts'
import { rlpEncode, type RlpItem, rlpNumber } from './rlp.ts'
import { combineTransaction, craftTransaction, decodeTransaction } from './transaction.ts'

const KEY = new Uint8Array(32).fill(7)
const FROM = evmAddressOf(secp256k1.getPublicKey(KEY, true))
const TO = brandEvmAddress(`0x${'d0'.repeat(20)}`)
const CONTRACT = brandEvmAddress('0xdac17f958d2ee523a2206b994597c13d831ec7a3')
const CHAINS = ['1', '56', '97', '137', '11155111'].map((one) => `eip155:${one}` as ChainId)
const [ETHEREUM] = CHAINS
const GWEI = 1_000_000_000n
const MARKET: GasTerms = {
  family: 'eip155',
  gasLimit: 21_000n,
  maxFeePerGas: 30n * GWEI,
  maxPriorityFeePerGas: GWEI,
}
const LEGACY: GasTerms = { family: 'eip155-legacy', gasLimit: 21_000n, gasPrice: 5n * GWEI }

const tokenOf = (chainId: ChainId, contract = CONTRACT) =>
  formatTokenId({ chainId, assetNamespace: 'erc20', assetReference: checksumAddress(contract) })

function intentOf(change: Partial<Intent> = {}): Intent {
  const chainId = change.chainId ?? ETHEREUM ?? ('eip155:1' as ChainId)
  const tokenId = nativeTokenId(chainId)
  return { chainId, tokenId, from: FROM, to: TO, amount: 5n, memo: null, ...change }
}

function signed(intent: Intent, terms: GasTerms = MARKET, nonce = 3): Signed {
  const unsigned = craftTransaction(intent, terms, { kind: 'nonce', nonce })
  return combineTransaction(
    unsigned,
    unsigned.digests.map((digest) => signDigest(KEY, digest)),
  )
}

const hexOf = (raw: Uint8Array): `0x${string}` => `0x${Buffer.from(raw).toString('hex')}`
const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex.slice(2), 'hex'))

const addresses = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => brandEvmAddress(hexOf(bytes)))
  .filter((address) => !/^0x0+$/.test(address))
const fees = fc.bigInt(0n, 10n ** 13n)
const anyTerms: fc.Arbitrary<GasTerms> = fc.oneof(
  fc.tuple(fc.bigInt(21_000n, 10n ** 6n), fees, fees).map(([gasLimit, one, other]): GasTerms => {
    const [tip, fee] = one < other ? [one, other] : [other, one]
    return { family: 'eip155', gasLimit, maxFeePerGas: fee, maxPriorityFeePerGas: tip }
  }),
  fc.tuple(fc.bigInt(21_000n, 10n ** 6n), fees).map(([gasLimit, gasPrice]): GasTerms => {
    return { family: 'eip155-legacy', gasLimit, gasPrice }
  }),
)
const anyIntent = fc
  .record({
    chainId: fc.constantFrom(...CHAINS),
    to: addresses,
    contract: fc.option(addresses),
    amount: fc.bigInt(1n, 2n ** 256n - 1n),
  })
  .map(({ contract, ...rest }) =>
    intentOf({
      ...rest,
      tokenId: contract === null ? nativeTokenId(rest.chainId) : tokenOf(rest.chainId, contract),
    }),
  )
const anyNonce = fc.integer({ min: 0, max: 2 ** 40 })

describe('a payment that was crafted and signed', () => {
  test('decodes to its intent for any intent', () => {
    fc.assert(
      fc.property(anyIntent, anyTerms, anyNonce, (intent, terms, nonce) => {
        const { raw, txnHash } = signed(intent, terms, nonce)
        const { chainId, tokenId, from, to, amount } = intent
        expect(decodeTransaction(raw)).toEqual({
          txnHash,
          chainId,
          tokenId,
          from,
          to,
          amount,
          nonce,
          maxFee: maxFeeOf(terms),
        })
      }),
    )
  })

  compareWith(['ethers'], ({ ethers }) => {
    test('is the transaction that ethers reads, with its hash and sender', () => {
      fc.assert(
        fc.property(anyIntent, anyTerms, anyNonce, (intent, terms, nonce) => {
          const { raw, txnHash } = signed(intent, terms, nonce)
          const theirs = ethers.Transaction.from(hexOf(raw))
          const isNative = intent.tokenId.includes('slip44')
          expect(theirs.hash).toBe(txnHash)
          expect(theirs.from?.toLowerCase()).toBe(FROM)
          expect(theirs.type).toBe(terms.family === 'eip155' ? 2 : 0)
          expect(`eip155:${theirs.chainId}`).toBe(intent.chainId)
          expect([theirs.nonce, theirs.gasLimit]).toEqual([nonce, terms.gasLimit])
          expect(theirs.value).toBe(isNative ? intent.amount : 0n)
          expect(theirs.data).toBe(isNative ? '0x' : encodeTransfer(intent.to, intent.amount))
          if (isNative) expect(theirs.to?.toLowerCase()).toBe(intent.to)
          if (terms.family === 'eip155') expect(theirs.maxFeePerGas).toBe(terms.maxFeePerGas)
          else expect(theirs.gasPrice).toBe(terms.gasPrice)
        }),
      )
    })
  })

  compareWith(['viem'], ({ viem }) => {
    test('is the transaction that viem reads, fee by fee', async () => {
      await fc.assert(
        fc.asyncProperty(anyIntent, anyTerms, anyNonce, async (intent, terms, nonce) => {
          const { raw } = signed(intent, terms, nonce)
          const hex = hexOf(raw)
          const theirs = viem.parseTransaction(hex)
          expect(theirs.gas).toBe(terms.gasLimit)
          expect(theirs.nonce ?? 0).toBe(nonce)
          expect(theirs.chainId).toBe(Number(intent.chainId.split(':')[1]))
          if (terms.family === 'eip155') {
            expect(theirs.maxFeePerGas ?? 0n).toBe(terms.maxFeePerGas)
            expect(theirs.maxPriorityFeePerGas ?? 0n).toBe(terms.maxPriorityFeePerGas)
          }
          // viem names these bytes by a template type that no parser of hex can give.
          const typed = terms.family === 'eip155' ? `0x02${hex.slice(4)}` : hex
          const signer = await viem.recoverTransactionAddress({
            serializedTransaction: typed as `0x02${string}`,
          })
          expect(signer.toLowerCase()).toBe(FROM)
        }),
        { numRuns: 50 },
      )
    })
  })

  test('is the same bytes each time', () => {
    expect(signed(intentOf())).toEqual(signed(intentOf()))
  })
})

interface Fields {
  type: number
  to: string | null
  value: bigint
  data: string
  access: RlpItem[]
}

/** A transaction of any fields, signed with the key. */
function serialized(
  prefix: number[],
  items: RlpItem[],
  parityOf: (recovery: number) => number,
): Uint8Array {
  const bytes = (list: RlpItem[]) => Uint8Array.from([...prefix, ...rlpEncode(list)])
  const { r, s, recovery } = signDigest(KEY, keccak_256(bytes(items)))
  return bytes([...items, ...[parityOf(recovery), r, s].map(rlpNumber)])
}

describe('what decodes as no payment [A13]', () => {
  const plain = { type: 2, to: CONTRACT, value: 0n, data: encodeTransfer(TO, 9n), access: [] }
  const decoded = (change: Partial<Fields>) => {
    const { type, to, value, data, access } = { ...plain, ...change }
    const prices = type === 2 ? [GWEI, 30n * GWEI] : [GWEI]
    const numbers = [1n, 3n, ...prices, 90_000n].map(rlpNumber)
    const target = to === null ? new Uint8Array() : bytesOf(to)
    const items = [...numbers, target, rlpNumber(value), bytesOf(data), access]
    return decodeTransaction(serialized([type], items, (recovery) => recovery))
  }

  test('a plain transfer of a token is one', () => {
    expect(decoded({})).toMatchObject({ tokenId: tokenOf('eip155:1' as ChainId), amount: 9n })
  })

  const strange: [string, Partial<Fields>][] = [
    ['value beside the transfer', { value: 1n }],
    ['a byte behind the transfer', { data: `${plain.data}00` }],
    ['a byte too few', { data: plain.data.slice(0, -2) }],
    ['dirt before the recipient', { data: `0xa9059cbb01${plain.data.slice(12)}` }],
    ['transferFrom', { data: `0x23b872dd${plain.data.slice(10)}` }],
    ['approve', { data: `0x095ea7b3${plain.data.slice(10)}` }],
    ['value with data', { to: TO, value: 5n, data: '0x00' }],
    ['an access list', { to: TO, value: 5n, data: '0x', access: [[bytesOf(CONTRACT), []]] }],
    ['a contract made', { to: null, data: '0x6000' }],
    ['a type from before the fee market', { type: 1, data: '0x', value: 5n }],
  ]
  test.each(strange)('%s', (_name, change) => {
    expect(decoded(change).tokenId).toBeNull()
  })

  test('bytes of no transaction, cut ones and longer ones are a bug', () => {
    const { raw } = signed(intentOf())
    const wrong = [
      new Uint8Array(),
      raw.subarray(1),
      raw.subarray(0, -1),
      Buffer.concat([raw, raw]),
    ]
    for (const bytes of wrong) expect(() => decodeTransaction(bytes)).toThrow(Bug)
  })

  test('one changed bit is another sender, another payment, or nothing at all', () => {
    const { raw } = signed(intentOf())
    const was = decodeTransaction(raw)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: raw.length * 8 - 1 }), (bit) => {
        const changed = Uint8Array.from(raw)
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        let now = null
        try {
          now = decodeTransaction(changed)
        } catch (error) {
          expect(error).toBeInstanceOf(Bug)
          return
        }
        expect({ from: now.from }).not.toEqual({ from: was.from })
      }),
    )
  })

  test('a transaction without a chain is a bug: it would be good on every one', () => {
    const numbers = [0n, GWEI, 21_000n].map(rlpNumber)
    const items = [...numbers, bytesOf(TO), rlpNumber(5n), new Uint8Array()]
    const raw = serialized([], items, (recovery) => 27 + recovery)
    expect(() => decodeTransaction(raw)).toThrow(Bug)
  })
})

describe('a bug, and never a transaction', () => {
  const reservation = { kind: 'nonce' as const, nonce: 0 }
  const wrong: [string, Partial<Intent>][] = [
    ['a token of another chain', { tokenId: tokenOf('eip155:56' as ChainId) }],
    ['a native coin that the chain has not', { tokenId: 'eip155:1/slip44:0' as never }],
    ['less than nothing', { amount: -1n }],
    ['more than a word holds', { amount: 2n ** 256n }],
    ['a zero amount to another account', { amount: 0n }],
    ['any amount without a recipient', { to: brandEvmAddress(`0x${'0'.repeat(40)}`) }],
  ]
  test.each(wrong)('%s', (_name, change) => {
    expect(() => craftTransaction(intentOf(change), MARKET, reservation)).toThrow(Bug)
  })

  test('nothing to oneself is a filler, and no bug', () => {
    const filler = intentOf({ amount: 0n, to: FROM })
    expect(decodeTransaction(signed(filler).raw)).toMatchObject({ to: FROM, amount: 0n, nonce: 3 })
  })

  test('terms or a nonce that make no sense', () => {
    const craft = (terms: GasTerms, nonce = 0) =>
      craftTransaction(intentOf(), terms, { kind: 'nonce', nonce })
    expect(() => craft({ ...MARKET, maxPriorityFeePerGas: 31n * GWEI })).toThrow(Bug)
    expect(() => craft({ ...LEGACY, gasLimit: 0n })).toThrow(Bug)
    expect(() => craft({ ...LEGACY, gasPrice: 2n ** 250n })).toThrow(Bug)
    for (const nonce of [-1, 1.5, Number.NaN]) expect(() => craft(LEGACY, nonce)).toThrow(Bug)
  })

  test('a signature of another key, several, or none', () => {
    const unsigned = craftTransaction(intentOf(), MARKET, reservation)
    const [digest = new Uint8Array()] = unsigned.digests
    const own = signDigest(KEY, digest)
    const others = signDigest(new Uint8Array(32).fill(8), digest)
    for (const signatures of [[], [others], [own, own]]) {
      expect(() => combineTransaction(unsigned, signatures)).toThrow(Bug)
    }
  })

  test('a signature whose s is in the upper half [K02]', () => {
    const unsigned = craftTransaction(intentOf(), MARKET, reservation)
    const [digest = new Uint8Array()] = unsigned.digests
    const { r, s, recovery } = signDigest(KEY, digest)
    const high = { r, s: secp256k1.Point.Fn.ORDER - s, recovery: 1 - recovery }
    expect(() => combineTransaction(unsigned, [high])).toThrow(Bug)
  })
})
