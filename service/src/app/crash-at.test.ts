import { expect, test } from 'vitest'
import { crashing, parseCrashAt } from './crash-at.ts'

test('a point and its pass are read, and nothing else is', () => {
  expect(parseCrashAt('connect.moved:2')).toEqual({ point: 'connect.moved', pass: 2 })
  expect(parseCrashAt('deliver.sent:10')).toEqual({ point: 'deliver.sent', pass: 10 })
  for (const text of ['', 'connect.moved', 'connect.moved:0', 'nowhere:1', 'connect.moved:x']) {
    expect(parseCrashAt(text)).toBeNull()
  }
})

test('where no point is named nothing is handed in at all', () => {
  expect(crashing(null)).toEqual({})
})

test('other points, and earlier passes, are passed by', () => {
  const { crash } = crashing({ point: 'connect.moved', pass: 2 })
  crash?.('connect.moved')
  for (let times = 0; times < 5; times += 1) crash?.('connect.told')
})
