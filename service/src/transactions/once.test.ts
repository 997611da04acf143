import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CHAIN,
  DEEP,
  Killed,
  NATIVE,
  type SpendHarness,
  TOKEN,
  mustTake,
  openSpendHarness,
  stranger,
} from '../../test/support/spend-harness.ts'
import { Outage } from '../base/fault.ts'
import { SPEND_POINTS, type SpendPoint } from './core/crash-points.ts'

const RICH = 10n ** 14n
const AMOUNT = 1_000n
const BUMP_AFTER = 2
const RUNS = 12

type Act =
  | { act: 'ask'; token: boolean }
  | { act: 'retry'; pick: number }
  | { act: 'tend' }
  | { act: 'mine'; lets: number }
  | { act: 'follow' }
  | { act: 'forget'; pick: number }
  | { act: 'reorg'; depth: number; keep: boolean }
  | { act: 'price'; price: number }
  | { act: 'deaf'; deaf: boolean }
  | { act: 'away'; away: boolean }
  | { act: 'refuse'; pick: number }
  | { act: 'kill'; point: SpendPoint }
  | { act: 'takeover' }
  | { act: 'jump'; days: number }

const ACTS: fc.Arbitrary<Act> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ act: fc.constant('ask' as const), token: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('retry' as const), pick: fc.nat(30) }) },
  { weight: 6, arbitrary: fc.record({ act: fc.constant('tend' as const) }) },
  { weight: 8, arbitrary: fc.record({ act: fc.constant('mine' as const), lets: fc.nat(4) }) },
  { weight: 8, arbitrary: fc.record({ act: fc.constant('follow' as const) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('forget' as const), pick: fc.nat(30) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('reorg' as const),
      depth: fc.integer({ min: 1, max: DEEP + 2 }),
      keep: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('price' as const),
      price: fc.integer({ min: 1, max: 9 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('deaf' as const), deaf: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('away' as const), away: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('refuse' as const), pick: fc.nat(30) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('kill' as const),
      point: fc.constantFrom(...SPEND_POINTS),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('takeover' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('jump' as const),
      days: fc.integer({ min: -1, max: 1 }),
    }),
  },
)

interface Subject {
  id: string
  token: boolean
  to: ReturnType<typeof stranger>
}

/** A life of a spend, act by act, and what must hold after each. */
class Life {
  readonly made: SpendHarness
  readonly subjects: Subject[] = []
  #terms = 0

  constructor(made: SpendHarness) {
    this.made = made
  }

  async play(act: Act): Promise<void> {
    try {
      await this.#perform(act)
    } catch (error) {
      // The process died, or no node answered: uncommitted work must leave no trace.
      if (!(error instanceof Killed) && !(error instanceof Outage)) throw error
    }
  }

  /** Asserts that no recipient was paid twice and that the ledger equals the followed chain. */
  async check(): Promise<void> {
    const { chain } = this.made
    for (const { to, token } of this.subjects) {
      expect(chain.balance(to, token ? TOKEN : NATIVE)).toBeLessThanOrEqual(AMOUNT)
    }
    const tip = this.made.connected.at(-1)
    const isThere = tip?.hash === chain.tip.hash
    if (isThere) expect(await this.made.wrongs()).toEqual([])
  }

  /** All is well again: everybody is paid in the end, once, unless the chain itself refused. */
  async finish(): Promise<void> {
    const { made } = this
    const { chain } = made
    made.killAt = null
    chain.isAway = false
    chain.takes = () => true
    chain.basePrice = 1n
    chain.reverting.clear()
    await made.follow()
    await made.thaw()
    for (let round = 0; round < 60 && !(await this.#isOver()); round += 1) {
      for (let at = 0; at < this.subjects.length; at += 1) await this.#send(at)
      await made.tend(BUMP_AFTER)
      chain.mine()
      await made.follow()
      await made.thaw()
    }
    expect(await made.wrongs()).toEqual([])
    for (const { id, to, token } of this.subjects) {
      const spend = await made.spend(id)
      expect(spend.state).toBe('Settled')
      const paid = chain.balance(to, token ? TOKEN : NATIVE)
      expect(paid).toBe(spend.succeeded ? AMOUNT : 0n)
      expect(story(made, id)).toMatch(
        /^sent( (paid|reverted)( settled)? undone)* (paid|reverted) settled$/,
      )
    }
    expect(await made.alerts()).toEqual([])
  }

  async #isOver(): Promise<boolean> {
    for (const { id } of this.subjects) {
      const [spend] = await this.made.spends(id)
      if (spend?.state !== 'Settled') return false
    }
    return true
  }

  async #perform(act: Act): Promise<void> {
    const { made } = this
    const { chain } = made
    switch (act.act) {
      case 'ask': {
        const to = stranger(1_000 + this.subjects.length)
        const id = await made.reserve(act.token ? TOKEN : NATIVE, AMOUNT)
        this.subjects.push({ id, to, token: act.token })
        return this.#send(this.subjects.length - 1)
      }
      case 'retry':
        return this.#send(act.pick)
      case 'tend':
        await made.tend(BUMP_AFTER)
        return
      case 'mine': {
        let left = act.lets
        chain.mine(() => (left -= 1) >= 0)
        return
      }
      case 'follow':
        return made.follow()
      case 'forget': {
        const hash = [...chain.pool.keys()][act.pick]
        if (hash !== undefined) chain.drop(hash)
        return
      }
      case 'reorg':
        return this.#reorg(act)
      case 'price':
        chain.basePrice = BigInt(act.price)
        return
      case 'deaf':
        chain.takes = () => !act.deaf
        return
      case 'away':
        chain.isAway = act.away
        return
      case 'refuse': {
        const subject = this.subjects[act.pick]
        if (subject !== undefined) chain.reverting.add(subject.to)
        return
      }
      case 'kill':
        made.killAt = act.point
        return
      case 'takeover':
        this.#terms += 1
        made.deps.lease = await mustTake(made.database, `holder ${this.#terms}`)
        return
      case 'jump':
        made.harness.clock.set(made.harness.clock.now() + act.days * 86_400_000)
    }
  }

  /** A reorg leaves a chain that is longer than the one before, as they do. */
  #reorg({ depth, keep }: { depth: number; keep: boolean }): void {
    const { chain } = this.made
    const deep = Math.min(depth, chain.blocks.length - 1)
    chain.undo(deep, () => keep)
    for (let block = 0; block <= deep; block += 1) chain.mine(() => block > 0 && keep)
  }

  async #send(at: number): Promise<void> {
    const subject = this.subjects[at]
    if (subject === undefined) return
    const { made } = this
    const { id, to, token } = subject
    const payment = { to, amount: AMOUNT, tokenId: token ? TOKEN : NATIVE }
    await made.send(made.mandate(id, payment))
  }
}

/** Committed events of a subject. */
function story(made: SpendHarness, id: string): string {
  const told = made.told.filter((one) => one.endsWith(id)).map((one) => one.split(' ')[0] ?? '')
  return told.filter((one, at) => one !== told[at - 1]).join(' ')
}

describe('exactly once', () => {
  test('each subject is paid once in any order of steps [W02 W11 W21]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(ACTS, { minLength: 20, maxLength: 60 }), async (acts) => {
        const made = await openSpendHarness(`once ${CHAIN}`)
        try {
          await made.fund('settlement', NATIVE, RICH)
          await made.fund('settlement', TOKEN, RICH)
          await made.fund('gas', NATIVE, RICH)
          const life = new Life(made)
          for (const act of acts) {
            await life.play(act)
            await life.check()
          }
          await life.finish()
        } finally {
          await made.close()
        }
      }),
      { numRuns: RUNS, seed: 20_261_121, endOnFailure: false },
    )
  }, 240_000)
})
