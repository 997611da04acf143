import { Readable } from 'node:stream'
import type { Millis } from '../../base/clock.ts'
import { ownHeap } from '../../base/heap.ts'
import { isId } from '../../base/id.ts'
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
  /** Null: left out, though it counts as one of the page. */
  view: View | null
}

/**
 * Reads at most `limit` entries after a place, the newest first; each call is a transaction of its
 * own.
 */
export type ReadEntries<View> = (after: Place | null, limit: number) => Promise<Entry<View>[]>

/** A list: the key under which it goes out, and how it is read. */
export interface List<Key extends string, View> {
  key: Key
  /**
   * What its cursors name, so that no other list takes them; the key, where one key has one order.
   */
  name?: string
  read: ReadEntries<View>
}

/** A part of a list; `nextCursor` is null at its end. */
export type Page<Key extends string, View> = Record<Key, View[]> & { nextCursor: string | null }

const LIMIT_DEFAULT = 100
/** So many records are in memory at once, however long a list is (engineering, 25). */
const BATCH = 1_000
/**
 * So many are written at once. A text of a whole batch would be too large for the young heap, and
 * such texts are only collected when the whole heap is.
 */
const PIECE = 50

/**
 * Answers a list (decisions, 9): with `limit` or `cursor` one page of it, else all of it as a
 * stream. Refuses with BAD_REQUEST (limit, cursor).
 */
export async function answerList<Key extends string, View>(
  { limit, cursor }: { limit?: number; cursor?: string },
  { key, name = key, read }: List<Key, View>,
): Promise<Page<Key, View> | Readable> {
  if (limit === undefined && cursor === undefined) return streamList(key, read)
  const most = limit ?? LIMIT_DEFAULT
  const after = cursor === undefined ? null : parseCursor(name, cursor)
  // One more than asked for tells whether there is a next page.
  const entries = await read(after, most + 1)
  const shown = entries.slice(0, most)
  const last = entries.length > most ? shown.at(-1) : undefined
  return toPage(key, shown, last === undefined ? null : formatCursor(name, last.place))
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
  let between = ''
  for await (const batch of batches(first, read)) {
    for (let from = 0; from < batch.length; from += PIECE) {
      const piece = batch.slice(from, from + PIECE)
      const shown = piece.flatMap(({ view }) => (view === null ? [] : [JSON.stringify(view)]))
      if (shown.length === 0) continue
      yield between + shown.join(',')
      between = ','
    }
  }
  yield ']}'
}

/** What is read, one batch after the other; a list of one batch is none to take care for. */
async function* batches<View>(
  first: Entry<View>[],
  read: ReadEntries<View>,
): AsyncGenerator<Entry<View>[]> {
  if (first.length > 0) yield first
  if (first.length < BATCH) return
  const release = ownHeap.keep()
  try {
    let last = first.at(-1)
    while (last !== undefined) {
      const batch: Entry<View>[] = await read(last.place, BATCH)
      if (batch.length > 0) yield batch
      last = batch.length < BATCH ? undefined : batch.at(-1)
    }
  } finally {
    release()
  }
}

function toPage<Key extends string, View>(
  key: Key,
  entries: readonly Entry<View>[],
  nextCursor: string | null,
): Page<Key, View> {
  const views = entries.flatMap(({ view }) => (view === null ? [] : [view]))
  return { [key]: views, nextCursor } as Page<Key, View>
}

/** A place in the list of a name. Opaque to callers; they must not build their own. */
export function formatCursor(list: string, { createdAt, id }: Place): string {
  return Buffer.from(`${list}.${createdAt}.${id}`).toString('base64url')
}

/** Reads a cursor of ours for this list and nothing else. Refuses with BAD_REQUEST. */
export function parseCursor(list: string, text: string): Place {
  const [, time = '', id = ''] = Buffer.from(text, 'base64url').toString().split('.')
  const place = { createdAt: Number(time), id }
  const isTime = /^[0-9]{1,15}$/.test(time) && place.createdAt <= TIME_MAX
  if (isTime && isId(id) && formatCursor(list, place) === text) return place
  throw badRequest('cursor', 'cursor must be a nextCursor that this list gave before.')
}
