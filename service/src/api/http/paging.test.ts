import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../base/fault.ts'
import { type Entry, type Place, answerList, formatCursor, parseCursor } from './paging.ts'

const ID = '019b76da-a800-727f-9c1f-726b6803abac'

describe('a cursor', () => {
  test('is parsed to its position', () => {
    const times = fc.integer({ min: 0, max: 253_402_300_799_999 })
    fc.assert(
      fc.property(times, fc.uuid(), (createdAt, id) => {
        expect(parseCursor('all', formatCursor('all', { createdAt, id }))).toEqual({
          createdAt,
          id,
        })
      }),
    )
  })

  const encoded = (text: string) => Buffer.from(text).toString('base64url')
  test.each([
    '',
    'x',
    ID,
    '%00',
    encoded(''),
    encoded(ID),
    encoded(`1.${ID}`),
    encoded(`payments.1.${ID}`),
    encoded(`.1.${ID}`),
    encoded(`all.all.1.${ID}`),
    encoded(`all.1.${ID}.1`),
    encoded(`all.-1.${ID}`),
    encoded(`all.1e3.${ID}`),
    encoded(`all.01.${ID}`),
    encoded(`all.253402300800000.${ID}`),
    encoded(`all.9999999999999999.${ID}`),
    encoded(`all.NaN.${ID}`),
    encoded(`all.1.${ID.toUpperCase()}`),
    encoded("all.1.' or 1=1 --"),
    `${encoded(`all.1.${ID}`)}=`,
    `${encoded(`all.1.${ID}`)} `,
    Buffer.from(`all.1.${ID}??>>`).toString('base64'),
    'A'.repeat(10_000),
  ])('not issued by the service is refused: %s [V06]', (text) => {
    expect(() => parseCursor('all', text)).toThrow(Refusal)
  })

  test('of any text is a position or refused [V06]', () => {
    fc.assert(
      fc.property(fc.base64String(), (text) => {
        try {
          expect(formatCursor('all', parseCursor('all', text))).toBe(text)
        } catch (error) {
          expect(error).toMatchObject({ code: 'BAD_REQUEST', details: { field: 'cursor' } })
        }
      }),
    )
  })
})

test('a cursor of another list is refused [V06]', async () => {
  const cursor = formatCursor('payments', { createdAt: 1, id: ID })
  const list = { key: 'withdrawals', read: async () => [] }
  await expect(answerList({ cursor }, list)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    details: { field: 'cursor' },
  })
  const feed = { key: 'events', name: 'feed', read: async () => [] }
  const downwards = formatCursor('events', { createdAt: 1, id: ID })
  await expect(answerList({ cursor: downwards }, feed)).rejects.toThrow(Refusal)
})

describe('a list', () => {
  test('pages every record exactly once while new ones arrive', async () => {
    const sizes = fc.integer({ min: 1, max: 7 })
    // Few different times, so most records share a time.
    const times = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(times, sizes, async (before, limit) => {
        const shelf = new Shelf(before)
        const expected = shelf.newestFirst()
        const found: string[] = []
        let cursor: string | undefined
        do {
          const given = { limit, ...(cursor === undefined ? {} : { cursor }) }
          const page = await answerList(given, { key: 'all', read: shelf.read })
          if (!('nextCursor' in page)) throw new Error('stream instead of a page')
          expect(page.all.length).toBeLessThanOrEqual(limit)
          found.push(...page.all)
          cursor = page.nextCursor ?? undefined
          shelf.add(5)
        } while (cursor !== undefined)
        expect(found).toEqual(expected)
      }),
    )
  })

  test('has pages of a hundred when only a cursor is sent', async () => {
    const shelf = new Shelf(Array.from({ length: 150 }, (_, at) => at))
    const cursor = formatCursor('all', { createdAt: 1_000, id: ID })
    const page = await answerList({ cursor }, { key: 'all', read: shelf.read })
    expect(page).toMatchObject({ all: { length: 100 }, nextCursor: expect.any(String) })
  })

  test('is complete without paging, in batches of a thousand, without a cursor', async () => {
    const shelf = new Shelf(Array.from({ length: 2_500 }, (_, at) => at % 100))
    const stream = await answerList({}, { key: 'all', read: shelf.read })
    const text = await textOf(stream)
    expect(JSON.parse(text)).toEqual({ all: shelf.newestFirst() })
    expect(shelf.asked).toEqual([1_000, 1_000, 1_000])
  })

  test.each([0, 1, 999, 1_000, 1_001, 2_000])('%i records are whole JSON', async (count) => {
    const shelf = new Shelf(Array.from({ length: count }, () => 1))
    const text = await textOf(await answerList({}, { key: 'all', read: shelf.read }))
    expect(JSON.parse(text)).toEqual({ all: shelf.newestFirst() })
  })

  test('is read only as far as the client reads', async () => {
    const shelf = new Shelf(Array.from({ length: 20_000 }, () => 1))
    const stream = await answerList({}, { key: 'all', read: shelf.read })
    const pieces = iteratorOf(stream)
    await pieces.next()
    await pieces.next()
    expect(shelf.asked.length).toBeLessThan(5)
    await pieces.return?.()
  })

  test('returns the usual error when it fails before the first record', async () => {
    const read = async () => Promise.reject(new Refusal('SERVICE_UNAVAILABLE'))
    await expect(answerList({}, { key: 'all', read })).rejects.toThrow(Refusal)
  })
})

/** Records in memory, read in the order of the database. */
class Shelf {
  readonly asked: number[] = []
  #next = 0
  readonly #entries: Entry<string>[] = []

  constructor(times: readonly number[]) {
    for (const time of times) this.add(time)
  }

  add(createdAt: number): void {
    this.#next += 1
    const id = `00000000-0000-7000-8000-${this.#next.toString(16).padStart(12, '0')}`
    this.#entries.push({ place: { createdAt, id }, view: id })
  }

  newestFirst(): string[] {
    return this.#sorted().flatMap(({ view }) => (view === null ? [] : [view]))
  }

  read = async (after: Place | null, limit: number): Promise<Entry<string>[]> => {
    this.asked.push(limit)
    const below = this.#sorted().filter(({ place }) => after === null || isBelow(place, after))
    return below.slice(0, limit)
  }

  #sorted(): Entry<string>[] {
    return [...this.#entries].sort((a, b) => (isBelow(a.place, b.place) ? 1 : -1))
  }
}

function isBelow(a: Place, b: Place): boolean {
  return a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id)
}

async function textOf(stream: object): Promise<string> {
  let text = ''
  const pieces = iteratorOf(stream)
  for (;;) {
    const { done, value } = await pieces.next()
    if (done) return text
    text += String(value)
  }
}

function iteratorOf(stream: object): AsyncIterator<unknown> {
  if (!(Symbol.asyncIterator in stream)) throw new Error('no stream')
  const open = stream[Symbol.asyncIterator]
  if (typeof open !== 'function') throw new Error('no stream')
  return open.call(stream)
}
