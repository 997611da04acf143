// Puts one planted bug into the code as it is loaded, for the simulation to find. Its name comes in
// SIM_PLANTED; the bugs are in bugs.ts. Fails where the code to be changed is not there just once.
import { readFile } from 'node:fs/promises'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

const SERVICE = new URL('../../../src/', import.meta.url)

if (isMainThread || !import.meta.url.includes('?hooks')) register(`${import.meta.url}?hooks`)

let wanted = null

export async function load(url, context, next) {
  if (!url.startsWith(SERVICE.href) || !url.endsWith('.ts')) return next(url, context)
  wanted ??= await findBug()
  if (url !== new URL(wanted.file, SERVICE).href) return next(url, context)
  const { transformWithOxc } = await import('vite')
  const path = fileURLToPath(url)
  const text = planted(await readFile(path, 'utf8'), wanted)
  const { code } = await transformWithOxc(text, path, { target: 'es2023', sourcemap: false })
  return { format: 'module', source: code, shortCircuit: true }
}

async function findBug() {
  const { transformWithOxc } = await import('vite')
  const path = fileURLToPath(new URL('./bugs.ts', import.meta.url))
  const { code } = await transformWithOxc(await readFile(path, 'utf8'), path, { target: 'es2023' })
  const { BUGS } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  const bug = BUGS.find(({ name }) => name === process.env['SIM_PLANTED'])
  if (bug === undefined) throw new Error(`no planted bug ${process.env['SIM_PLANTED']}`)
  return bug
}

/** The text with the bug in it. */
function planted(text, { name, file, find, replace }) {
  const parts = text.split(find)
  if (parts.length !== 2) throw new Error(`${name}: ${file} has its code ${parts.length - 1} times`)
  return parts.join(replace)
}
