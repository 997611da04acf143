import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkHistory, readMigrations } from './migration-files.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-files-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function put(name: string, text = 'select 1;'): Promise<void> {
  return writeFile(join(folder, name), text)
}

const file = (name: string, checksum = name) => ({ name, checksum, text: '' })

test('readMigrations returns the files in order with checksums [O06]', async () => {
  await Promise.all([put('0002-second.sql'), put('0001-first.sql', 'select 2;')])
  await Promise.all([put('schema.sql'), put('README.md')])
  const files = await readMigrations(pathToFileURL(folder))
  expect(files.map(({ name, text }) => [name, text])).toEqual([
    ['0001-first', 'select 2;'],
    ['0002-second', 'select 1;'],
  ])
  expect(files[0]?.checksum).toBe(createHash('sha256').update('select 2;').digest('hex'))
})

test.each([
  ['a gap', ['0001-a.sql', '0003-c.sql']],
  ['two of one number', ['0001-a.sql', '0001-b.sql']],
  ['an invalid name', ['0001-a.sql', '0002 B.sql']],
  ['a first number that is not 1', ['0000-a.sql']],
])('O06 %s among the files is refused', async (_what, names) => {
  for (const name of names) await put(name)
  await expect(readMigrations(folder)).rejects.toThrow(/does not continue the numbering/)
})

test('checkHistory returns the migrations that the database lacks [O06]', () => {
  const files = [file('0001-a'), file('0002-b'), file('0003-c')]
  expect(checkHistory(files, [])).toEqual(files)
  expect(checkHistory(files, files.slice(0, 2))).toEqual([file('0003-c')])
  expect(checkHistory(files, files)).toEqual([])
})

test('checkHistory refuses a database newer than the program [O06]', () => {
  const files = [file('0001-a')]
  expect(() => checkHistory(files, [file('0001-a'), file('0002-z')])).toThrow(/newer.*0002-z/)
  expect(() => checkHistory([], [file('0001-a')])).toThrow(/newer.*0001-a/)
})

test('checkHistory refuses a database of a development version [O06]', () => {
  const applied = [file('0001-z'), file('0002-y'), file('0003-x')]
  expect(() => checkHistory([file('0001-a'), file('0002-b')], applied)).toThrow(
    'The database was made by an unreleased development version (migration 0001-z in place of ' +
      '0001-a), which cannot be upgraded. Use a new, empty database.',
  )
})

test('checkHistory refuses a file that changed after it was applied [O06]', () => {
  expect(() => checkHistory([file('0001-a', 'new')], [file('0001-a', 'old')])).toThrow(
    /0001-a\.sql was changed/,
  )
})
