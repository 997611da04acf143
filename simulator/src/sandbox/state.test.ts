import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { claim, forget } from './state.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('the folder of the sandbox', () => {
  test('is refused when it has the database of another installation', async () => {
    mkdirSync(join(folder, 'data'))
    await expect(claim(folder)).rejects.toThrow('the database of another installation')
    expect(existsSync(join(folder, 'data'))).toBe(true)
  })

  test('is taken when it is empty, missing, or was interrupted at its first start', async () => {
    const missing = join(folder, 'new')
    await claim(missing)
    mkdirSync(join(missing, 'data'))
    await expect(claim(missing)).resolves.toBeUndefined()
  })

  test('is taken when it has the state of a sandbox, and is emptied by forget', async () => {
    mkdirSync(join(folder, 'data'))
    writeFileSync(join(folder, 'sandbox.json'), '{}')
    await claim(folder)
    await forget(folder)
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })
})
