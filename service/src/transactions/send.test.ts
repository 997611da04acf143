import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  CHAIN,
  NATIVE,
  type SpendHarness,
  TOKEN,
  mustTake,
  openSpendHarness,
  stranger,
} from '../../test/support/spend-harness.ts'
import { Outage } from '../base/fault.ts'
import { CommitUnknown } from '../store/outage.ts'
import type { Database } from '../store/database.ts'
import { LeaseLost } from '../store/lease.ts'
import { UNMINED_MAX } from './core/sender.ts'
import { SpendMismatch } from './core/mismatch.ts'

const RICH = 10n ** 12n

async function harness(): Promise<SpendHarness> {
  const made = await openSpendHarness(expect.getState().currentTestName ?? '')
  onTestFinished(() => made.close())
  await made.fund('settlement', NATIVE, RICH)
  await made.fund('settlement', TOKEN, RICH)
  await made.fund('gas', NATIVE, RICH)
  return made
}

describe('sendSpend', () => {
  test('a payment is signed, stored, broadcast, included, settled and posted [W08]', async () => {
    const made = await harness()
    const { subjectId, sent } = await made.pay({ tokenId: TOKEN, amount: 250n })
    expect(sent).toMatchObject({ outcome: 'sent', spend: { state: 'Sent', nonce: 0 } })
    const spend = await made.spend(subjectId)
    expect(made.chain.heard).toEqual([spend.txnHash])
    expect(spend.transactions).toMatchObject([{ number: 1, broadcasts: 1, lastAnswer: 'ok' }])
    made.chain.mine()
    await made.follow()
    expect(await made.spend(subjectId)).toMatchObject({ state: 'Included', succeeded: true })
    for (let blocks = 0; blocks < 3; blocks += 1) made.chain.mine()
    await made.follow()
    expect(await made.spend(subjectId)).toMatchObject({ state: 'Settled', fee: 21_000n })
    expect(made.told).toEqual([`sent ${subjectId}`, `paid ${subjectId}`, `settled ${subjectId}`])
    expect(made.chain.balance(stranger(7), TOKEN)).toBe(250n)
    expect(await made.balance(TOKEN, 'claim:available')).toBe(RICH - 250n)
    expect(await made.balance(TOKEN, 'claim:reserved')).toBe(0n)
    expect(await made.balance(NATIVE, 'claim:gas')).toBe(RICH - 21_000n)
    expect(await made.wrongs()).toEqual([])
  })

  test('a subject with a spend is not paid again even if its claim allows it [W01]', async () => {
    const made = await harness()
    const { subjectId } = await made.pay()
    const mandate = made.mandate(subjectId)
    expect(await made.send(mandate)).toEqual({ outcome: 'declined' })
    const forgetful = { ...mandate, claim: async () => mandate.intent }
    await expect(made.send(forgetful)).rejects.toThrow('already has a spend')
    expect(await made.spends(subjectId)).toHaveLength(1)
    expect(made.chain.heard).toHaveLength(1)
  })

  test('the seventeenth unmined spend of a sender waits until one is included [W20]', async () => {
    const made = await harness()
    for (let at = 0; at < UNMINED_MAX; at += 1) await made.pay()
    const { subjectId, sent } = await made.pay()
    expect(sent).toEqual({ outcome: 'busy' })
    made.chain.mine(({ nonce }) => nonce === 0)
    await made.follow()
    expect(await made.send(made.mandate(subjectId))).toMatchObject({ outcome: 'sent' })
  })

  test('no payment is signed when gas is one unit short, unmined fees counted [W20]', async () => {
    const made = await openSpendHarness('gas short')
    onTestFinished(() => made.close())
    await made.fund('settlement', NATIVE, RICH)
    await made.fund('gas', NATIVE, 2n * 42_000n - 1n)
    expect((await made.pay()).sent).toMatchObject({ outcome: 'sent' })
    const { subjectId, sent } = await made.pay()
    expect(sent).toEqual({ outcome: 'short-of-gas', available: 41_999n, needed: 42_000n })
    expect(await made.spends(subjectId)).toEqual([])
    await made.fund('gas', NATIVE, 1n)
    expect(await made.send(made.mandate(subjectId))).toMatchObject({ outcome: 'sent' })
  })

  test('no payment is signed when the place is below amount and fee [W20]', async () => {
    const made = await openSpendHarness('place short')
    onTestFinished(() => made.close())
    await made.fund('gas', NATIVE, RICH)
    await made.fund('settlement', NATIVE, 42_099n)
    await made.fund('settlement', TOKEN, 99n)
    const native = made.mandate(await made.reserve(NATIVE, 1n))
    expect(await made.send(native)).toEqual({
      outcome: 'short-of-native',
      place: 42_099n,
      needed: 42_100n,
    })
    const token = made.mandate(await made.reserve(TOKEN, 1n), { tokenId: TOKEN })
    expect(await made.send(token)).toEqual({ outcome: 'short-of-token', place: 99n, needed: 100n })
    await made.float(1n)
    expect(await made.send(native)).toMatchObject({ outcome: 'sent' })
    expect(made.chain.heard).toHaveLength(1)
  })

  test('an error for accepted bytes neither pays twice nor loses a nonce [W13]', async () => {
    const made = await harness()
    made.chain.answer = () => 'error: fee too low'
    const { subjectId, sent } = await made.pay()
    expect(sent).toMatchObject({ outcome: 'sent' })
    await made.tend()
    made.chain.mine()
    await made.follow()
    expect(await made.spend(subjectId)).toMatchObject({ state: 'Included', nonce: 0 })
    expect(made.chain.mined()).toHaveLength(1)
    expect((await made.pay()).sent).toMatchObject({ spend: { nonce: 1 } })
  })

  test('the bytes are broadcast later when no node answers [W14]', async () => {
    const made = await harness()
    await made.pay()
    made.chain.isAway = true
    const { deps } = made
    const compared = new Set([made.settlement])
    const subjectId = await made.reserve(NATIVE, 100n)
    const sent = await made.send(made.mandate(subjectId), { ...deps, compared })
    expect(sent).toMatchObject({ outcome: 'sent' })
    const [transaction] = (await made.spend(subjectId)).transactions
    expect(transaction).toMatchObject({ broadcasts: 1, lastAnswer: 'node: away' })
    made.chain.isAway = false
    expect(await made.tend()).toMatchObject({ again: 1, bumped: 0 })
    made.chain.mine()
    expect(made.chain.mined()).toHaveLength(2)
  })

  test('a commit whose answer was lost is found and broadcast once [W24]', async () => {
    const made = await harness()
    const subjectId = await made.reserve(NATIVE, 100n)
    const database = losing(made.database, 'after')
    const sent = await made.send(made.mandate(subjectId), { ...made.deps, database })
    expect(sent).toMatchObject({ outcome: 'sent' })
    expect(made.chain.heard).toEqual([(await made.spend(subjectId)).txnHash])
  })

  test('a failed commit leaves no spend, and its nonce is used again [W24]', async () => {
    const made = await harness()
    const subjectId = await made.reserve(NATIVE, 100n)
    const database = losing(made.database, 'before')
    const sending = made.send(made.mandate(subjectId), { ...made.deps, database })
    await expect(sending).rejects.toThrow(CommitUnknown)
    expect(await made.spends(subjectId)).toEqual([])
    expect(made.chain.heard).toEqual([])
    const again = await made.send(made.mandate(subjectId))
    expect(again).toMatchObject({ outcome: 'sent', spend: { nonce: 0 } })
  })

  test('a process without the lease neither signs nor broadcasts [W23]', async () => {
    const made = await harness()
    const subjectId = await made.reserve(NATIVE, 100n)
    await made.pay()
    await mustTake(made.database, 'second')
    const knowing = { ...made.deps, compared: new Set([made.settlement]) }
    await expect(made.send(made.mandate(subjectId), knowing)).rejects.toThrow(LeaseLost)
    await expect(made.tend()).rejects.toThrow(LeaseLost)
    expect(made.chain.heard).toHaveLength(1)
    const lease = await mustTake(made.database, 'third')
    const deps = { ...made.deps, lease, term: AbortSignal.abort() }
    expect(await made.send(made.mandate(subjectId), deps)).toMatchObject({ outcome: 'sent' })
    expect(made.chain.heard).toHaveLength(1)
  })

  test('two senders of one organization do not both spend the last gas at once [W21]', async () => {
    const made = await openSpendHarness('two at once')
    onTestFinished(() => made.close())
    await made.fund('settlement', NATIVE, RICH)
    await made.fund('gas', NATIVE, 42_000n + 100n)
    const one = made.mandate(await made.reserve(NATIVE, 1n), { amount: 1n })
    const two = made.mandate(await made.reserve(NATIVE, 1n), { amount: 1n, from: made.gas })
    const begun = { one: false, two: false }
    // The first signer waits for the second one, which must not reach this point before its commit.
    const meet = (mandate: typeof one, who: 'one' | 'two', other: 'one' | 'two') => ({
      ...mandate,
      sent: async () => {
        begun[who] = true
        for (let looks = 0; looks < 30 && !begun[other]; looks += 1) {
          await new Promise((resolve) => setTimeout(resolve, 10))
        }
      },
    })
    const outcomes = await Promise.all([
      made.send(meet(one, 'one', 'two')),
      made.send(meet(two, 'two', 'one')),
    ])
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['sent', 'short-of-gas'])
  })

  test('no payment is signed on a frozen chain [R09]', async () => {
    const made = await harness()
    const subjectId = await made.reserve(NATIVE, 100n)
    await made.freeze()
    expect(await made.send(made.mandate(subjectId))).toEqual({ outcome: 'frozen' })
    await made.thaw()
    expect(await made.send(made.mandate(subjectId))).toMatchObject({ outcome: 'sent' })
  })

  test('a sender with unknown transactions is halted before it signs [W25]', async () => {
    const made = await harness()
    made.chain.foreign(made.settlement, 0)
    made.chain.mine()
    const { sent } = await made.pay()
    expect(sent).toMatchObject({ outcome: 'halted' })
    expect(await made.alerts()).toEqual(['spend.forgotten'])
    expect(made.chain.heard).toEqual([])
  })

  test('a sender with an unknown transaction in a pool is halted [W25]', async () => {
    const made = await harness()
    await made.pay()
    made.chain.foreign(made.settlement, 1)
    expect((await made.pay()).sent).toMatchObject({ outcome: 'halted' })
  })

  test('a sender with an altered key path signs nothing [A19]', async () => {
    const made = await harness()
    await made.pay()
    await made.database.transaction((tx) =>
      tx.run(sql`
        update senders
           set path_index = 1
         where chain_id = ${CHAIN}`),
    )
    await expect(made.pay()).rejects.toThrow(SpendMismatch)
    expect(await made.alerts()).toEqual(['spend.mismatch'])
    expect((await made.pay()).sent).toMatchObject({ outcome: 'halted' })
    expect(made.chain.heard).toHaveLength(1)
  })

  test('an altered wallet signs nothing [A19]', async () => {
    const made = await harness()
    const subjectId = await made.reserve(NATIVE, 100n)
    await made.database.transaction((tx) =>
      tx.run(sql`
        update wallets
           set number = number + 50
         where purpose = 'settlement'`),
    )
    await expect(made.send(made.mandate(subjectId))).rejects.toThrow('changed in the database')
    expect(made.chain.heard).toEqual([])
  })

  test('signed bytes unlike the request halt the sender and are not sent [W16]', async () => {
    const made = await harness()
    const adapter = made.chain.adapter()
    const swapped = {
      ...adapter,
      craft: (intent, terms, reservation) =>
        adapter.craft({ ...intent, to: stranger(8) }, terms, reservation),
    } satisfies typeof adapter
    const subjectId = await made.reserve(NATIVE, 100n)
    const sending = made.send(made.mandate(subjectId), { ...made.deps, adapter: swapped })
    await expect(sending).rejects.toThrow(SpendMismatch)
    expect(await made.spends(subjectId)).toEqual([])
    expect(await made.alerts()).toEqual(['spend.mismatch'])
  })

  test('terms above the cap of the chain are not signed [W16]', async () => {
    const made = await harness()
    const mandate = made.mandate(await made.reserve(NATIVE, 100n))
    const deps = { ...made.deps, caps: { ...made.deps.caps, absolute: 41_999n } }
    await expect(made.send(mandate, deps)).rejects.toThrow('exceeds the cap')
    expect(made.chain.heard).toEqual([])
  })

  test('a clock jump of a day, forward or back, pays nothing twice [W26]', async () => {
    const made = await harness()
    const { subjectId } = await made.pay()
    for (const day of [86_400_000, -86_400_000]) {
      made.harness.clock.set(made.harness.clock.now() + day)
      expect(await made.tend()).toEqual({ again: 0, bumped: 0, filled: 0 })
      expect(await made.send(made.mandate(subjectId))).toEqual({ outcome: 'declined' })
    }
    expect(made.chain.heard).toHaveLength(1)
  })
})

/** A database that loses the answer of one commit, which happened or did not. */
function losing(database: Database, when: 'before' | 'after'): Database {
  let lost = false
  return {
    ...database,
    async transaction(work) {
      let isSending = false
      const run = () =>
        database.transaction(async (tx) => {
          const result = await work(tx)
          isSending = !lost && typeof result === 'object' && result !== null && 'raw' in result
          if (isSending && when === 'before') throw new Outage('database', 'it went away')
          return result
        })
      try {
        const result = await run()
        if (!isSending) return result
      } catch (error) {
        if (!isSending) throw error
      }
      lost = true
      throw new CommitUnknown('database', 'lost while it committed')
    },
  }
}
