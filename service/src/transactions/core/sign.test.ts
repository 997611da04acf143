import { describe, expect, onTestFinished, test } from 'vitest'
import {
  CHAIN,
  NATIVE,
  openSpendHarness,
  type SpendHarness,
  stranger,
  TOKEN,
} from '../../../test/support/spend-harness.ts'
import { parseChain } from '../../../test/adapters/brands.ts'
import type { Decoded, Intent } from '../../chains/port.ts'
import { SpendMismatch } from './mismatch.ts'

const RICH = 10n ** 12n
const OTHER_CHAIN = parseChain('eip155:97')
const OTHER_HASH = `0x${'5'.repeat(64)}`
const STAKE = { act: 'lend', stake: 5n } as const

/** Changes to the signed bytes of a payment of 100 to `stranger(7)`. */
const LIES: readonly [field: string, lie: (told: Decoded) => Partial<Decoded>][] = [
  ['chain', () => ({ chainId: OTHER_CHAIN })],
  ['sender', () => ({ from: stranger(9) })],
  ['recipient', () => ({ to: stranger(8) })],
  ['recipient, an empty one', () => ({ to: '' })],
  ['token', () => ({ tokenId: TOKEN })],
  ['token, none', () => ({ tokenId: null })],
  ['amount, higher by 1', ({ amount }) => ({ amount: amount + 1n })],
  ['amount, lower by 1', ({ amount }) => ({ amount: amount - 1n })],
  ['memo', () => ({ memo: '8' })],
  ['memo, none', () => ({ memo: null })],
  ['number', () => ({ nonce: 1 })],
  ['number, a ticket', () => ({ ticket: true })],
  ['count of tickets', () => ({ tickets: 1 })],
  ['delegation', () => ({ delegation: STAKE })],
  ['highest fee', ({ maxFee }) => ({ maxFee: maxFee + 1n })],
  ['hash', () => ({ txnHash: OTHER_HASH })],
]

describe('signed bytes are not sent when they contain another', () => {
  test.each(LIES)('%s [A13 W16]', async (_field, lie) => {
    const made = await harness()
    await expectHalted(made, { memo: '7' }, lie)
  })

  test('chain than the sender’s, as requested [A13 W16]', async () => {
    const made = await harness()
    await expectHalted(made, { chainId: OTHER_CHAIN }, () => ({ chainId: OTHER_CHAIN }))
  })

  test('chain than requested, equal to the sender’s [A13 W16]', async () => {
    const made = await harness()
    await expectHalted(made, { chainId: OTHER_CHAIN }, () => ({ chainId: CHAIN }))
  })
})

test('bytes equal to the request are sent [A13]', async () => {
  const made = await harness()
  const { subjectId, sent } = await made.pay({ memo: '7' })
  expect(sent).toMatchObject({ outcome: 'sent' })
  expect(made.chain.heard).toEqual([(await made.spend(subjectId)).txnHash])
})

async function harness(): Promise<SpendHarness> {
  const made = await openSpendHarness(expect.getState().currentTestName ?? '')
  onTestFinished(() => made.close())
  await made.fund('settlement', NATIVE, RICH)
  await made.fund('settlement', TOKEN, RICH)
  await made.fund('gas', NATIVE, RICH)
  return made
}

/** Asserts that a mismatch stores and sends nothing, and that the sender stays halted. */
async function expectHalted(
  made: SpendHarness,
  asked: Partial<Intent>,
  lie: (told: Decoded) => Partial<Decoded>,
): Promise<void> {
  const adapter = made.chain.adapter()
  const decode = (raw: Uint8Array): Decoded => {
    const told = adapter.decode(raw)
    return { ...told, ...lie(told) }
  }
  const subjectId = await made.reserve(NATIVE, 100n)
  const deps = { ...made.deps, adapter: { ...adapter, decode } }
  const sending = made.send(made.mandate(subjectId, asked), deps)
  await expect(sending).rejects.toThrow(SpendMismatch)
  expect(await made.spends(subjectId)).toEqual([])
  expect(await made.alerts()).toEqual(['spend.mismatch'])
  expect((await made.pay()).sent).toMatchObject({ outcome: 'halted' })
  expect(made.chain.heard).toEqual([])
}
