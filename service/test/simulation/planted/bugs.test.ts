import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { editsOf, LISTED_BUGS } from './bug.ts'
import { BUGS } from './bugs.ts'

const SERVICE = new URL('../../../src/', import.meta.url)

test.each(BUGS)('the code that "$name" changes occurs exactly once', async (bug) => {
  for (const { file, find, replace } of editsOf(bug)) {
    const text = await readFile(new URL(file, SERVICE), 'utf8')
    expect(text.split(find).length - 1).toBe(1)
    expect(replace).not.toBe(find)
  }
})

test('no two planted bugs have one name', () => {
  expect(new Set(BUGS.map(({ name }) => name)).size).toBe(BUGS.length)
})

test('each of the mistakes that must be seen is planted once', () => {
  const planted = BUGS.flatMap(({ listed = [] }) => listed)
  expect(planted.toSorted()).toEqual([...LISTED_BUGS].toSorted())
})
