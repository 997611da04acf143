import { expect, test } from 'vitest'
import { openBell } from './bell.ts'

test('a ring calls every listener until it ends', () => {
  const bell = openBell()
  const heard: string[] = []
  bell.ring()
  const end = bell.answer(() => heard.push('first'))
  bell.answer(() => heard.push('second'))
  bell.ring()
  end()
  bell.ring()
  expect(heard).toEqual(['first', 'second', 'second'])
})
