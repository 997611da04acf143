import { OPERATION_NAMES, OPERATIONS, type Operation } from '@sluice/wire'
import { describe, expect, test } from 'vitest'
import { curlOf } from './samples.ts'

describe('the samples', () => {
  test('run in a shell', () => {
    for (const name of OPERATION_NAMES) {
      const sample = curlOf(name)
      const { method, path }: Operation = OPERATIONS[name]
      const start = method === 'GET' ? 'curl -sS "$BASE_URL/' : `curl -sS -X ${method} "$BASE_URL/`
      expect(sample.slice(0, start.length)).toBe(start)
      expect(sample.split('\n')[0]).not.toMatch(/\/:|undefined/)
      expect([sample, sample.split("'").length % 2]).toEqual([sample, 1])
      expect(sample).toContain(path.split('/:')[0])
    }
  })
})
