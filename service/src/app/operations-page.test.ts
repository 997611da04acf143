import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, openTestDatabase } from '../../test/support/database.ts'
import { ALERT_CODES, ENDED_BY } from '../alerts/alert.ts'
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

test('the page of metrics lists exactly the existing metrics', async () => {
  const metrics = openMetrics({ ...db, catalogue: { isConfigured: () => true }, version: '0' })
  const text = await metrics.expose()
  const there = [...text.matchAll(/^# TYPE (sluice_\w+) /gm)]
    .map(([, name]) => name ?? '')
    .toSorted()
  const named = firstColumn(metricsPage, /^\| `(sluice_\w+)(?:\{[\w,]+\})?` \|/gm)
  expect(named).toEqual(there)
  const alarms = firstColumn(metricsPage, /^\| `(sluice_\w+)(?:\{[^}]+\})? [=<>]/gm)
  expect(alarms.filter((name) => !there.includes(name))).toEqual([])
  expect(alarms.length).toBeGreaterThan(3)
})

test('the page of operations has every alert and what resolves it', () => {
  const [, section = ''] = page.split('\n## Alerts\n')
  const table = section.split('\n## ')[0]?.matchAll(/^\| `(.+?)` \| (.+?) \| (.+?) \| (.+?) \|$/gm)
  const rows = new Map([...(table ?? [])].map(([, code = '', , , closes = '']) => [code, closes]))
  expect([...rows.keys()].toSorted()).toEqual(Object.keys(ALERT_CODES).toSorted())
  for (const [code, command] of Object.entries(ENDED_BY))
    expect({ code, closes: rows.get(code) }).toEqual({
      code,
      closes: expect.stringContaining(`\`${command}\``),
    })
})
