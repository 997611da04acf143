import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import { Outage } from '../base/fault.ts'
import { openResolve } from './resolve.ts'

describe('the name service', () => {
  test('gives all addresses of a name', async () => {
    const clock = new ManualClock()
    const addresses = await openResolve(clock)('localhost')
    expect(addresses.some((address) => ['127.0.0.1', '::1'].includes(address))).toBe(true)
    expect(clock.sleeping).toBe(0)
  })

  test('throws an outage where a name does not resolve', async () => {
    const asking = openResolve(new ManualClock())('no such name.invalid')
    await expect(asking).rejects.toThrow(Outage)
  })

  test('is asked once for a name that many ask for at the same time', async () => {
    const resolve = openResolve(new ManualClock())
    const first = resolve('localhost')
    expect(resolve('localhost')).toBe(first)
    await first
    const later = resolve('localhost')
    expect(later).not.toBe(first)
    await later
  })
})
