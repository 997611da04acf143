import { expect, test } from 'vitest'
import { contains, pageOf, toCsv } from './local-list.ts'

const ROWS = Array.from({ length: 120 }, (_, index) => index)

test.each([
  [undefined, 0, '50'],
  ['50', 50, '100'],
  ['100', 100, null],
  ['-3', 0, '50'],
  ['abc', 0, '50'],
])('the page of the cursor %s begins at %i and leads to %s', (cursor, first, next) => {
  const { items, nextCursor } = pageOf(ROWS, cursor)
  expect(items[0]).toBe(first)
  expect(nextCursor).toBe(next)
})

test('all pages together are the whole list', () => {
  const seen: number[] = []
  let cursor: string | null | undefined
  do {
    const page = pageOf(ROWS, cursor ?? undefined)
    seen.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  expect(seen).toEqual(ROWS)
})

test('a search ignores case, and an empty one finds everything', () => {
  expect(contains('ANN', ['joanna'])).toBe(true)
  expect(contains('ann', ['bob'])).toBe(false)
  expect(contains(undefined, ['bob'])).toBe(true)
})

test('cells of CSV are quoted and never begin a formula', async () => {
  const text = await toCsv([
    ['name', 'role'],
    ['=1+1', 'a "b", c'],
  ]).text()
  expect(text).toBe('name,role\r\n\'=1+1,"a ""b"", c"\r\n')
})
