import { posix } from 'node:path'
import type { LinkOf } from './markdown.ts'

/**
 * Resolves the links of a page: other pages lose their `.md`, anchors are unchanged. Files outside
 * the folder `docs` are not served.
 */
export function pagesLead(name: string, names: readonly string[]): LinkOf {
  const folder = posix.dirname(name)
  return (target) => {
    const [path = '', anchor] = target.split('#')
    const at = anchor === undefined ? '' : `#${anchor}`
    if (path === '') return at
    const found = posix.normalize(posix.join(folder, path))
    const page = found.endsWith('.md') ? found.slice(0, -'.md'.length) : ''
    return names.includes(page) ? `${posix.relative(folder, page)}${at}` : null
  }
}
