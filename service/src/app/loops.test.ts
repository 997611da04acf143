import { expect, test } from 'vitest'
import { ManualClock, silentLog } from '../../test/support/clock.ts'
import { systemClock } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import { openLog } from '../base/log.ts'
import { Unfinished, every, runLoops } from './loops.ts'

function setUp() {
  const clock = new ManualClock()
  const stopping = new AbortController()
  const world = { clock, log: silentLog(), unfinished: new Unfinished() }
  return { world, clock, stopping }
}

test('a loop does its thing at once, and then again and again', async () => {
  const { world, clock, stopping } = setUp()
  let ticks = 0
  const tick = async () => void (ticks += 1)
  const running = runLoops(
    world,
    [every(world, { name: 'one', everyMs: 100, tick })],
    stopping.signal,
  )
  await clock.advance(250)
  expect(ticks).toBe(3)
  stopping.abort()
  await running
  await clock.advance(500)
  expect(ticks).toBe(3)
})

test('an outage is waited out at the usual pace', async () => {
  const { world, clock, stopping } = setUp()
  let ticks = 0
  const tick = async () => {
    ticks += 1
    throw new Outage('node', 'is away')
  }
  const running = runLoops(
    world,
    [every(world, { name: 'one', everyMs: 100, tick })],
    stopping.signal,
  )
  await clock.advance(450)
  expect(ticks).toBe(5)
  stopping.abort()
  await running
})

test('an outage of many rounds has two log lines, without a stack', async () => {
  const clock = new ManualClock()
  const stopping = new AbortController()
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const world = { clock, log: openLog({ level: 'info', pretty: false, destination }) }
  let ticks = 0
  const tick = async () => {
    ticks += 1
    if (ticks < 100) throw new Outage('node', 'is away')
  }
  const running = runLoops(
    world,
    [every(world, { name: 'one', everyMs: 100, tick })],
    stopping.signal,
  )
  await clock.advance(20_000)
  stopping.abort()
  await running
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { what: 'node', work: 'one', reason: 'node: is away' },
    { what: 'node', failures: 99, ms: 9_900 },
  ])
  expect(lines.join('')).not.toContain('loops.test.ts')
})

test('a bug ends one loop for a while, and the others do not notice', async () => {
  const { world, clock, stopping } = setUp()
  let well = 0
  let broken = 0
  const loops = [
    every(world, { name: 'well', everyMs: 1000, tick: async () => void (well += 1) }),
    {
      name: 'broken',
      run: async () => {
        broken += 1
        throw new Error('a bug')
      },
    },
  ]
  const running = runLoops(world, loops, stopping.signal)
  await clock.advance(10_500)
  expect([well, broken]).toEqual([11, 3])
  stopping.abort()
  await running
})

test('many loops that wait for the same stop are not taken for a leak [O07]', async () => {
  const world = { clock: systemClock, log: silentLog() }
  const stopping = new AbortController()
  const warnings: string[] = []
  const hear = ({ name }: Error) => void warnings.push(name)
  process.on('warning', hear)
  const loops = Array.from({ length: 20 }, (_, at) =>
    every(world, { name: `${at}`, everyMs: 60_000, tick: async () => undefined }),
  )
  const running = runLoops(world, loops, stopping.signal)
  await systemClock.sleep(20)
  stopping.abort()
  await running
  process.off('warning', hear)
  expect(warnings).toEqual([])
})

test('lists the loops that have not ended', async () => {
  const { world, clock, stopping } = setUp()
  let release = () => {}
  const stuck = {
    name: 'stuck',
    run: () => new Promise<void>((resolve) => void (release = resolve)),
  }
  const quick = every(world, { name: 'quick', everyMs: 100, tick: async () => undefined })
  const running = runLoops(world, [stuck, quick], stopping.signal)
  await clock.advance(50)
  expect(world.unfinished.list()).toEqual(['loop stuck', 'loop quick'])
  stopping.abort()
  await clock.advance(100)
  expect(world.unfinished.list()).toEqual(['loop stuck'])
  release()
  await running
  expect(world.unfinished.list()).toEqual([])
})
