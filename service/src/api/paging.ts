import { Readable } from 'node:stream'
import type { Millis } from '../base/clock.ts'
import { isId } from '../base/id.ts'
import { badRequest } from './faults.ts'
import { TIME_MAX } from './parse-values.ts'

/** A place in a list: creation, then id; a list goes down from it. */
export interface Place {
  createdAt: Millis
  id: string
}

/** One record of a list, as it goes out, and where it stands. */
export interface Entry<View> {
  place: Place
  view: View
}

/**
 * Reads at most `limit` entries after a place, the newest first; each call is a transaction of its
 * own.
 */
export type ReadEntries<View> = (after: Place | null, limit: number) => Promise<Entry<View>[]>

/** A part of a list; `nextCursor` is null at its end. */
export type Page<Key extends string, View> = Record<Key, View[]> & { nextCursor: string | null }

const LIMIT_MAX = 500
const LIMIT_WITHOUT_WORD = 100
/** So many records are in memory at once, however long a list is (engineering, 25). */
const BATCH = 1_000

/**
 * Answers a list (decisions, 9): with `limit` or `cursor` one page of it, else all of it as a
 * stream. Refuses with BAD_REQUEST (limit, cursor).
 */
export async function answerList<Key extends string, View>(
  { limit, cursor }: { limit?: string; cursor?: string },
  { key, read }: { key: Key; read: ReadEntries<View> },
): Promise<Page<Key, View> | Readable> {
  if (limit === undefined && cursor === undefined) return streamList(key, read)
  const most = limit === undefined ? LIMIT_WITHOUT_WORD : parseLimit(limit)
  const after = cursor === undefined ? null : parseCursor(cursor)
  // One more than asked for tells whether there is a next page.
  const entries = await read(after, most + 1)
  const shown = entries.slice(0, most)
  const last = entries.length > most ? shown.at(-1) : undefined
  return toPage(key, shown, last === undefined ? null : formatCursor(last.place))
}

/**
 * A whole list as JSON, written as it is read. What goes wrong before the first record is told as
 * any other fault; after that the connection is cut, so that nobody takes half a list for all of
 * it.
 */
export async function streamList<View>(key: string, read: ReadEntries<View>): Promise<Readable> {
  const first = await read(null, BATCH)
  return Readable.from(pieces(key, first, read))
}

async function* pieces<View>(
  key: string,
  first: Entry<View>[],
  read: ReadEntries<View>,
): AsyncGenerator<string> {
  yield `{${JSON.stringify(key)}:[`
  let batch = first
  let between = ''
  while (batch.length > 0) {
    yield between + batch.map(({ view }) => JSON.stringify(view)).join(',')
    between = ','
    const last = batch.at(-1)
    const isEnd = last === undefined || batch.length < BATCH
    batch = isEnd ? [] : await read(last.place, BATCH)
  }
  yield ']}'
}

function toPage<Key extends string, View>(
  key: Key,
  entries: readonly Entry<View>[],
  nextCursor: string | null,
): Page<Key, View> {
  return { [key]: entries.map(({ view }) => view), nextCursor } as Page<Key, View>
}

function parseLimit(text: string): number {
  const limit = /^[1-9][0-9]{0,2}$/.test(text) ? Number(text) : Number.NaN
  if (limit <= LIMIT_MAX) return limit
  throw badRequest('limit', `limit must be a whole number from 1 to ${LIMIT_MAX}.`)
}

/** Opaque to callers; they must not build their own. */
export function formatCursor({ createdAt, id }: Place): string {
  return Buffer.from(`${createdAt}.${id}`).toString('base64url')
}

/** Reads a cursor of ours and nothing else. Refuses with BAD_REQUEST. */
export function parseCursor(text: string): Place {
  const [time = '', id = ''] = Buffer.from(text, 'base64url').toString().split('.')
  const place = { createdAt: Number(time), id }
  const isTime = /^[0-9]{1,15}$/.test(time) && place.createdAt <= TIME_MAX
  if (isTime && isId(id) && formatCursor(place) === text) return place
  throw badRequest('cursor', 'cursor must be a nextCursor that was given before.')
}
