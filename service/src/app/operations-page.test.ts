import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, openTestDatabase } from '../../test/support/database.ts'
import { ALERT_CODES } from '../journal/alert.ts'
import { openMetrics } from './metrics.ts'

const PAGE = fileURLToPath(new URL('../../../docs/operations.md', import.meta.url))
const page = readFileSync(PAGE, 'utf8')

let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

function firstColumn(pattern: RegExp): string[] {
  return [...page.matchAll(pattern)].map(([, name]) => name ?? '').toSorted()
}

test('the page of operations names the metrics that there are, and no other', async () => {
  const metrics = openMetrics({ database: db.database, clock: db.clock, version: '0' })
  const text = await metrics.expose()
  const there = [...text.matchAll(/^# TYPE (sluice_\w+) /gm)]
    .map(([, name]) => name ?? '')
    .toSorted()
  expect(firstColumn(/^\| `(sluice_\w+)[^`]*` \|/gm)).toEqual(there)
})

test('the page of operations names alerts by the codes that they have', () => {
  const families = Object.keys(ALERT_CODES).map((code) => code.split('.')[0] ?? '')
  const family = [...new Set(families)].join('|')
  const named = firstColumn(new RegExp(`^\\| \`((?:${family})\\.\\w+)\` \\|`, 'gm'))
  expect(named.filter((code) => !(code in ALERT_CODES))).toEqual([])
  expect(named.length).toBeGreaterThan(10)
})
