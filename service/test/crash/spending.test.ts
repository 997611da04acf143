import { type FaultAction, seeded } from '@sluice/simulator'
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SWEEP_POINTS } from '../../src/sweeps/crash-points.ts'
import { SPEND_POINTS } from '../../src/transactions/core/crash-points.ts'
import {
  type CrashingSpender,
  DOOR_POINTS,
  type MoneyPoint,
  openCrashingSpender,
  type Stage,
} from './crashing-spender.ts'
import { type Course, expectBooked, expectWhole, sweepTwo, withdrawTwo } from './money-life.ts'

const TAKEN: FaultAction = {
  do: 'error',
  code: -32_000,
  message: 'insufficient funds',
  accepted: true,
}
const NUMBERS: Readonly<Record<string, string>> = {
  request: 'W01',
  approval: 'W02',
  bump: 'W11',
  track: 'W10',
  untrack: 'W10',
  settle: 'W10',
  resend: 'W08',
  'send.prepared': 'W04',
  'send.locked': 'W04',
  'send.claimed': 'W03 W05',
  'send.signed': 'W06',
  'send.stored': 'W06',
  'send.told': 'W06',
  'send.committed': 'W07',
  'send.broadcast': 'W08',
  'send.noted': 'W09',
}
const SEND = 'eth_sendRawTransaction'
const RANDOM_PLANS = 2
const FAULTS: readonly [string, FaultAction][] = [
  ['the answer is lost', { do: 'dropAfter' }],
  ['the transaction is lost', { do: 'dropBefore' }],
  ['it is taken, and called an error', TAKEN],
  ['it is refused', { do: 'error', code: -32_000, message: 'nonce too low' }],
]
const ROOMS = fileURLToPath(new URL('../../src', import.meta.url))
const LIST = 'crash-points.ts'
const random = seeded('spending and faults')
const STAGES: readonly Stage[] = ['withdrawal', 'top-up', 'sweep']
const POINTS: readonly MoneyPoint[] = [...DOOR_POINTS, ...SPEND_POINTS, ...SWEEP_POINTS]
const NUMBERED = POINTS.map((point) => [point, numberOf(point)] as const)

describe.each([1, 2])('a process that dies at pass %i of a point', (pass) => {
  let crashing: CrashingSpender
  beforeAll(async () => {
    crashing = await openCrashingSpender(`spending ${pass}`)
  })
  afterAll(() => crashing.close())

  test.each(NUMBERED)('pays each once: %s [%s]', async (point) => {
    const stages = STAGES.filter((stage) => comesBy(stage, point))
    crashing.plan(stages.map((stage) => ({ stage, point, pass })))
    const course = courseTo(point, pass)
    const isOpen = (...among: Stage[]) =>
      stages.some((stage) => among.includes(stage) && crashing.passes(stage, point) < pass)
    for (let lives = 0; lives < pass; lives += 1) {
      if (isOpen('withdrawal')) await withdrawTwo(crashing, course)
      if (isOpen('top-up', 'sweep')) await sweepTwo(crashing, course)
    }
    expect(crashing.deaths).toBe(stages.length)
    await expectBooked(crashing)
  })

  test('every payment is made once [W01 W12]', () => expectWhole(crashing))
})

describe('a process that dies repeatedly while nodes drop its transactions', () => {
  let crashing: CrashingSpender
  beforeAll(async () => {
    crashing = await openCrashingSpender('spending and faults')
  })
  afterAll(() => crashing.close())

  test.each(FAULTS)('pays each once: %s [W03 W13 W15]', async (_name, action) => {
    const { rules } = crashing.proxy
    const broken = rules.add({ match: { method: SEND, rate: 0.5 }, action })
    for (let plans = 0; plans < RANDOM_PLANS; plans += 1) {
      crashing.plan(
        Array.from({ length: 6 }, () => ({
          stage: random.pick(STAGES),
          point: random.pick(POINTS),
          pass: 1 + random.int(4),
        })),
      )
      const course = { bumps: random.int(2), forgets: random.int(2), reorgs: random.int(2) }
      await withdrawTwo(crashing, course)
      await sweepTwo(crashing, course)
      await expectBooked(crashing)
    }
    expect(broken.hits).toBeGreaterThan(0)
    rules.clear()
  })

  test('every payment is made once [W01 W12]', () => expectWhole(crashing))
})

test('every list of crash points is tested [W12]', () => {
  const lists = readdirSync(ROOMS, { recursive: true, encoding: 'utf8' })
  const rooms = lists.filter((path) => basename(path) === LIST).map((path) => path.split('/')[0])
  // The points of scanner and webhooks have separate tests.
  expect(new Set(rooms)).toEqual(new Set(['scanner', 'sweeps', 'transactions', 'webhooks']))
})

/** The failure number of a death at this point. */
function numberOf(point: MoneyPoint): string {
  const [step = ''] = point.split('.')
  return NUMBERS[point] ?? NUMBERS[step] ?? 'W12'
}

/** Whether a stage always passes the point. */
function comesBy(stage: Stage, point: MoneyPoint): boolean {
  if (/^(request|approval)\./.test(point)) return stage === 'withdrawal'
  if (point === 'sweep.topped-up') return stage === 'top-up'
  if (point === 'sweep.claimed' || point === 'sweep.sent') return stage === 'sweep'
  return true
}

/** The faults of the chain that make a process pass a point this often. */
function courseTo(point: MoneyPoint, pass: number): Course {
  const often = (step: string) => (point.startsWith(`${step}.`) ? pass : 0)
  return { bumps: often('bump'), forgets: often('resend'), reorgs: often('untrack') }
}
