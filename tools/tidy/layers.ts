import { posix } from 'node:path'
import { edgesOf, isTest, type Rule } from './tree.ts'

const MODULE = 'service/src/transactions'
/** Folders of `transactions` and the other folders of it that they may import. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  nonce: ['core'],
  utxo: ['core'],
  ticket: ['core'],
}

/**
 * Within `transactions` only the files at its root know every kind of funding: `core` imports no
 * kind, and a kind imports `core` only.
 */
export const kindsKeepApart: Rule = (tree) =>
  tree.sources.flatMap((source) => {
    const layer = layerOf(source.path)
    const allowed = LAYERS[layer ?? '']
    if (layer === null || allowed === undefined || isTest(source.path)) return []
    return edgesOf(tree, source).flatMap(({ to, line }) => {
      const target = to === null ? null : layerOf(to)
      if (target === null || target === layer || allowed.includes(target)) return []
      return [{ path: source.path, line, says: `imports ${to}; only files of ${MODULE}/ may` }]
    })
  })

/** The folder inside the module, "" for its root; null outside of it. */
function layerOf(path: string): string | null {
  if (!path.startsWith(`${MODULE}/`)) return null
  const folder = posix.relative(MODULE, posix.dirname(path))
  return folder.split('/')[0] ?? ''
}
