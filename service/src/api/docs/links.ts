import { posix } from 'node:path'
import type { LinkOf } from './markdown.ts'

/**
 * Where the links of a page lead on the served pages: other pages without their `.md`, anchors as
 * they are; what lies outside of the folder of documents is not served.
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
