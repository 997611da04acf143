import { badRequest } from './faults.ts'

const DEPTH_MAX = 32
/** Keys that could change the prototype of an object. */
const REFUSED_KEYS = ['__proto__', 'constructor', 'prototype']
/** Strings, and the characters that open, close or separate parts of a JSON text. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g

/**
 * Parses the bytes of a JSON body; undefined if it is empty. Stricter than `JSON.parse`: refuses a
 * byte order mark, invalid UTF-8, duplicate keys, keys of prototypes and more than 32 levels with
 * BAD_REQUEST.
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
    throw badRequest('body', 'Request body is not valid UTF-8.')
  }
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    throw badRequest('body', 'Request body is not valid JSON. Send a JSON object.')
  }
}

/** Requires valid JSON: the text between tokens is skipped. */
function checkStructure(text: string): void {
  const levels: Set<string>[] = []
  let last = ''
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') levels.push(new Set())
    if (token === '}' || token === ']') levels.pop()
    if (levels.length > DEPTH_MAX)
      throw badRequest('body', `Request body is nested too deeply (at most ${DEPTH_MAX} levels).`)
    if (token === ':') noteKey(levels.at(-1), parseKey(last))
    last = token
  }
}

function noteKey(keys: Set<string> | undefined, key: string): void {
  if (REFUSED_KEYS.includes(key))
    throw badRequest('body', `Request body contains a reserved key (${REFUSED_KEYS.join(', ')}).`)
  if (keys?.has(key)) throw badRequest('body', 'Request body contains a duplicate key.')
  keys?.add(key)
}

function parseKey(token: string): string {
  return JSON.parse(token) as string
}
