import { expect, test } from 'vitest'
import { ManualClock, silentLog } from '../../../test/support/clock.ts'
import { Outage } from '../../base/fault.ts'
import { Doubt } from '../../chains/doubt.ts'
import { keepGoing, putLast } from './each-pending.ts'

const doubt = new Doubt('node', 'an answer in doubt')
const outage = new Outage('node', 'away')

test('W20 payments that nodes doubt end no round, however many there are', async () => {
  const go = attempts()
  for (let times = 0; times < 10; times += 1) expect(await go(doubt)).toBeNull()
  expect([await go(outage), await go(outage)]).toEqual([null, null])
  expect(await go(doubt)).toBeNull()
  await expect(go(outage)).rejects.toBe(outage)
})

test('W20 the first payment of a round that meets with an outage goes last from then on', () => {
  const last = new Set<string>()
  const note = (id: string, outcome: string | null, ...failures: unknown[]) =>
    putLast({ last }, { id, outcome, failures })
  note('doubted', null, doubt)
  note('broken', null, doubt, outage)
  note('behind it', null, doubt, outage, outage)
  note('of itself', null, doubt, outage, new Error('a bug'))
  expect([...last]).toEqual(['broken'])
  note('broken too', null, outage)
  expect([...last]).toEqual(['broken', 'broken too'])
  note('broken', null, outage)
  expect([...last]).toEqual(['broken too', 'broken'])
  note('broken too', 'sent')
  expect([...last]).toEqual(['broken'])
})

function attempts() {
  const failures: unknown[] = []
  const about = { details: {}, says: 'a payment could not be made', failures }
  return (error: Error) =>
    keepGoing({ log: silentLog(), clock: new ManualClock() }, about, async () => {
      throw error
    })
}
