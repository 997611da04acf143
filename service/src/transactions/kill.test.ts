import { expect, onTestFinished, test } from 'vitest'
import {
  Killed,
  NATIVE,
  type SpendHarness,
  mustTake,
  openSpendHarness,
  stranger,
} from '../../test/support/spend-harness.ts'
import { Outage } from '../base/fault.ts'
import { SPEND_POINTS, type SpendPoint } from './core/crash-points.ts'

const RICH = 10n ** 14n
const AMOUNT = 1_000n
const BUMP_AFTER = 2

/** Ends the process at the n-th pass of a point, and counts how often it came by. */
function planKill(made: SpendHarness, point: SpendPoint, pass: number): { passes: number } {
  const seen = { passes: 0 }
  made.deps.crash = (here) => {
    if (here !== point) return
    seen.passes += 1
    if (seen.passes === pass) throw new Killed(point)
  }
  return seen
}

/** Does a step until it comes through: each death is followed by a new process with a new lease. */
async function persist(made: SpendHarness, step: () => Promise<unknown>): Promise<void> {
  for (let deaths = 0; ; deaths += 1) {
    try {
      await step()
      return
    } catch (error) {
      if (!(error instanceof Killed) || deaths > 3) throw error
      made.deps.lease = await mustTake(made.database, `after ${deaths} deaths`)
    }
  }
}

/**
 * A life that passes every point: two payments, one replaced, one forgotten by the nodes, a
 * reorg of both, and their settlement.
 */
async function live(made: SpendHarness, recipients: readonly ReturnType<typeof stranger>[]) {
  const { chain } = made
  const subjects: string[] = []
  for (const to of recipients) {
    const subjectId = await made.reserve(NATIVE, AMOUNT)
    subjects.push(subjectId)
    await persist(made, () => made.send(made.mandate(subjectId, { to, amount: AMOUNT })))
  }
  for (let rounds = 0; rounds < 2; rounds += 1) {
    for (let blocks = 0; blocks < BUMP_AFTER; blocks += 1) chain.mine(() => false)
    await persist(made, () => made.follow())
    await persist(made, () => made.tend(BUMP_AFTER))
    chain.pool.clear()
    await persist(made, () => made.tend())
  }
  chain.mine()
  await persist(made, () => made.follow())
  chain.undo(1)
  await persist(made, () => made.follow())
  chain.mine()
  for (let blocks = 0; blocks < 3; blocks += 1) chain.mine()
  await persist(made, () => made.follow())
  return subjects
}

test.each([1, 2])(
  'each subject is paid once after a crash at pass %i of each point [W03 W06 W07 W08 W10 W11]',
  async (pass) => {
    const made = await openSpendHarness(`kill ${pass}`)
    onTestFinished(() => made.close())
    await made.fund('settlement', NATIVE, RICH)
    await made.fund('gas', NATIVE, RICH)
    let strangers = 100
    for (const point of SPEND_POINTS) {
      const seen = planKill(made, point, pass)
      for (let lives = 0; lives < pass && seen.passes < pass; lives += 1) {
        const recipients = [stranger((strangers += 1)), stranger((strangers += 1))]
        const subjects = await live(made, recipients)
        for (const to of recipients) expect(made.chain.balance(to, NATIVE)).toBe(AMOUNT)
        for (const subjectId of subjects) {
          expect(await made.spend(subjectId)).toMatchObject({ state: 'Settled', succeeded: true })
        }
        expect(await made.wrongs()).toEqual([])
      }
      expect(`${point} ${seen.passes >= pass}`).toBe(`${point} true`)
    }
    expect(await made.alerts()).toEqual([])
  },
  60_000,
)

test('a lease holder that pauses while signing has signed nothing afterwards [W23]', async () => {
  const made = await openSpendHarness('asleep')
  onTestFinished(() => made.close())
  await made.fund('settlement', NATIVE, RICH)
  await made.fund('gas', NATIVE, RICH)
  const subjectId = await made.reserve(NATIVE, AMOUNT)
  const to = stranger(99)
  const mandate = made.mandate(subjectId, { to, amount: AMOUNT })
  const { deps } = made
  const woken = gate()
  const asleep = gate()
  const sleeping = made.send({
    ...mandate,
    claim: async (tx) => {
      const intent = await mandate.claim(tx)
      asleep.open()
      await woken.opened
      return intent
    },
  })
  const settled = sleeping.then(
    () => null,
    (error: unknown) => error,
  )
  await asleep.opened
  // The database ends the sleeper's transaction after 5 s, and his lease can be taken.
  const lease = await mustTake(made.database, 'second')
  const second = { ...deps, lease }
  expect(await made.send(mandate, second)).toMatchObject({ outcome: 'sent' })
  woken.open()
  expect(await settled).toBeInstanceOf(Outage)
  made.chain.mine()
  await made.follow()
  expect(made.chain.balance(to, NATIVE)).toBe(AMOUNT)
  expect(made.chain.heard).toHaveLength(1)
}, 30_000)

/** Something that one waits for and another opens. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}
