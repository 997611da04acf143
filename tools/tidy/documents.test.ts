import { describe, expect, test } from 'vitest'
import { lockIsPortable, noMachinePaths, pagesHaveOneTitle } from './documents.ts'
import { judge } from './judge.ts'

describe('documents', () => {
  test('a page without a title and one with two are named, code blocks do not count', () => {
    expect(judge(pagesHaveOneTitle, { 'a.md': '## Part\n' })).toHaveLength(1)
    expect(judge(pagesHaveOneTitle, { 'a.md': '# One\n# Two\n' })).toHaveLength(1)
    const page = '# One\n```bash\n# a comment\n```\n## Part\n'
    expect(judge(pagesHaveOneTitle, { 'a.md': page })).toEqual([])
  })

  test.each(['work/main', 'root/.npm', 'home/ann/sluice', 'tmp/BRIEF.md'])(
    'a folder of one machine is named in any text: %s',
    (folder) => {
      expect(judge(noMachinePaths, { 'a.md': `see /${folder} there` })).toHaveLength(1)
      expect(judge(noMachinePaths, { 'a.ts': `const a = '/${folder}'` })).toHaveLength(1)
      expect(judge(noMachinePaths, { 'a.ts': `import './${folder}'` })).toEqual([])
    },
  )

  test('a lock to a mirror is named, one to the public registry passes', () => {
    const lock = (url: string) => ({ 'package-lock.json': `      "resolved": "${url}",` })
    expect(judge(lockIsPortable, lock('http://mirror.internal/a.tgz'))).toHaveLength(1)
    expect(judge(lockIsPortable, lock('https://registry.npmjs.org/a.tgz'))).toEqual([])
    expect(judge(lockIsPortable, lock('wire'))).toEqual([])
    expect(judge(lockIsPortable, { '.npmrc': 'registry=http://mirror.internal' })).toHaveLength(1)
  })
})
