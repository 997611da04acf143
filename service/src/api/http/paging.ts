import { Readable } from 'node:stream'
import type { Millis } from '../../base/clock.ts'
import { ownHeap } from '../../base/heap.ts'
import { isId } from '../../base/id.ts'
import type { Exporting } from './exporting.ts'
import { badRequest } from './faults.ts'
import { TIME_MAX } from './parse-values.ts'

/** A position in a list, which is ordered by creation time and id. */
export interface Place {
  createdAt: Millis
  id: string
}

/** One record of a list with its position. */
export interface Entry<View> {
  place: Place
  /** Null: omitted, but counted as a record of the page. */
  view: View | null
}

/** Reads at most `limit` entries after a position, newest first, in one transaction. */
export type ReadEntries<View> = (after: Place | null, limit: number) => Promise<Entry<View>[]>

/** A list: its key in the response, and its query. */
export interface List<Key extends string, View> {
  key: Key
  /** The name in its cursors, which other lists refuse; the key by default. */
  name?: string
  /** Whether its ids are numbers and not UUIDs. */
  isNumbered?: boolean
  read: ReadEntries<View>
}

/** A page of a list; `nextCursor` is null on the last page. */
export type Page<Key extends string, View> = Record<Key, View[]> & { nextCursor: string | null }

const LIMIT_DEFAULT = 100
/** Records in memory at once, for a list of any length (engineering, 25). */
const BATCH = 1_000
/**
 * Records written at once. The text of a whole batch would not fit the young generation of the
 * heap and would stay until a full collection.
 */
const PIECE = 50

/** The part of a request that selects a page of a list, or its export. */
export interface PageRequest {
  limit?: number
  cursor?: string
  exporting?: Exporting | null
}

/**
 * Returns one page of a list with `limit` or `cursor`, otherwise streams all of it (decisions, 9);
 * an export is always the whole list. Refuses with BAD_REQUEST (cursor, or a page of an export).
 */
export async function answerList<Key extends string, View>(
  { limit, cursor, exporting = null }: PageRequest,
  { key, name = key, isNumbered = false, read }: List<Key, View>,
): Promise<Page<Key, View> | Readable> {
  if (exporting !== null) {
    refusePage({ limit, cursor })
    return exportList(exporting, read)
  }
  if (limit === undefined && cursor === undefined) return streamList(key, read)
  const most = limit ?? LIMIT_DEFAULT
  const after = cursor === undefined ? null : parseCursor(name, cursor, isNumbered)
  // One more record shows whether there is a next page.
  const entries = await read(after, most + 1)
  const shown = entries.slice(0, most)
  const last = entries.length > most ? shown.at(-1) : undefined
  return toPage(key, shown, last === undefined ? null : formatCursor(name, last.place))
}

/**
 * Streams a whole list as JSON. An error before the first record is returned as usual; a later one
 * closes the connection, so that half a list is never mistaken for all of it.
 */
export async function streamList<View>(key: string, read: ReadEntries<View>): Promise<Readable> {
  const first = await read(null, BATCH)
  return Readable.from(pieces(key, first, read))
}

/**
 * The same as lines. Neither format has an end mark: only a complete response ends properly.
 * Each batch is a transaction of its own and no snapshot is held, because a client that reads
 * slowly would keep a connection of the pool and its snapshot for hours. A record that existed at
 * the start is exported once, as it is when its batch is read.
 */
async function exportList<View>(exporting: Exporting, read: ReadEntries<View>): Promise<Readable> {
  const first = await read(null, BATCH)
  return Readable.from(exportedLines(exporting, first, read))
}

function refusePage(page: { limit: number | undefined; cursor: string | undefined }): void {
  const field = page.limit === undefined ? 'cursor' : 'limit'
  if (page[field] === undefined) return
  throw badRequest(field, `An export is the whole list: \`${field}\` is for JSON only.`)
}

async function* pieces<View>(
  key: string,
  first: Entry<View>[],
  read: ReadEntries<View>,
): AsyncGenerator<string> {
  yield `{${JSON.stringify(key)}:[`
  let between = ''
  for await (const views of viewsOf(first, read)) {
    yield between + views.map((view) => JSON.stringify(view)).join(',')
    between = ','
  }
  yield ']}'
}

async function* exportedLines<View>(
  { head, line }: Exporting,
  first: Entry<View>[],
  read: ReadEntries<View>,
): AsyncGenerator<string> {
  if (head !== '') yield head
  for await (const views of viewsOf(first, read)) yield views.map(line).join('')
}

/** The records of a list, at most `PIECE` at a time and never zero. */
async function* viewsOf<View>(
  first: Entry<View>[],
  read: ReadEntries<View>,
): AsyncGenerator<View[]> {
  for await (const batch of batches(first, read)) {
    for (let from = 0; from < batch.length; from += PIECE) {
      const piece = batch.slice(from, from + PIECE)
      const views = piece.flatMap(({ view }) => (view === null ? [] : [view]))
      if (views.length > 0) yield views
    }
  }
}

/** Reads batch by batch; a list of several batches keeps the heap from growing. */
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

/** The opaque cursor of a position in a list. */
export function formatCursor(list: string, { createdAt, id }: Place): string {
  return Buffer.from(`${list}.${createdAt}.${id}`).toString('base64url')
}

/** Reads a cursor of this list. Refuses any other text with BAD_REQUEST. */
export function parseCursor(list: string, text: string, isNumbered = false): Place {
  const [, time = '', id = ''] = Buffer.from(text, 'base64url').toString().split('.')
  const place = { createdAt: Number(time), id }
  const isTime = /^[0-9]{1,15}$/.test(time) && place.createdAt <= TIME_MAX
  const isOfList = isNumbered ? /^[1-9][0-9]{0,15}$/.test(id) : isId(id)
  if (isTime && isOfList && formatCursor(list, place) === text) return place
  throw badRequest('cursor', '`cursor` must be a `nextCursor` of this list.')
}
