import { describe, expect, test } from 'vitest'
import type { Delivery } from './delivery.ts'
import { Lanes } from './lanes.ts'

const LIMITS = { perOrganizationMax: 2, batchMax: 5, startWithinMs: 10_000 }

describe('the lanes of the deliverer', () => {
  test('H04 an organization that hangs fills its own lane and no other', () => {
    const lanes = new Lanes(LIMITS)
    expect(lanes.roomOf('a', 0)).toBe(2)
    lanes.add('a', some(2, 'a'), 2)
    expect([lanes.next('a'), lanes.next('a'), lanes.next('a')].filter(Boolean)).toHaveLength(2)
    expect(lanes.roomOf('a', 0)).toBe(0)
    expect(lanes.full(0)).toEqual(['a'])
    expect(lanes.roomOf('b', 0)).toBe(2)
  })

  test('only a receiver that lately accepted something gets deliveries in advance', () => {
    const lanes = new Lanes(LIMITS)
    lanes.add('a', some(2, 'a'), 2)
    lanes.next('a')
    lanes.next('a')
    lanes.ended('a', { accepted: false, now: 100 })
    expect(lanes.roomOf('a', 100)).toBe(1)
    lanes.ended('a', { accepted: true, now: 200 })
    expect(lanes.roomOf('a', 1_199)).toBe(7)
    expect(lanes.roomOf('a', 1_200)).toBe(2)
  })

  test('never more than the cap run at once, however many wait', () => {
    const lanes = new Lanes(LIMITS)
    lanes.add('a', some(7, 'a'), 7)
    const running = [lanes.next('a'), lanes.next('a')]
    expect(running.map((delivery) => delivery?.eventId)).toEqual(['a0', 'a1'])
    expect(lanes.next('a')).toBeNull()
    lanes.ended('a', { accepted: true, now: 0 })
    expect(lanes.next('a')?.eventId).toBe('a2')
    expect(lanes.next('a')).toBeNull()
    expect(lanes.held).toBe(6)
  })

  test('a lane calls for more when it runs low and the last lease was filled', () => {
    const lanes = new Lanes(LIMITS)
    lanes.add('a', some(3, 'a'), 3)
    lanes.next('a')
    expect(lanes.ended('a', { accepted: true, now: 0 })).toBe(false)
    lanes.next('a')
    expect(lanes.ended('a', { accepted: true, now: 0 })).toBe(true)
    lanes.add('a', some(1, 'a'), 5)
    lanes.next('a')
    expect(lanes.ended('a', { accepted: true, now: 0 })).toBe(false)
  })

  test('what waited too long to end within its lease is given up; what runs is not', () => {
    const lanes = new Lanes(LIMITS)
    lanes.add('a', [...some(2, 'a', 0), ...some(1, 'b', 5_000)], 3)
    lanes.next('a')
    expect(lanes.giveUp(10_000)).toEqual([])
    expect(lanes.giveUp(10_001).map(({ eventId }) => eventId)).toEqual(['a1'])
    expect(lanes.held).toBe(2)
    expect(lanes.giveUp('all').map(({ eventId }) => eventId)).toEqual(['b0'])
    lanes.ended('a', { accepted: false, now: 0 })
    expect(lanes.held).toBe(0)
  })

  test('an idle lane is forgotten', () => {
    const lanes = new Lanes(LIMITS)
    lanes.add('a', some(1, 'a'), 2)
    lanes.next('a')
    lanes.ended('a', { accepted: true, now: 0 })
    expect(lanes.roomOf('a', 0)).toBe(2)
  })
})

function some(count: number, orgId: string, leasedAt = 0): Delivery[] {
  return Array.from({ length: count }, (_, at) => ({
    orgId,
    eventId: `${orgId}${at}`,
    body: '{}',
    attempts: 0,
    leaseToken: 'token',
    leasedAt,
    url: null,
    keys: null,
  }))
}
