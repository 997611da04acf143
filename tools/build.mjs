// Builds the workspaces with `tsc -b` and puts the program together; with --if-stale only when a
// source, a setting or an output is not what it was when the last build ended. Two builds at once
// wait for each other.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { PROGRAM, bundlePages, putTogether } from './put-together.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const cache = join(root, 'node_modules', '.cache')
const stamp = join(cache, 'sluice-built')
const lock = join(cache, 'sluice-building')
const WORKSPACES = ['wire', 'json-scan', 'signer', 'client', 'simulator', 'service']
/** Built by vite, into one page with its parts. */
const PAGES = 'dashboard'
const SOURCE = /(?<!\.d)\.tsx?$/
const TEST = /\.test\.tsx?$/
const LOCK_WAIT_MS = 10 * 60_000
const LOCK_POLL_MS = 100

/** Every file below a folder, as paths from the root of the repository. */
function filesIn(folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
}

/** What a build is made from: changes, additions, deletions and older checkouts all alter this text. */
function fingerprint() {
  const tools = ['tools/build.mjs', 'tools/put-together.mjs']
  const pages = [`${PAGES}/index.html`, `${PAGES}/vite.config.ts`]
  const settings = ['package-lock.json', 'tsconfig.base.json', ...tools, ...pages]
  const inputs = [...WORKSPACES, PAGES].flatMap((name) => [
    ...filesIn(`${name}/src`).filter((path) => !TEST.test(path)),
    `${name}/package.json`,
    `${name}/tsconfig.json`,
  ])
  const hash = createHash('sha256')
  for (const path of [...settings, ...inputs].toSorted((a, b) => (a < b ? -1 : 1))) {
    const { size, mtimeMs } = statSync(join(root, path))
    hash.update(`${path} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

/** The outputs there must be, in `dist`, for a file in `src`. */
function outputsOf(source) {
  const built = source.replace(/^([^/]+)\/src\//, '$1/dist/')
  if (!SOURCE.test(source)) return [built]
  const stem = built.replace(SOURCE, '')
  return [`${stem}.js`, `${stem}.js.map`, `${stem}.d.ts`]
}

function sourcesOf(name) {
  return filesIn(`${name}/src`).filter((path) => !TEST.test(path))
}

function isStale() {
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== fingerprint()) return true
  const outputs = [
    ...WORKSPACES.flatMap(sourcesOf).flatMap(outputsOf),
    `${PROGRAM}/main.js`,
    `${PAGES}/dist/index.html`,
  ]
  return outputs.some((path) => !existsSync(join(root, path)))
}

async function build() {
  console.log('Building Sluice...')
  const made = fingerprint()
  rmSync(stamp, { force: true })
  for (const name of WORKSPACES) forgetWhereIncomplete(name)
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const { status } = spawnSync(process.execPath, [tsc, '-b', ...WORKSPACES], {
    stdio: 'inherit',
    cwd: root,
  })
  if (status !== 0) return status ?? 1
  for (const name of WORKSPACES) finish(name)
  await putTogether()
  await bundlePages()
  writeFileSync(stamp, made)
  return 0
}

/** tsc trusts its record and not the folder: where an output is gone, the record has to go too. */
function forgetWhereIncomplete(name) {
  const outputs = sourcesOf(name)
    .filter((path) => SOURCE.test(path))
    .flatMap(outputsOf)
  if (outputs.every((path) => existsSync(join(root, path)))) return
  for (const record of ['tsconfig.tsbuildinfo', 'dist/tsconfig.tsbuildinfo']) {
    rmSync(join(root, name, record), { force: true })
  }
}

/** Copies what tsc does not emit, and takes away what a source that is gone has left behind. */
function finish(name) {
  const sources = sourcesOf(name)
  for (const path of sources.filter((source) => !SOURCE.test(source))) {
    const [target] = outputsOf(path)
    mkdirSync(dirname(join(root, target)), { recursive: true })
    copyFileSync(join(root, path), join(root, target))
  }
  const wanted = new Set([...sources.flatMap(outputsOf), `${name}/dist/tsconfig.tsbuildinfo`])
  for (const path of filesIn(`${name}/dist`)) {
    if (!wanted.has(path) && dirname(path) !== PROGRAM) rmSync(join(root, path), { force: true })
  }
}

/** Holds the lock while working. A holder that died is recognised by its process being gone. */
async function alone(work) {
  mkdirSync(cache, { recursive: true })
  for (let waited = 0; !tryLock(); waited += LOCK_POLL_MS) {
    if (waited >= LOCK_WAIT_MS) throw new Error(`another build holds ${lock}; delete it and retry`)
    await wait(LOCK_POLL_MS)
  }
  try {
    return await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

function tryLock() {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!isHeld()) rmSync(lock, { force: true })
    return false
  }
}

function isHeld() {
  try {
    const pid = Number(readFileSync(lock, 'utf8'))
    // A lock that is empty was made this instant: its holder is about to write its number.
    return pid === 0 || process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

const onlyIfStale = process.argv.includes('--if-stale')
if (!onlyIfStale || isStale()) {
  process.exitCode = await alone(() => (onlyIfStale && !isStale() ? 0 : build()))
}
