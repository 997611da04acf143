import { describe, expect, onTestFinished, test } from 'vitest'
import {
  NATIVE,
  openSpendHarness,
  type SpendHarness,
  stranger,
} from '../../test/support/spend-harness.ts'
import type { Terms } from '../chains/spending.ts'
import type { SpendRecord } from './core/read.ts'
import { foreseeSpeedUp, requestReplacement, type SpeedUpOutlook } from './speed-up.ts'

const RICH = 10n ** 12n
/** Blocks of patience that no test reaches. */
const PATIENT = 1_000
const NOT_YET = { reason: null, earlier: null, requestedAt: null }

async function harness(): Promise<SpendHarness> {
  const made = await openSpendHarness(expect.getState().currentTestName ?? '')
  onTestFinished(() => made.close())
  await made.fund('settlement', NATIVE, RICH)
  await made.fund('gas', NATIVE, RICH)
  return made
}

/** As the API asks, with the rights of its role. */
function foresee(made: SpendHarness, spend: SpendRecord): Promise<SpeedUpOutlook> {
  const { database, orgId, deps } = made
  const { entry, adapter, caps } = deps
  return database.forOrg(orgId, (tx) => foreseeSpeedUp(tx, { entry, adapter, caps }, spend))
}

async function ask(made: SpendHarness, subjectId: string): Promise<boolean> {
  const spend = await made.spend(subjectId)
  return made.database.forOrg(made.orgId, (tx) => requestReplacement(tx, spend))
}

/** Terms of chains whose transactions expire. */
const EXPIRING: readonly Terms[] = [
  { family: 'xrpl', fee: 12n, lastLedger: 9n },
  {
    family: 'tron',
    fee: 1n,
    feeLimit: 0n,
    lent: 0n,
    reference: 0n,
    since: 0n,
    headTime: 0n,
    expiration: 9n,
  },
]

describe('a requested speed-up', () => {
  test('replaces the transaction in the next round, once', async () => {
    const made = await harness()
    const { subjectId } = await made.pay()
    expect(await made.tend(PATIENT)).toMatchObject({ bumped: 0 })
    expect(await foresee(made, await made.spend(subjectId))).toEqual(NOT_YET)
    expect(await ask(made, subjectId)).toBe(true)
    expect(await ask(made, subjectId)).toBe(false)
    expect(await foresee(made, await made.spend(subjectId))).toEqual({
      ...NOT_YET,
      requestedAt: expect.any(Number),
    })
    expect(await made.tend(PATIENT)).toMatchObject({ bumped: 1 })
    for (let rounds = 0; rounds < 3; rounds += 1)
      expect(await made.tend(PATIENT)).toMatchObject({ bumped: 0 })
    const [first, second, ...others] = (await made.spend(subjectId)).transactions
    expect(others).toEqual([])
    expect(second?.maxFee).toBeGreaterThanOrEqual(((first?.maxFee ?? 0n) * 9n) / 8n)
    expect(await foresee(made, await made.spend(subjectId))).toEqual(NOT_YET)
    made.chain.mine()
    await made.follow()
    expect(await made.spend(subjectId)).toMatchObject({
      state: 'Included',
      txnHash: second?.txnHash,
    })
    expect(made.chain.mined()).toHaveLength(1)
    expect(made.told.filter((one) => one.startsWith('paid'))).toHaveLength(1)
    expect(await made.wrongs()).toEqual([])
  })

  test('may be repeated for the replacement', async () => {
    const made = await harness()
    const { subjectId } = await made.pay()
    for (let times = 0; times < 3; times += 1) {
      expect(await ask(made, subjectId)).toBe(true)
      expect(await made.tend(PATIENT)).toMatchObject({ bumped: 1 })
    }
    expect((await made.spend(subjectId)).transactions).toHaveLength(4)
    made.chain.mine()
    await made.follow()
    expect(made.chain.balance(stranger(7), NATIVE)).toBe(100n)
    expect(await made.wrongs()).toEqual([])
  })

  test('for a replaced transaction replaces nothing', async () => {
    const made = await harness()
    const { subjectId } = await made.pay()
    const before = await made.spend(subjectId)
    await ask(made, subjectId)
    await made.tend(PATIENT)
    // A request that was decided before the replacement and is stored after it.
    await made.database.forOrg(made.orgId, (tx) => requestReplacement(tx, before))
    expect(await made.tend(PATIENT)).toMatchObject({ bumped: 0 })
    expect(await foresee(made, await made.spend(subjectId))).toEqual(NOT_YET)
  })

  test('survives a process that dies before the replacement is stored', async () => {
    const made = await harness()
    const { subjectId } = await made.pay()
    await ask(made, subjectId)
    made.killAt = 'bump.stored'
    await expect(made.tend(PATIENT)).rejects.toThrow('bump.stored')
    expect((await made.spend(subjectId)).transactions).toHaveLength(1)
    expect(await made.tend(PATIENT)).toMatchObject({ bumped: 1 })
    expect(await made.tend(PATIENT)).toMatchObject({ bumped: 0 })
    made.chain.mine()
    await made.follow()
    expect(made.chain.mined()).toHaveLength(1)
    expect(await made.wrongs()).toEqual([])
  })

  test('is not possible behind an earlier transaction of the sender', async () => {
    const made = await harness()
    const first = await made.pay()
    const second = await made.pay()
    const outlook = await foresee(made, await made.spend(second.subjectId))
    expect(outlook).toMatchObject({ reason: 'earlier', earlier: { subjectId: first.subjectId } })
    // A request that was stored nevertheless waits until the transaction is the first.
    await ask(made, second.subjectId)
    expect(await made.tend(PATIENT)).toMatchObject({ bumped: 0 })
    made.chain.mine((one) => one.nonce === 0)
    await made.follow()
    expect(await foresee(made, await made.spend(second.subjectId))).toMatchObject({ reason: null })
    expect(await made.tend(PATIENT)).toMatchObject({ bumped: 1 })
  })

  test('is not possible after the inclusion', async () => {
    const made = await harness()
    const { subjectId } = await made.pay()
    await ask(made, subjectId)
    made.chain.mine()
    await made.follow()
    const included = { ...NOT_YET, reason: 'included' }
    expect(await foresee(made, await made.spend(subjectId))).toEqual(included)
    expect(await made.tend(PATIENT)).toEqual({ again: 0, bumped: 0, filled: 0 })
    expect(made.chain.heard).toHaveLength(1)
  })

  test('never exceeds the fee cap', async () => {
    const made = await harness()
    const { subjectId } = await made.pay()
    const spend = await made.spend(subjectId)
    // One base unit below an eighth more.
    const absolute = (spend.maxFee * 9n) / 8n - 1n
    made.deps.caps = { ...made.deps.caps, absolute }
    expect(await foresee(made, spend)).toEqual({ ...NOT_YET, reason: 'feeCap' })
    await ask(made, subjectId)
    expect(await made.tend(PATIENT)).toMatchObject({ bumped: 0 })
    expect(await made.alerts()).toEqual(['spend.stuck'])
    expect((await made.spend(subjectId)).transactions).toHaveLength(1)
    made.deps.caps = { ...made.deps.caps, absolute: spend.maxFee * 2n }
    expect(await foresee(made, spend)).toMatchObject({ reason: null })
    expect(await made.tend(PATIENT)).toMatchObject({ bumped: 1 })
    made.chain.mine()
    await made.follow()
    expect(await made.alerts()).toEqual([])
  })

  test.each(EXPIRING)('is not possible for transactions that expire: $family', async (terms) => {
    const made = await harness()
    const spend = await made.spend((await made.pay()).subjectId)
    const transactions = spend.transactions.map((one) => ({ ...one, terms }))
    const outlook = await foresee(made, { ...spend, transactions })
    expect(outlook).toEqual({ ...NOT_YET, reason: 'expires' })
  })

  test('waits while the sender is halted or the chain frozen', async () => {
    const made = await harness()
    const { subjectId } = await made.pay()
    await ask(made, subjectId)
    await made.freeze()
    expect(await made.tend(PATIENT)).toEqual({ again: 0, bumped: 0, filled: 0 })
    await made.thaw()
    expect(await made.tend(PATIENT)).toMatchObject({ bumped: 1 })
  })
})
