import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  CHAIN,
  NATIVE,
  openSpendHarness,
  type SpendHarness,
  stranger,
  TOKEN,
} from '../../test/support/spend-harness.ts'
import { noncesOf } from '../chains/chain-adapter.ts'
import { maxFeeOf } from '../chains/spending.ts'
import { readOpenAlert } from '../alerts/raise-alert.ts'
import { listForeign } from './core/read.ts'
import { SpendMismatch } from './core/mismatch.ts'
import { compareSenders } from './prepare.ts'
import { resumeSender } from './resume-sender.ts'
import { trackSpends } from './track.ts'

const RICH = 10n ** 12n
const BUMP_AFTER = 5

async function harness(): Promise<SpendHarness> {
  const made = await openSpendHarness(expect.getState().currentTestName ?? '')
  onTestFinished(() => made.close())
  await made.fund('settlement', NATIVE, RICH)
  await made.fund('gas', NATIVE, RICH)
  return made
}

/** Mines blocks in which nothing of ours is. */
async function pass(made: SpendHarness, blocks: number): Promise<void> {
  for (let mined = 0; mined < blocks; mined += 1) made.chain.mine(() => false)
  await made.follow()
}

describe('unmined spends', () => {
  test('a forgotten transaction is rebroadcast, and all spends complete [W15]', async () => {
    const made = await harness()
    const paid = []
    for (let at = 0; at < 16; at += 1) paid.push((await made.pay()).subjectId)
    const [first = ''] = paid
    const { txnHash } = await made.spend(first)
    made.chain.drop(txnHash)
    made.chain.mine()
    await made.follow()
    expect(made.chain.mined()).toEqual([])
    await made.tend()
    made.chain.mine()
    await made.follow()
    expect(made.chain.mined()).toHaveLength(16)
    expect((await made.spend(first)).txnHash).toBe(txnHash)
    expect(made.told.filter((one) => one.startsWith('paid'))).toHaveLength(16)
    expect(await made.wrongs()).toEqual([])
  })

  test('the alert of a stuck spend is resolved when it is displaced [W19]', async () => {
    const made = await harness()
    const { subjectId } = await made.pay()
    await pass(made, BUMP_AFTER)
    made.chain.basePrice = 10n ** 15n
    await made.tend()
    expect(await made.alerts()).toEqual(['spend.stuck'])
    made.chain.basePrice = 1n
    made.chain.foreign(made.settlement, 0)
    made.chain.mine()
    await made.follow()
    await pass(made, 3)
    expect(await made.spend(subjectId)).toMatchObject({ state: 'Displaced' })
    expect(await made.alerts()).toEqual(['spend.foreign'])
  })

  test('the first is rebroadcast after 3 blocks, others only if unknown [W15]', async () => {
    const made = await harness()
    await made.pay()
    await made.pay()
    expect(await made.tend()).toMatchObject({ again: 0 })
    await pass(made, 3)
    expect(await made.tend()).toMatchObject({ again: 1, bumped: 0 })
    expect(await made.tend()).toMatchObject({ again: 0 })
  })

  test('only the first in line is replaced, with a fee 12.5 % higher [W18]', async () => {
    const made = await harness()
    const { subjectId } = await made.pay()
    await made.pay()
    await pass(made, BUMP_AFTER - 1)
    expect(await made.tend(BUMP_AFTER)).toMatchObject({ bumped: 0 })
    await pass(made, 1)
    expect(await made.tend(BUMP_AFTER)).toMatchObject({ bumped: 1 })
    const [first, second] = (await made.spend(subjectId)).transactions
    expect(second?.maxFee).toBeGreaterThanOrEqual(((first?.maxFee ?? 0n) * 9n) / 8n)
    expect(second?.number).toBe(2)
    expect(await made.tend(BUMP_AFTER)).toMatchObject({ bumped: 0 })
    made.chain.mine()
    await made.follow()
    expect((await made.spend(subjectId)).txnHash).toBe(second?.txnHash)
    expect(made.chain.mined()).toHaveLength(2)
    expect(await made.wrongs()).toEqual([])
  })

  test('the original, included after its replacement, completes the spend [W18]', async () => {
    const made = await harness()
    const { subjectId } = await made.pay()
    const [original] = (await made.spend(subjectId)).transactions
    const kept = [...made.chain.pool.values()]
    await pass(made, BUMP_AFTER)
    await made.tend(BUMP_AFTER)
    const { txnHash: replacement } = await made.spend(subjectId)
    expect(replacement).not.toBe(original?.txnHash)
    made.chain.pool.clear()
    for (const one of kept) made.chain.pool.set(one.txnHash, one)
    made.chain.mine()
    await made.follow()
    expect(await made.spend(subjectId)).toMatchObject({
      state: 'Included',
      txnHash: original?.txnHash,
    })
    expect(await made.tend(BUMP_AFTER)).toEqual({ again: 0, bumped: 0, filled: 0 })
    expect(made.told.filter((one) => one.startsWith('paid'))).toHaveLength(1)
    expect(await made.wrongs()).toEqual([])
  })

  test('a replacement above the cap raises an alert and is not signed [W18]', async () => {
    const made = await harness()
    const { subjectId } = await made.pay()
    await pass(made, BUMP_AFTER)
    made.chain.basePrice = 10n ** 15n
    expect(await made.tend(BUMP_AFTER)).toMatchObject({ bumped: 0 })
    expect(await made.tend(BUMP_AFTER)).toMatchObject({ bumped: 0 })
    expect(await made.alerts()).toEqual(['spend.stuck'])
    expect((await made.spend(subjectId)).transactions).toHaveLength(1)
    made.chain.basePrice = 1n
    made.chain.mine()
    await made.follow()
    expect(await made.alerts()).toEqual([])
  })

  test('a replacement of a small payment stays within the relative cap [W16 W18]', async () => {
    const made = await harness()
    made.deps.caps = { ...made.deps.caps, relativePercent: 10 }
    // Its fee was a tenth of it when it was signed: the most that it might be then.
    const amount = maxFeeOf(made.chain.terms()) * 10n
    const small = await made.pay({ amount })
    made.chain.basePrice = 3n
    const later = await made.pay()
    await pass(made, BUMP_AFTER)
    expect(made.chain.mined()).toEqual([])
    expect(await made.tend(BUMP_AFTER)).toMatchObject({ bumped: 0 })
    expect(await made.alerts()).toEqual(['spend.stuck'])
    made.deps.caps = { ...made.deps.caps, relativePercent: 90 }
    expect(await made.tend(BUMP_AFTER)).toMatchObject({ bumped: 1 })
    made.chain.mine()
    await made.follow()
    for (const { subjectId } of [small, later]) {
      expect(await made.spend(subjectId)).toMatchObject({ state: 'Included', succeeded: true })
    }
    expect(await made.alerts()).toEqual([])
    expect(await made.wrongs()).toEqual([])
  })

  test('a replacement that the gas does not cover is not signed [W18]', async () => {
    const made = await openSpendHarness('bump without gas')
    onTestFinished(() => made.close())
    await made.fund('settlement', NATIVE, RICH)
    await made.fund('gas', NATIVE, 42_000n)
    await made.pay()
    await pass(made, BUMP_AFTER)
    expect(await made.tend(BUMP_AFTER)).toMatchObject({ bumped: 0 })
    expect(await made.alerts()).toEqual(['spend.stuck'])
    await made.fund('gas', NATIVE, RICH)
    expect(await made.tend(BUMP_AFTER)).toMatchObject({ bumped: 1 })
  })

  test('no stuck alert is raised for a spend included meanwhile [W18]', async () => {
    const made = await harness()
    const { subjectId } = await made.pay()
    await pass(made, BUMP_AFTER)
    made.chain.basePrice = 10n ** 15n
    const { adapter } = made.deps
    const feeRate: typeof adapter.feeRate = async () => {
      const rate = await adapter.feeRate()
      made.chain.basePrice = 1n
      made.chain.mine()
      await made.follow()
      return rate
    }
    made.deps.adapter = { ...adapter, feeRate }
    await made.tend(BUMP_AFTER)
    expect(await made.spend(subjectId)).toMatchObject({ state: 'Included', succeeded: true })
    expect(await made.alerts()).toEqual([])
  })

  test('a stuck alert shows the current reason, once [W18]', async () => {
    const made = await openSpendHarness('two reasons to wait')
    onTestFinished(() => made.close())
    await made.fund('settlement', NATIVE, RICH)
    await made.fund('gas', NATIVE, 42_000n)
    const { id: subject } = await made.spend((await made.pay()).subjectId)
    await pass(made, BUMP_AFTER)
    const tells = async (message: string, times: number) => {
      for (let looks = 0; looks < 2; looks += 1) await made.tend(BUMP_AFTER)
      const asked = { code: 'spend.stuck', subject } as const
      const told = await made.database.transaction((tx) => readOpenAlert(tx, asked))
      expect(told).toMatchObject({ message: expect.stringContaining(message), times })
    }
    await tells('short-of-gas', 1)
    await made.fund('gas', NATIVE, RICH)
    made.chain.basePrice = 10n ** 15n
    await tells('the fee cap allows no replacement', 2)
  })

  test('a spend with an altered recipient is not replaced [A19]', async () => {
    const made = await harness()
    await made.pay()
    await made.tamper(`update spends set recipient = '${stranger(66)}'`)
    await pass(made, BUMP_AFTER)
    await expect(made.tend(BUMP_AFTER)).rejects.toThrow(SpendMismatch)
    expect(await made.alerts()).toEqual(['spend.mismatch'])
    expect(await made.tend(BUMP_AFTER)).toEqual({ again: 0, bumped: 0, filled: 0 })
    expect(made.chain.heard).toHaveLength(1)
  })

  test('a nonce gap below a waiting spend is filled with a transfer of 0 [W15]', async () => {
    const made = await harness()
    await made.pay()
    made.chain.mine()
    await made.follow()
    await made.database.transaction((tx) =>
      tx.run(sql`
        update senders
           set next_nonce = 2
         where chain_id = ${CHAIN}`),
    )
    const { subjectId } = await made.pay()
    expect(await made.tend()).toMatchObject({ filled: 1 })
    expect(await made.tend()).toMatchObject({ filled: 0 })
    made.chain.mine()
    await made.follow()
    expect(await made.spend(subjectId)).toMatchObject({ state: 'Included', nonce: 2 })
    expect(made.chain.mined().map(({ amount }) => amount)).toEqual([100n, 0n, 100n])
    expect(await made.wrongs()).toEqual([])
  })

  test('a foreign transaction halts at once, and displaces when final [W19]', async () => {
    const made = await harness()
    const { subjectId } = await made.pay()
    const txnHash = made.chain.foreign(made.settlement, 0)
    made.chain.mine()
    await made.follow()
    expect(await made.alerts()).toEqual(['spend.foreign'])
    expect(await made.spend(subjectId)).toMatchObject({ state: 'Sent' })
    expect((await made.pay()).sent).toMatchObject({ outcome: 'halted' })
    expect(await made.tend(0)).toEqual({ again: 0, bumped: 0, filled: 0 })
    expect(made.chain.heard).toHaveLength(1)
    await pass(made, 3)
    expect(await made.spend(subjectId)).toMatchObject({ state: 'Displaced' })
    expect(made.told.at(-1)).toBe(`displaced ${subjectId}`)
    const given = { chainId: CHAIN, sender: made.settlement }
    const found = await made.database.transaction((tx) => listForeign(tx, given))
    expect(found).toMatchObject([{ txnHash, nonce: 0 }])
    await resume(made)
    expect((await made.pay()).sent).toMatchObject({ outcome: 'sent', spend: { nonce: 1 } })
  })

  test('a foreign transaction that a reorg removes displaces nothing [W19]', async () => {
    const made = await harness()
    const { subjectId } = await made.pay()
    const ours = [...made.chain.pool.values()]
    made.chain.foreign(made.settlement, 0)
    made.chain.mine()
    await made.follow()
    made.chain.undo(1, () => false)
    for (const one of ours) made.chain.pool.set(one.txnHash, one)
    made.chain.mine()
    await pass(made, 4)
    expect(await made.spend(subjectId)).toMatchObject({ state: 'Settled' })
    expect(await made.wrongs()).toEqual([])
  })

  test('a reviewed foreign transaction halts nothing when its block is reread [W19]', async () => {
    const made = await harness()
    await made.pay()
    made.chain.mine()
    made.chain.foreign(made.settlement, 1)
    made.chain.mine()
    await made.follow()
    await resume(made)
    const blocks = made.connected.slice(-1)
    const { entry } = made.deps
    await made.database.transaction((tx) => trackSpends(tx, { entry, blocks, hooks: made.hooks() }))
    expect((await made.pay()).sent).toMatchObject({ outcome: 'sent', spend: { nonce: 2 } })
  })

  test('a term begins by halting senders with unknown transactions [W25]', async () => {
    const made = await harness()
    await made.pay()
    made.chain.mine()
    made.chain.foreign(made.settlement, 1)
    made.chain.mine()
    await compareSenders(made.deps)
    expect(await made.alerts()).toEqual(['spend.forgotten'])
    await made.follow()
    const given = { chainId: CHAIN, sender: made.settlement }
    const found = await made.database.transaction((tx) => listForeign(tx, given))
    expect(found.map(({ nonce }) => nonce)).toEqual([1])
    expect((await made.pay()).sent).toMatchObject({ outcome: 'halted' })
    await resume(made)
    expect((await made.pay()).sent).toMatchObject({ outcome: 'sent', spend: { nonce: 2 } })
  })

  test('a frozen chain broadcasts nothing, and the same bytes after the resume [R09]', async () => {
    const made = await harness()
    const { subjectId } = await made.pay()
    const { txnHash } = await made.spend(subjectId)
    made.chain.mine()
    await pass(made, 3)
    expect(await made.spend(subjectId)).toMatchObject({ state: 'Settled' })
    made.chain.undo(4, () => false)
    await made.follow()
    expect(await made.spend(subjectId)).toMatchObject({ state: 'Sent', txnHash })
    expect(made.told.at(-1)).toBe(`undone ${subjectId}`)
    expect(await made.tend()).toEqual({ again: 0, bumped: 0, filled: 0 })
    expect(made.chain.heard).toHaveLength(1)
    expect(await made.balance(NATIVE, 'claim:reserved')).toBe(100n)
    await made.thaw()
    await made.tend()
    expect(made.chain.heard).toEqual([txnHash, txnHash])
    made.chain.mine()
    await pass(made, 3)
    expect(await made.spend(subjectId)).toMatchObject({ state: 'Settled', txnHash })
    expect(made.chain.balance(stranger(7), NATIVE)).toBe(100n)
    expect(await made.wrongs()).toEqual([])
  })

  test('a reorg of an included spend reverses its fee, and the chain continues [R09]', async () => {
    const made = await harness()
    const { subjectId } = await made.pay()
    made.chain.mine()
    await made.follow()
    made.chain.undo(1)
    await made.follow()
    expect(await made.balance(NATIVE, 'claim:gas')).toBe(RICH)
    expect(await made.spend(subjectId)).toMatchObject({ state: 'Sent', fee: null, block: null })
    expect(await made.wrongs()).toEqual([])
    made.chain.mine()
    await made.follow()
    expect(await made.spend(subjectId)).toMatchObject({ state: 'Included' })
    expect(await made.wrongs()).toEqual([])
  })

  test('a failed transaction costs its fee and moves nothing [W22]', async () => {
    const made = await harness()
    made.chain.reverting.add(stranger(7))
    const { subjectId } = await made.pay()
    made.chain.mine()
    await pass(made, 3)
    expect(await made.spend(subjectId)).toMatchObject({ state: 'Settled', succeeded: false })
    expect(made.told.slice(1)).toEqual([`reverted ${subjectId}`, `settled ${subjectId}`])
    expect(await made.balance(NATIVE, 'claim:gas')).toBe(RICH - 21_000n)
    expect(await made.wrongs()).toEqual([])
  })

  test('a token without a shown transfer is suspended; the spend stays open [E06]', async () => {
    const made = await harness()
    await made.fund('settlement', TOKEN, RICH)
    made.chain.silent.add(TOKEN)
    const { subjectId } = await made.pay({ tokenId: TOKEN })
    made.chain.mine()
    await pass(made, 4)
    expect(await made.spend(subjectId)).toMatchObject({ state: 'Included', succeeded: null })
    expect(made.told).toEqual([`sent ${subjectId}`])
    expect(await made.alerts()).toEqual(['spend.unproven', 'token.suspended'])
    expect(await made.balance(NATIVE, 'claim:gas')).toBe(RICH - 21_000n)
    made.chain.undo(5)
    await made.follow()
    expect(await made.balance(NATIVE, 'claim:gas')).toBe(RICH)
    expect(await made.wrongs()).toEqual([])
  })
})

async function resume(made: SpendHarness): Promise<void> {
  const address = made.settlement
  const { latest } = await noncesOf(made.deps.adapter, address)
  const given = { chainId: CHAIN, address, chainNonce: latest, actor: 'test', reason: 'looked' }
  const resumed = await made.database.transaction((tx) => resumeSender(tx, given))
  expect(resumed).toBe(true)
}
