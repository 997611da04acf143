import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ALERT_CODES } from './alert.ts'

const FOLDERS = ['../../src', '../../test'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)

test('every alert code occurs in a test [O09]', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(folder, name)),
  )
  expect(files.length).toBeGreaterThan(100)
  const written = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  expect(Object.keys(ALERT_CODES).filter((code) => !written.includes(code))).toEqual([])
})
