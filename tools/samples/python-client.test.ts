import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from './blocks.ts'
import { run } from './consumer.ts'
import { HAS_PYTHON, NO_PYTHON, python } from './python.ts'

const PASSED = expect.objectContaining({ status: 0 })
const HAS_MYPY = HAS_PYTHON && python(['-m', 'mypy', '--version']).status === 0
const NO_MYPY = HAS_MYPY ? '' : ' (mypy is not installed here)'

let cache: string
beforeAll(() => {
  cache = mkdtempSync(join(tmpdir(), 'sluice-python-cache-'))
})
afterAll(() => rmSync(cache, { recursive: true, force: true }))

describe('the Python client', () => {
  test('is generated from the current interface', () => {
    const tool = join(ROOT, 'tools', 'generate-python.mjs')
    expect(run(process.execPath, [tool, '--check'])).toEqual({ status: 0, output: '' })
  })

  test.skipIf(!HAS_PYTHON)(`compiles${NO_PYTHON}`, () => {
    const env = { PYTHONDONTWRITEBYTECODE: '', PYTHONPYCACHEPREFIX: cache }
    expect(python(['-W', 'error', '-m', 'compileall', '-q', '-f', 'src', 'tests'], env)).toEqual({
      status: 0,
      output: '',
    })
  })

  test.skipIf(!HAS_PYTHON)(`passes its own tests${NO_PYTHON}`, () => {
    const args = ['-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests', '-t', '.']
    const ran = python(args)
    expect(ran).toEqual(PASSED)
    expect(Number(/^Ran (\d+) tests/m.exec(ran.output)?.[1])).toBeGreaterThanOrEqual(60)
  })

  test.skipIf(!HAS_MYPY)(`passes mypy${NO_MYPY}`, () => {
    expect(python(['-m', 'mypy', '--cache-dir', cache])).toEqual(PASSED)
  })
})
