import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, openTestDatabase } from '../../test/support/database.ts'
import { ALERT_CODES } from '../journal/alert.ts'
import { openMetrics } from './metrics.ts'

const page = readPage('operations')
const metricsPage = readPage('metrics')

let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

function readPage(name: string): string {
  const path = fileURLToPath(new URL(`../../../docs/${name}.md`, import.meta.url))
  return readFileSync(path, 'utf8')
}

function firstColumn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name]) => name ?? '').toSorted()
}

test('the page of metrics names those that there are, and no other', async () => {
  const metrics = openMetrics({ database: db.database, clock: db.clock, version: '0' })
  const text = await metrics.expose()
  const there = [...text.matchAll(/^# TYPE (sluice_\w+) /gm)]
    .map(([, name]) => name ?? '')
    .toSorted()
  const named = firstColumn(metricsPage, /^\| `(sluice_\w+)(?:\{[\w,]+\})?` \|/gm)
  expect(named).toEqual(there)
  const alarms = firstColumn(metricsPage, /^\| `(sluice_\w+) [=<>]/gm)
  expect(alarms.filter((name) => !there.includes(name))).toEqual([])
  expect(alarms.length).toBeGreaterThan(3)
})

test('the page of operations names alerts by the codes that they have', () => {
  const families = Object.keys(ALERT_CODES).map((code) => code.split('.')[0] ?? '')
  const family = [...new Set(families)].join('|')
  const named = firstColumn(page, new RegExp(`^\\| \`((?:${family})\\.\\w+)\` \\|`, 'gm'))
  expect(named.filter((code) => !(code in ALERT_CODES))).toEqual([])
  expect(named.length).toBeGreaterThan(10)
})
