import { describe, expect, test } from 'vitest'
import type { Delivery } from './delivery.ts'
import { Lanes } from './lanes.ts'

const LIMITS = { perEndpointMax: 2, aheadMax: 5, startWithinMs: 10_000 }

describe('the lanes of the deliverer', () => {
  test('a hanging receiver fills only the lane of its organization [H04]', () => {
    const lanes = new Lanes(LIMITS)
    expect(lanes.roomOf('a', 0)).toBe(2)
    lanes.add('a', some(2, 'a'), { asked: 2, now: 0 })
    expect([lanes.next('a'), lanes.next('a'), lanes.next('a')].filter(Boolean)).toHaveLength(2)
    expect(lanes.roomOf('a', 0)).toBe(0)
    expect(lanes.full(0)).toEqual(['a'])
    expect(lanes.roomOf('b', 0)).toBe(2)
  })

  test('only a receiver with recent accepted deliveries gets some in advance', () => {
    const lanes = new Lanes(LIMITS)
    lanes.add('a', some(2, 'a'), { asked: 2, now: 0 })
    lanes.next('a')
    lanes.next('a')
    lanes.ended('a', { accepted: false, now: 5_100 })
    expect(lanes.roomOf('a', 5_100)).toBe(1)
    lanes.ended('a', { accepted: true, now: 5_200 })
    expect(lanes.roomOf('a', 7_199)).toBe(3)
    expect(lanes.roomOf('a', 7_200)).toBe(2)
  })

  test('a lane holds half a second of deliveries in advance, up to the maximum', () => {
    const lanes = new Lanes(LIMITS)
    const accept = (count: number, now: number) => {
      lanes.add('a', some(count, 'a', now), { asked: count, now })
      for (let at = 0; at < count; at += 1) {
        lanes.next('a')
        lanes.ended('a', { accepted: true, now })
      }
    }
    accept(4, 10_000)
    expect(lanes.roomOf('a', 10_000)).toBe(2 + 2)
    accept(4, 10_500)
    expect(lanes.roomOf('a', 10_500)).toBe(2 + 4)
    accept(1, 11_000)
    expect(lanes.roomOf('a', 11_999)).toBe(2 + 4)
    expect(lanes.roomOf('a', 12_000)).toBe(2 + 1)
    accept(100, 12_000)
    expect(lanes.roomOf('a', 12_000)).toBe(2 + 5)
  })

  test('the room of a lane is 0 when it holds more than its current share', () => {
    const lanes = new Lanes(LIMITS)
    lanes.add('a', some(6, 'a'), { asked: 6, now: 0 })
    lanes.next('a')
    lanes.ended('a', { accepted: true, now: 0 })
    expect(lanes.roomOf('a', 2_000)).toBe(0)
  })

  test('a lane never runs more than the maximum concurrently', () => {
    const lanes = new Lanes(LIMITS)
    lanes.add('a', some(7, 'a'), { asked: 7, now: 0 })
    const running = [lanes.next('a'), lanes.next('a')]
    expect(running.map((delivery) => delivery?.eventId)).toEqual(['a0', 'a1'])
    expect(lanes.next('a')).toBeNull()
    lanes.ended('a', { accepted: true, now: 0 })
    expect(lanes.next('a')?.eventId).toBe('a2')
    expect(lanes.next('a')).toBeNull()
    expect(lanes.held).toBe(6)
  })

  test('a lane requests more when it runs low and the last lease was full', () => {
    const lanes = new Lanes(LIMITS)
    lanes.add('a', some(3, 'a'), { asked: 3, now: 0 })
    lanes.next('a')
    expect(lanes.ended('a', { accepted: true, now: 0 })).toBe(false)
    lanes.next('a')
    expect(lanes.ended('a', { accepted: true, now: 0 })).toBe(true)
    expect(lanes.isCalling).toBe(true)
    lanes.add('a', some(1, 'a'), { asked: 5, now: 0 })
    expect(lanes.isCalling).toBe(false)
    lanes.next('a')
    expect(lanes.ended('a', { accepted: true, now: 0 })).toBe(false)
  })

  test('a request of a lane is served by a later lease only', () => {
    const lanes = new Lanes(LIMITS)
    lanes.add('a', some(1, 'a'), { asked: 1, now: 0 })
    lanes.next('a')
    lanes.answer()
    expect(lanes.isCalling).toBe(false)
    lanes.ended('a', { accepted: true, now: 0 })
    expect(lanes.isCalling).toBe(true)
    lanes.answer()
    expect(lanes.isCalling).toBe(false)
  })

  test('a lane removes expired waiting deliveries, but no running ones', () => {
    const lanes = new Lanes(LIMITS)
    lanes.add('a', [...some(2, 'a', 0), ...some(1, 'b', 5_000)], { asked: 3, now: 0 })
    lanes.next('a')
    expect(lanes.giveUp(10_000)).toEqual([])
    expect(lanes.giveUp(10_001, ['b'])).toEqual([])
    expect(lanes.giveUp(10_001).map(({ eventId }) => eventId)).toEqual(['a1'])
    expect(lanes.held).toBe(2)
    expect(lanes.giveUp('all').map(({ eventId }) => eventId)).toEqual(['b0'])
    lanes.ended('a', { accepted: false, now: 0 })
    expect(lanes.held).toBe(0)
  })

  test('an idle lane is removed', () => {
    const lanes = new Lanes(LIMITS)
    lanes.add('a', some(1, 'a'), { asked: 2, now: 0 })
    lanes.next('a')
    lanes.ended('a', { accepted: true, now: 0 })
    expect(lanes.roomOf('a', 0)).toBe(2)
  })
})

function some(count: number, endpointId: string, leasedAt = 0): Delivery[] {
  return Array.from({ length: count }, (_, at) => ({
    orgId: 'org',
    endpointId,
    eventId: `${endpointId}${at}`,
    body: '{}',
    attempts: 0,
    leaseToken: 'token',
    leasedAt,
    url: null,
    attemptsMax: 6,
    isDirected: false,
    keys: null,
    problem: 'unsent',
  }))
}
