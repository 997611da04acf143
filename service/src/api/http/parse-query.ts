import type { Refusal } from '../../base/fault.ts'
import { badRequest } from './faults.ts'

/** Parameters by name; only those an operation knows. */
export type Query = Readonly<Record<string, string>>

/** Characters of an unknown name that a response repeats. */
const ECHO_LENGTH_MAX = 100

/**
 * Reads the text after the question mark. Refuses with BAD_REQUEST an unknown parameter, because a
 * misspelt filter would return an unfiltered list, a repeated parameter, a list (`chainId[]=`), and
 * escape sequences that are not UTF-8.
 */
export function parseQuery(text: string, known: readonly string[]): Query {
  const found = new Map<string, string>()
  for (const pair of text.split('&').filter((part) => part !== '')) {
    const at = pair.indexOf('=')
    const name = decode(at === -1 ? pair : pair.slice(0, at), 'query')
    if (!known.includes(name)) throw unknownName(name, known)
    if (found.has(name))
      throw badRequest(name, `\`${name}\` is repeated. Send each query parameter once.`)
    found.set(name, decode(at === -1 ? '' : pair.slice(at + 1), name))
  }
  return Object.fromEntries(found)
}

function unknownName(name: string, known: readonly string[]): Refusal {
  const plain = name.replace(/[[.].*$/su, '')
  if (known.includes(plain))
    return badRequest(plain, `\`${plain}\` must be a single value, not a list or an object.`)
  const shown = name.slice(0, ECHO_LENGTH_MAX)
  const hint =
    known.length === 0
      ? 'This operation takes no query parameters.'
      : `This operation takes ${known.join(', ')}.`
  return badRequest(shown || 'query', `Unknown query parameter: ${shown || '(no name)'}. ${hint}`)
}

function decode(text: string, field: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw badRequest(field, 'Query contains an escape sequence that is not valid UTF-8.')
  }
}
