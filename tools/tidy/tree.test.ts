import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readTree } from './tree.ts'

test('readTree skips installed files and the .git file of a linked worktree', () => {
  const root = mkdtempSync(join(tmpdir(), 'sluice-tree-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const folder of ['docs', 'node_modules']) mkdirSync(join(root, folder))
  for (const path of ['.git', 'README.md', 'docs/llms.txt', 'node_modules/index.js'])
    writeFileSync(join(root, path), 'text')
  expect([...readTree(root).files.keys()]).toEqual(['README.md', 'docs/llms.txt'])
})
