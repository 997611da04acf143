import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { Bug } from '../base/assert.ts'
import { columnTypes } from './column-types.ts'
import { toStatement } from './statement.ts'

test('a value never becomes part of the text, however it is written', () => {
  const nasty = `'; drop table deposits; --`
  const { text, values } = toStatement(sql`select * from deposits where id = ${nasty}`)
  expect(text).toBe('select * from deposits where id = $1')
  expect(values).toEqual([nasty])
})

test('a part of a statement may be a statement, and the values are counted through', () => {
  const filter = sql`and amount > ${5n}`
  const { text, values } = toStatement(sql`select 1 where id = ${'a'} ${filter} limit ${10}`)
  expect(text).toBe('select 1 where id = $1 and amount > $2 limit $3')
  expect(values).toEqual(['a', 5n, 10])
})

test.each([
  ['an undefined value', undefined],
  ['not a number', Number.NaN],
  ['an endless number', Number.POSITIVE_INFINITY],
])('%s is a bug before it reaches the database', (_what, value) => {
  expect(() => toStatement(sql`select ${value}`)).toThrow(Bug)
})

test('a list arrives unchanged with any texts', () => {
  const texts: number = 1009
  const readList = columnTypes.getTypeParser(texts, 'text')
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom('"', '\\', '{}', ',', 'NULL', '', ' a ', '\n', '","'),
  )
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (list) => {
      const [value] = toStatement(sql`select ${list}`).values
      const isPlain = !list.join('').includes('"') && !list.join('').includes('\\')
      // The driver escapes what is left as a list.
      expect(isPlain ? readList(String(value)) : value).toEqual(list)
    }),
  )
})

test('a list with a cast is sent in binary as that type', () => {
  const { values } = toStatement(sql`select ${['ü']}::text[], ${[1, null]}::bigint[], ${['a']}`)
  expect(values).toEqual([
    // One dimension, no null, text, one element, counted from 1; then its length and its bytes.
    fromHex(['0000000100000000000000190000000100000001', '00000002c3bc']),
    fromHex(['0000000100000001000000140000000200000001', '000000080000000000000001', 'ffffffff']),
    '{"a"}',
  ])
})

test('a list that does not match its cast is sent as text', () => {
  const uuid = '01890000-0000-7000-8000-000000000001'
  const { values } = toStatement(sql`
    select ${[1n]}::bigint[], ${['5']}::bigint[], ${[uuid]}::uuid[], ${[7n]}::numeric[]`)
  expect(values).toEqual(['{"1"}', '{"5"}', `{"${uuid}"}`, '{"7"}'])
})

test('numbers are listed by their digits, and null stays null', () => {
  expect(toStatement(sql`${[1, 2n]} ${[null, 1n]} ${[]} ${[]}::text[]`).values).toEqual([
    '{"1","2"}',
    [null, 1n],
    [],
    [],
  ])
})

function fromHex(parts: readonly string[]): Buffer {
  return Buffer.from(parts.join(''), 'hex')
}
