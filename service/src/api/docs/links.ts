import { posix } from 'node:path'
import type { LinkOf } from './markdown.ts'

/**
 * Resolves the links of a page: other pages lose their `.md`, anchors and pictures are unchanged.
 * Files that are not among `paths`, relative to the folder `docs`, are not served.
 */
export function pagesLead(name: string, paths: readonly string[]): LinkOf {
  const folder = posix.dirname(name)
  return (target) => {
    const [path = '', anchor] = target.split('#')
    const at = anchor === undefined ? '' : `#${anchor}`
    if (path === '') return at
    const found = posix.normalize(posix.join(folder, path))
    if (!paths.includes(found)) return null
    return `${posix.relative(folder, found.replace(/\.md$/, ''))}${at}`
  }
}
