import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const log = spawnSync('git', ['log', '-n', '50', '--format=%s'], { cwd: ROOT, encoding: 'utf8' })

test.skipIf(log.status !== 0)('commit subjects name their module in at most 72 columns', () => {
  const subjects = log.stdout.split('\n').filter((subject) => subject !== '')
  const odd = subjects.filter(
    (subject) => !/^[a-z0-9.*/, -]+: .+$/.test(subject) || subject.length > 72,
  )
  expect(odd).toEqual([])
})
