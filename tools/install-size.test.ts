import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './samples/blocks.ts'

/** The limit of `du -sm node_modules` after `npm ci`. */
const LIMIT_MB = 350
const BLOCK_BYTES = 512
/** Written by builds and tests, not by an install. */
const CACHES = new Set(['.cache', '.vite', '.vite-temp'])

function bytesIn(path: string): number {
  const { blocks } = lstatSync(path)
  const entries = readdirSync(path, { withFileTypes: true }).filter(({ name }) => !CACHES.has(name))
  return entries.reduce((sum, entry) => {
    const inner = join(path, entry.name)
    return sum + (entry.isDirectory() ? bytesIn(inner) : lstatSync(inner).blocks * BLOCK_BYTES)
  }, blocks * BLOCK_BYTES)
}

test(`an install takes at most ${LIMIT_MB} MB`, () => {
  const folders = ['.', 'client', 'dashboard', 'service', 'simulator', 'wire']
  const found = folders.map((folder) => join(ROOT, folder)).filter(hasModules)
  const bytes = found.reduce((sum, folder) => sum + bytesIn(join(folder, 'node_modules')), 0)
  const megabytes = Math.ceil(bytes / 2 ** 20)
  process.stdout.write(`npm ci installs ${megabytes} MB of at most ${LIMIT_MB}\n`)
  expect(megabytes).toBeLessThanOrEqual(LIMIT_MB)
})

function hasModules(folder: string): boolean {
  return readdirSync(folder).includes('node_modules')
}
