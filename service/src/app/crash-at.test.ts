import { expect, test } from 'vitest'
import { crashing, parseCrashAt } from './crash-at.ts'

test('parseCrashAt reads a point and its pass, and returns null for other text', () => {
  expect(parseCrashAt('connect.moved:2')).toEqual({ point: 'connect.moved', pass: 2 })
  expect(parseCrashAt('deliver.sent:10')).toEqual({ point: 'deliver.sent', pass: 10 })
  for (const text of ['', 'connect.moved', 'connect.moved:0', 'nowhere:1', 'connect.moved:x']) {
    expect(parseCrashAt(text)).toBeNull()
  }
})

test('crashing returns no hook without a point', () => {
  expect(crashing(null)).toEqual({})
})

test('other points and earlier passes do not end the process', () => {
  const { crash } = crashing({ point: 'connect.moved', pass: 2 })
  crash?.('connect.moved')
  for (let times = 0; times < 5; times += 1) crash?.('connect.told')
})
