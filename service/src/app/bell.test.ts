import { expect, test } from 'vitest'
import { openBell } from './bell.ts'

test('a ring calls only the listener that was set last', () => {
  const bell = openBell()
  const heard: string[] = []
  bell.ring()
  bell.answer(() => heard.push('first'))
  bell.ring()
  bell.answer(() => heard.push('second'))
  bell.ring()
  expect(heard).toEqual(['first', 'second'])
})
