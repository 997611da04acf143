import { describe, expect, test } from 'vitest'
import { judge } from './judge.ts'
import { sqlStaysHome, tablesOf, tablesStayHome } from './tables.ts'
import { treeFrom } from './tree.ts'

const SCHEMA = {
  'service/migrations/0001-initial-schema.sql': [
    '-- create table ghosts (id int)',
    'create table deposits (id int);',
    'CREATE TABLE IF NOT EXISTS public."leases" (id int);',
  ].join('\n'),
}
const HOME = 'service/src/deposits/rows.ts'
const read = 'sql`select * from deposits`'

describe('tables', () => {
  test('are read from the migrations, comments left out', () => {
    expect([...tablesOf(treeFrom(SCHEMA))]).toEqual(['deposits', 'leases'])
  })

  test.each([
    'sql`select *\n from deposits`',
    'sql`insert into deposits (id) values (1)`',
    'sql`update deposits set id = ${id}`',
    'sql`delete from only public.deposits`',
    'tx.maybe`select 1 from other join deposits using (id)`',
    'sql`select 1 from other o, deposits d`',
    "db.selectFrom('deposits as d')",
    "db.query('select * from deposits')",
  ])('%s in a second module is named', (text) => {
    const found = judge(tablesStayHome, {
      ...SCHEMA,
      [HOME]: read,
      'service/src/gas/rows.ts': text,
    })
    expect(found).toEqual([expect.stringContaining('gas/rows.ts:1 names the table deposits')])
  })

  test('a table outside the rows files of its module is named', () => {
    const found = judge(tablesStayHome, { ...SCHEMA, 'service/src/deposits/list.ts': read })
    expect(found).toEqual([expect.stringContaining('outside a rows file')])
  })

  test.each([
    [HOME, read],
    ['service/src/deposits/hold-rows.ts', read],
    ['service/src/store/lease.ts', 'sql`select * from leases`'],
    ['service/src/gas/list.ts', 'throw new Bug(`money moved from deposits`)'],
    ['service/src/gas/list.ts', "// select * from deposits\nconst deposits = ['from deposits']"],
    ['service/src/gas/list.test.ts', read],
  ])('%s may contain %s', (path, text) => {
    expect(judge(tablesStayHome, { ...SCHEMA, [path]: text })).toEqual([])
  })
})

describe('SQL', () => {
  test.each([
    'sql`select 1`',
    'tx.one`select 1`',
    'sql<Row>`select 1`',
    'const text = "update deposits set id = 1"',
  ])('%s outside a rows file is named', (text) => {
    expect(judge(sqlStaysHome, { 'service/src/gas/list.ts': text })).toHaveLength(1)
    expect(judge(sqlStaysHome, { 'service/src/gas/rows.ts': text })).toEqual([])
  })

  test('prose is no SQL', () => {
    const text = "const help = ['Select a chain from the list', `insert a coin`]; css`a`"
    expect(judge(sqlStaysHome, { 'service/src/cli/help.ts': text })).toEqual([])
  })
})
