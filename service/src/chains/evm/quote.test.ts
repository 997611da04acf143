import { describe, expect, test } from 'vitest'
import { parseHolder } from '../../../test/adapters/brands.ts'
import { word } from '../../../test/adapters/evm-sample.ts'
import {
  adapterOf,
  answersOf,
  BSC,
  ETHER_ID,
  failing,
  HOLDER,
  TOKEN_ID,
} from '../../../test/adapters/scripted-chain.ts'
import { type Answer, refuse } from '../../../test/adapters/scripted-node.ts'
import { Outage } from '../../base/fault.ts'
import type { Intent, Quote } from '../port.ts'
import { Doubt } from '../doubt.ts'
import type { FeeCaps } from '../spending.ts'

const GWEI = 10n ** 9n
const ETHER = 10n ** 18n
const FROM = parseHolder(BSC, `0x${'f0'.repeat(20)}`)
const CAPS: FeeCaps = {
  absolute: ETHER / 100n,
  gasLimit: 100_000n,
  tokenGasLimit: 300_000n,
  relativePercent: 10,
}
const PRICE = 7n * GWEI // base fee 3 gwei, tip 1 gwei, headroom
const hex = (value: bigint | number) => `0x${value.toString(16)}`

const native = (change: Partial<Intent> = {}): Intent => ({
  chainId: BSC,
  tokenId: ETHER_ID,
  from: FROM,
  to: HOLDER,
  amount: ETHER,
  memo: null,
  ...change,
})
const token = (change: Partial<Intent> = {}) => native({ tokenId: TOKEN_ID, amount: 7n, ...change })

/** Answers of a node for a sender with sufficient balances. */
function plenty(header: Record<string, unknown> = {}): Record<string, Answer> {
  const { answers } = answersOf([], { baseFeePerGas: hex(3n * GWEI), ...header })
  return {
    ...answers,
    eth_maxPriorityFeePerGas: () => hex(GWEI),
    eth_gasPrice: () => hex(5n * GWEI),
    eth_getBalance: () => hex(5n * ETHER),
    eth_getCode: () => '0x',
    eth_estimateGas: () => hex(21_000),
    eth_call: (call: { data: string }) => word(call.data.startsWith('0x70a08231') ? 1_000n : 1n),
  }
}

const contract = { eth_getCode: () => '0x6001' }
const broke = { eth_getBalance: () => '0x0' }
/** Of a token that has the money, and a payment that goes nowhere. */
const failingWith = (code: number, message: string) => ({
  eth_estimateGas: () => refuse(code, message),
  eth_call: (call: { data?: string }) =>
    call.data?.startsWith('0x70a08231') ? word(1_000n) : refuse(code, message),
})
const reverts = failingWith(3, 'execution reverted')

async function quoted(
  intent: Intent,
  change: Record<string, Answer> = {},
  caps: Partial<FeeCaps> = {},
): Promise<Quote> {
  const { adapter } = await adapterOf([{ ...plenty(), ...change }])
  return adapter.quote(intent, { ...CAPS, ...caps })
}

describe('a quote', () => {
  test('for coins to a person is the plain gas at the price of the day', async () => {
    expect(await quoted(native())).toEqual({
      ok: true,
      terms: {
        family: 'eip155',
        gasLimit: 21_000n,
        maxFeePerGas: PRICE,
        maxPriorityFeePerGas: GWEI,
      },
    })
  })

  test('for a token is the estimate and a fifth', async () => {
    const estimate = { eth_estimateGas: () => hex(50_001) }
    const quote = await quoted(token(), estimate)
    expect(quote).toMatchObject({ ok: true, terms: { gasLimit: 60_001n } })
  })

  test('tries the very call from the very sender, without a price', async () => {
    const asked: unknown[] = []
    await quoted(token(), { eth_estimateGas: (call: never) => asked.push(call) && hex(50_000) })
    const data = `0xa9059cbb${word(HOLDER).slice(2)}${word(7n).slice(2)}`
    expect(asked).toEqual([
      { from: FROM, to: TOKEN_ID.split(':').at(-1)?.toLowerCase(), value: '0x0', data },
    ])
  })

  test('is of the old form where blocks have no base fee', async () => {
    const { adapter } = await adapterOf([plenty({ baseFeePerGas: undefined })])
    const quote = await adapter.quote(native(), CAPS)
    const terms = { family: 'eip155-legacy', gasLimit: 21_000n, gasPrice: 5n * GWEI }
    expect(quote).toEqual({ ok: true, terms })
  })

  test('takes the tip from the whole price where the node knows no tips', async () => {
    const { eth_maxPriorityFeePerGas: _none, ...rest } = plenty()
    const { adapter } = await adapterOf([rest])
    const quote = await adapter.quote(native(), CAPS)
    expect(quote).toMatchObject({ ok: true, terms: { maxPriorityFeePerGas: 2n * GWEI } })
  })

  test('is an outage while the node is', async () => {
    const away = () => refuse(-32603, 'internal error')
    await failing(quoted(native(), { eth_estimateGas: away }))
    await failing(quoted(native(), { eth_getBalance: away }))
  })
})

describe('a token that returns false', () => {
  /** Two words to the simulation that replaces the sender's code: success, and what arrives. */
  const answering = (gain: bigint) => ({
    eth_call: (call: { data: string }, _at: unknown, code?: Record<string, unknown>) => {
      if (code !== undefined) return `${word(1n)}${word(gain).slice(2)}`
      return word(call.data.startsWith('0x70a08231') ? 1_000n : 0n)
    },
  })

  test('is paid when the simulation shows that the amount arrives [W22]', async () => {
    expect(await quoted(token(), answering(7n))).toMatchObject({ ok: true })
  })

  test.each([0n, 6n])('is refused when %s of 7 arrive [W22]', async (gain) => {
    const refused = { ok: false, code: 'RECIPIENT_REFUSES' }
    expect(await quoted(token(), answering(gain))).toMatchObject(refused)
  })
})

describe('a refused quote', () => {
  const cases: [string, Intent, Record<string, Answer>, object][] = [
    [
      'A02 more coins than there are',
      native({ amount: 6n * ETHER }),
      {},
      {
        code: 'INSUFFICIENT_BALANCE',
        details: { available: `${5n * ETHER}`, required: `${6n * ETHER}` },
      },
    ],
    [
      'a fee above the relative cap, before coins that are missing',
      native({ amount: 6n }),
      broke,
      { code: 'FEE_TOO_HIGH', details: { fee: `${21_000n * 4n * GWEI}`, cap: '0' } },
    ],
    [
      'the whole balance, without a rest for the fee [A02]',
      native({ amount: 5n * ETHER }),
      {},
      { code: 'INSUFFICIENT_GAS', details: { required: `${5n * ETHER + 21_000n * PRICE}` } },
    ],
    [
      'A02 more of a token than there is',
      token({ amount: 1_001n }),
      {},
      { code: 'INSUFFICIENT_BALANCE', details: { available: '1000', required: '1001' } },
    ],
    [
      'W20 a token without coins for the fee',
      token(),
      { ...broke, eth_estimateGas: () => hex(50_000) },
      { code: 'INSUFFICIENT_GAS', details: { available: '0', required: `${60_000n * PRICE}` } },
    ],
    [
      'W20 a node that tries nothing without a fee',
      token(),
      {
        ...broke,
        eth_estimateGas: () => refuse(-32003, 'Insufficient funds for gas * price + value'),
      },
      { code: 'NO_GAS_FOR_ESTIMATE', details: { available: '0', required: `${100_000n * PRICE}` } },
    ],
    ['W22 a token that would revert', token(), reverts, { code: 'RECIPIENT_REFUSES' }],
    [
      'W22 a token that would revert, of one without coins',
      token(),
      { ...reverts, ...broke },
      { code: 'RECIPIENT_REFUSES' },
    ],
    [
      'W22 a token that answers false and moves nothing',
      token(),
      {
        eth_call: (call: { data: string }) =>
          word(call.data.startsWith('0x70a08231') ? 1_000n : 0n),
      },
      { code: 'RECIPIENT_REFUSES' },
    ],
    [
      'a contract that takes no coins',
      native(),
      { ...contract, ...reverts },
      { code: 'RECIPIENT_REFUSES' },
    ],
    [
      'W17 a contract that takes more gas than it is given',
      native(),
      { ...contract, eth_estimateGas: () => hex(100_001) },
      { code: 'RECIPIENT_REFUSES', details: { gas: '100001', gasMax: '100000' } },
    ],
    [
      'W17 a contract that takes all gas there is',
      native(),
      { ...contract, ...failingWith(-32000, 'out of gas') },
      { code: 'RECIPIENT_REFUSES' },
    ],
    [
      'W17 a token that takes more gas than tokens are given',
      token(),
      { eth_estimateGas: () => hex(300_001) },
      { code: 'FEE_TOO_HIGH' },
    ],
    [
      'N11 a person who takes gas as a contract does',
      native(),
      { eth_estimateGas: () => hex(2n ** 40n) },
      { code: 'FEE_TOO_HIGH' },
    ],
  ]
  test.each(cases)('%s', async (_name, intent, change, refusal) => {
    expect(await quoted(intent, change)).toMatchObject({ ok: false, ...refusal })
  })

  test('is for want of money where the money left between the look and the try [N01]', async () => {
    let looks = 0
    const leaving = (call: { data?: string }) => {
      if (call.data?.startsWith('0x70a08231') !== true) return refuse(3, 'execution reverted')
      looks += 1
      return word(looks === 1 ? 1_000n : 5n)
    }
    const quote = await quoted(token(), { ...reverts, eth_call: leaving })
    const details = { available: '5', required: '7' }
    expect(quote).toMatchObject({ code: 'INSUFFICIENT_BALANCE', details })
  })

  test('is none while no block shows both the money and the failure [N01]', async () => {
    await failing(quoted(token(), { eth_estimateGas: reverts.eth_estimateGas }))
  })

  test('a contract is given no more than the cap, however near it comes [W17]', async () => {
    const quote = await quoted(native(), { ...contract, eth_estimateGas: () => hex(99_000) })
    expect(quote).toMatchObject({ ok: true, terms: { gasLimit: 100_000n } })
  })

  test('a fee above a tenth of the amount [W16]', async () => {
    const amount = 21_000n * 4n * GWEI * 10n
    expect(await quoted(native({ amount }))).toMatchObject({ ok: true })
    expect(await quoted(native({ amount: amount - 1n }))).toMatchObject({ code: 'FEE_TOO_HIGH' })
    const free = await quoted(native({ amount: 1n }), {}, { relativePercent: null })
    expect(free).toMatchObject({ ok: true })
  })

  test('a fee above the absolute cap [W16]', async () => {
    const absolute = 60_000n * 4n * GWEI - 1n
    const dear = { eth_estimateGas: () => hex(50_000) }
    const details = { fee: `${absolute + 1n}`, cap: `${absolute}` }
    expect(await quoted(token(), dear, { absolute })).toMatchObject({
      code: 'FEE_TOO_HIGH',
      details,
    })
  })
})

/** A node that refuses payments to the recipient, and simulates all others correctly. */
const sayingOf = (code: number, message: string) => {
  const answer = ({ to }: { to: string }) => (to === HOLDER ? refuse(code, message) : hex(21_000))
  return { ...contract, eth_estimateGas: answer, eth_call: answer }
}

describe('a recipient whose code [W17]', () => {
  test.each([
    [-32000, 'gas required exceeds allowance (50000000)'],
    [-32003, 'Out of gas: gas required exceeds allowance: 100000'],
    [-32000, 'Cannot estimate gas, gas spent exceeded transaction and block gas limit'],
    [-32000, 'invalid opcode: INVALID'],
    [-32000, 'EVM error: InvalidFEOpcode'],
    [-32000, 'BadInstruction'],
    [-32000, 'return data out of bounds'],
    [-32000, 'stack limit reached 1024 (1023)'],
    [-32000, 'Too many stack items'],
    [-32000, 'write protection'],
    [-32000, 'PrecompileFailure'],
    [-32015, 'VM execution error.'],
    [3, 'execution reverted: too many requests, header not found'],
  ])('fails with %d %s refuses the payment', async (code, message) => {
    const refused = { ok: false, code: 'RECIPIENT_REFUSES' }
    expect(await quoted(native(), sayingOf(code, message))).toMatchObject(refused)
  })

  test('says a great deal while it reverts refuses the payment', async () => {
    const much = `execution reverted: ${'x'.repeat(3_000_000)}`
    const refused = { ok: false, code: 'RECIPIENT_REFUSES' }
    expect(await quoted(native(), sayingOf(3, much))).toMatchObject(refused)
  })

  test('takes the gas of a whole block is given no more than the payment would be', async () => {
    const asked: { gas?: string; to: string }[] = []
    const noting = (call: never) => {
      asked.push(call)
      return hex(50_000)
    }
    await quoted(native(), { ...contract, eth_estimateGas: noting })
    await quoted(native(), { eth_estimateGas: noting })
    await quoted(token(), { eth_estimateGas: noting })
    expect(asked.map(({ gas }) => gas)).toEqual([hex(CAPS.gasLimit), undefined, undefined])
  })

  test.each([
    [-32603, 'internal error'],
    [-32000, 'execution aborted (timeout = 5s)'],
    [-32000, 'the moon is full'],
  ])('makes nodes say %d %s leaves a doubt, and sets none aside', async (code, message) => {
    const odd = { ...plenty(), ...sayingOf(code, message) }
    const { adapter, nodes, lines } = await adapterOf([odd, odd])
    await expect(adapter.quote(native(), CAPS)).rejects.toBeInstanceOf(Doubt)
    expect(nodes.map(({ counts }) => counts['eth_getCode'])).toEqual([1, 1])
    expect(lines).toEqual([])
    expect(await adapter.quote(native({ to: FROM }), CAPS)).toMatchObject({ ok: true })
    expect(nodes.map(({ counts }) => counts['eth_getCode'])).toEqual([2, 1])
  })

  test('makes one node doubt, and another not, is judged by the other', async () => {
    const odd = { ...plenty(), ...sayingOf(-32603, 'internal error') }
    const { adapter } = await adapterOf([odd, plenty()])
    expect(await adapter.quote(native(), CAPS)).toMatchObject({ ok: true })
  })

  test('distinguishes an estimate from a call leaves a doubt', async () => {
    const { eth_estimateGas } = sayingOf(3, 'execution reverted')
    const quote = quoted(native(), { ...contract, eth_estimateGas, eth_call: () => '0x' })
    await expect(quote).rejects.toBeInstanceOf(Doubt)
  })
})

describe('a node in trouble [N07]', () => {
  test.each([
    [-32005, 'limit exceeded'],
    [-32029, 'the plan allows no more'],
    [429, 'compute units per second'],
    [-32000, 'header not found'],
    [-32000, 'missing trie node 0c'],
    [-32601, 'the method eth_estimateGas does not exist'],
  ])('with the answer %d %s is an outage, and fails no payment', async (code, message) => {
    const troubled = { ...plenty(), ...sayingOf(code, message) }
    const { adapter } = await adapterOf([troubled])
    const error = await adapter.quote(native(), CAPS).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Outage)
    expect(error).not.toBeInstanceOf(Doubt)
    const { adapter: both } = await adapterOf([troubled, plenty()])
    expect(await both.quote(native(), CAPS)).toMatchObject({ ok: true })
  })
})

describe('a node that reports wrong fees [N11]', () => {
  test('ten thousand times the base fee is above every cap', async () => {
    const { adapter } = await adapterOf([plenty({ baseFeePerGas: hex(30_000n * GWEI) })])
    expect(await adapter.quote(native(), CAPS)).toMatchObject({ code: 'FEE_TOO_HIGH' })
    expect(await adapter.quote(token(), CAPS)).toMatchObject({ code: 'FEE_TOO_HIGH' })
  })

  const lies: [string, Record<string, Answer>][] = [
    ['ten thousand times the tip', { eth_maxPriorityFeePerGas: () => hex(10_000n * GWEI) }],
    ['a tip below nothing', { eth_maxPriorityFeePerGas: () => '-0x1' }],
    ['a tip of 2^256', { eth_maxPriorityFeePerGas: () => hex(2n ** 256n) }],
    ['a number for a quantity', { eth_maxPriorityFeePerGas: () => 1 }],
    ['no gas at all', { eth_estimateGas: () => '0x0' }],
    ['gas below nothing', { eth_estimateGas: () => '-1' }],
    ['2^63 of gas', { eth_estimateGas: () => hex(2n ** 63n) }],
    ['malformed code', { eth_getCode: () => 'none' }],
  ]
  test.each(lies)('%s is an outage, and another node is asked', async (_name, lie) => {
    const liar = { ...plenty(), ...lie }
    const { adapter } = await adapterOf([liar])
    await failing(adapter.quote(native(), CAPS))
    const { adapter: both } = await adapterOf([liar, plenty()])
    expect(await both.quote(native(), CAPS)).toMatchObject({ ok: true })
  })

  test('a legacy price of zero, or far too high, is an outage', async () => {
    for (const price of [0n, 10n ** 18n]) {
      const old = { ...plenty({ baseFeePerGas: undefined }), eth_gasPrice: () => hex(price) }
      const { adapter } = await adapterOf([old])
      await failing(adapter.feeRate())
    }
  })
})
