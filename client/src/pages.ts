import { SluiceAnswerError } from './errors.ts'
import type { QueryValue } from './operation.ts'

/** Part of a list. */
export interface Page<Item> {
  items: Item[]
  /** Give it as `cursor` for the next page; null where this is the last. */
  nextCursor: string | null
}

/** Which part of a list. */
export interface PageOptions {
  /** The maximum number of records, 1 to 500; 100 by default. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
}

/** The largest page of the service, used to iterate over a whole list. */
const PAGE_SIZE_MAX = 500
const PAGE_SIZE = 100

/** A page from the answer of a list. */
export function toPage<Item>(items: Item[], nextCursor: string | null | undefined): Page<Item> {
  return { items, nextCursor: nextCursor ?? null }
}

/** The query of a page; without a limit the service would answer with the whole list. */
export function paged(filter: PageOptions = {}): Record<string, QueryValue> {
  return { ...filter, limit: filter.limit ?? PAGE_SIZE }
}

/**
 * Returns every record of a list. Requests the next page after the last record of the previous
 * one, so memory holds a single page, and no page is requested after the loop was left.
 */
export async function* eachOf<Item>(
  read: (part: PageOptions) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | null = null
  do {
    const page: Page<Item> = await read({
      limit: PAGE_SIZE_MAX,
      ...(cursor !== null && { cursor }),
    })
    yield* page.items
    if (page.nextCursor !== null && page.nextCursor === cursor) throw circle(cursor)
    cursor = page.nextCursor
  } while (cursor !== null)
}

function circle(cursor: string): SluiceAnswerError {
  const message = 'the list points to the page that it came from'
  return new SluiceAnswerError({ status: 200, message, excerpt: cursor, retryAfterSeconds: null })
}
