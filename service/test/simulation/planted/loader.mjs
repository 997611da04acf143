// Puts one planted bug into the code as it is loaded, for the simulation to find. What it changes
// comes in SIM_PLANTED as JSON: a list of { file, find, replace } under service/src. Fails where
// the code to be changed is not there just once.
import { readFile } from 'node:fs/promises'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

const SERVICE = new URL('../../../src/', import.meta.url)
const { edits } = JSON.parse(process.env['SIM_PLANTED'] ?? '{"edits":[]}')

if (isMainThread || !import.meta.url.includes('?hooks')) register(`${import.meta.url}?hooks`)

export async function load(url, context, next) {
  const here = edits.filter(({ file }) => url === new URL(file, SERVICE).href)
  if (here.length === 0) return next(url, context)
  const { transformWithOxc } = await import('vite')
  const path = fileURLToPath(url)
  const text = here.reduce(planted, await readFile(path, 'utf8'))
  const { code } = await transformWithOxc(text, path, { target: 'es2023', sourcemap: false })
  return { format: 'module', source: code, shortCircuit: true }
}

/** The text with an edit in it. */
function planted(text, { file, find, replace }) {
  const parts = text.split(find)
  if (parts.length !== 2) throw new Error(`${file} has "${find}" ${parts.length - 1} times`)
  return parts.join(replace)
}
