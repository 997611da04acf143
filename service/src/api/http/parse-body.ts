import { badRequest } from './faults.ts'

const DEPTH_MAX = 32
/** Names that mean something else than a field to an object of this language. */
const REFUSED_KEYS = ['__proto__', 'constructor', 'prototype']
/** The tokens of a JSON text that matter here: strings and what opens, closes or follows them. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g

/**
 * Parses the bytes of a JSON body; undefined for none. Stricter than the language's own parser: no
 * byte order mark, no bytes that are no UTF-8, no key twice in an object, no key that could reach a
 * prototype, at most 32 levels. Refuses with BAD_REQUEST.
 */
export function parseBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined
  const text = decode(bytes)
  const value = parse(text)
  checkStructure(text)
  return value
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw badRequest('body', 'The body is not UTF-8. Encode it so.')
  }
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    throw badRequest('body', 'The body is not JSON. Send one object.')
  }
}

/**
 * The text is known to be JSON, so that tokens can be read without looking at what stands between
 * them.
 */
function checkStructure(text: string): void {
  const levels: Set<string>[] = []
  let last = ''
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') levels.push(new Set())
    if (token === '}' || token === ']') levels.pop()
    if (levels.length > DEPTH_MAX)
      throw badRequest(
        'body',
        `The body is nested deeper than ${DEPTH_MAX} levels. Send it flatter.`,
      )
    if (token === ':') noteKey(levels.at(-1), parseKey(last))
    last = token
  }
}

function noteKey(keys: Set<string> | undefined, key: string): void {
  if (REFUSED_KEYS.includes(key))
    throw badRequest('body', 'The body has a key that is not allowed. Leave it out.')
  if (keys?.has(key)) throw badRequest('body', 'The body has the same key twice. Send each once.')
  keys?.add(key)
}

function parseKey(token: string): string {
  return JSON.parse(token) as string
}
