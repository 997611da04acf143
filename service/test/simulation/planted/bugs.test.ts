import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { BUGS } from './bugs.ts'

const SERVICE = new URL('../../../src/', import.meta.url)

test.each(BUGS)(
  'the code that "$name" changes stands where it is looked for, once',
  async (bug) => {
    const text = await readFile(new URL(bug.file, SERVICE), 'utf8')
    expect(text.split(bug.find).length - 1).toBe(1)
    expect(bug.replace).not.toBe(bug.find)
  },
)

test('no two planted bugs have one name', () => {
  expect(new Set(BUGS.map(({ name }) => name)).size).toBe(BUGS.length)
})
