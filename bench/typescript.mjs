// Runs the TypeScript of this repository on Node 20: `node --import ./bench/typescript.mjs`. Types
// are blanked out and nothing else is changed, so measurements are of the code that `tsc` would
// emit.
import { readFile } from 'node:fs/promises'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

const WORKSPACE = /^@sluice\/([a-z-]+)$/

if (isMainThread || !import.meta.url.includes('?hooks')) {
  register(`${import.meta.url}?hooks`)
}

export async function resolve(specifier, context, next) {
  const workspace = WORKSPACE.exec(specifier)?.[1]
  if (workspace === undefined) return next(specifier, context)
  const url = new URL(`../${workspace}/src/index.ts`, import.meta.url).href.replace('?hooks', '')
  return { url, shortCircuit: true, format: 'module' }
}

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context)
  const { transformWithOxc } = await import('vite')
  const path = fileURLToPath(url)
  const { code } = await transformWithOxc(await readFile(path, 'utf8'), path, {
    target: 'es2023',
    sourcemap: false,
  })
  return { format: 'module', source: code, shortCircuit: true }
}
