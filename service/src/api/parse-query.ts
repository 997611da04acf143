import { badRequest } from './faults.ts'

/** Parameters by name; only those an operation knows. */
export type Query = Readonly<Record<string, string>>

/**
 * Reads the text after the question mark. Parameters nobody knows are left out; one that is given
 * twice, or as a list (`chainId[]=`), could mean two things and is refused, as is an escape that is
 * no UTF-8. Refuses with BAD_REQUEST.
 */
export function parseQuery(text: string, known: readonly string[]): Query {
  const found = new Map<string, string>()
  for (const pair of text.split('&').filter((part) => part !== '')) {
    const at = pair.indexOf('=')
    const name = decode(at === -1 ? pair : pair.slice(0, at), 'query')
    const plain = name.replace(/[[.].*$/su, '')
    const isKnown = known.includes(name)
    const value = decode(at === -1 ? '' : pair.slice(at + 1), isKnown ? name : 'query')
    if (!isKnown && known.includes(plain))
      throw badRequest(plain, `The parameter ${plain} is one text, not a list or an object.`)
    if (isKnown && found.has(name))
      throw badRequest(name, `The parameter ${name} is given more than once.`)
    if (isKnown) found.set(name, value)
  }
  return Object.fromEntries(found)
}

function decode(text: string, field: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw badRequest(field, 'The query has an escape that is no UTF-8.')
  }
}
