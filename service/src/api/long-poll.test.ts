import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type Answered,
  type Asking,
  listenLow,
  openDoor,
  refusalIn,
} from '../../test/support/door.ts'
import { eventsIn, type EventDesk, openEventDesk } from '../../test/support/event-desk.ts'
import { addPerson, officeOf, signIn } from '../../test/support/sign-in.ts'
import { Outage } from '../base/fault.ts'

const POLL_MS = 250
/** The limits of its handler and of its wait. */
const SLEEPERS_OF_WAIT = 2
/** More than the connections of the pool. */
const MANY = 30
const WAITS_OF_ORG_MAX = 100

let desk: EventDesk
let idle: number
beforeAll(async () => {
  desk = await openEventDesk()
})
afterAll(() => desk.close())
beforeEach(async () => {
  await desk.begin()
  idle = clock().sleeping
})
afterEach(async () => {
  // The loop ends with the last wait.
  await clock().advance(POLL_MS)
  expect(clock().sleeping).toBe(idle)
})

const clock = () => desk.door.harness.clock
const numbersIn = ({ json }: Answered) => eventsIn(json).map(({ sequence }) => sequence)

/** Resolves when so many requests wait for events; one loop polls for all of them. */
async function untilWaiting(count: number): Promise<void> {
  const sleeping = idle + SLEEPERS_OF_WAIT * count + 1
  await vi.waitFor(() => expect(clock().sleeping).toBe(sleeping), 30_000)
}

/** Starts requests and resolves when they wait. */
async function startWaiting(
  query: string,
  { count = 1, asking = { key: desk.tenant.key } }: { count?: number; asking?: Asking } = {},
): Promise<Promise<Answered>[]> {
  const answers = Array.from({ length: count }, () => desk.door.ask(`/events?${query}`, asking))
  await untilWaiting(count)
  return answers
}

describe('GET /events with wait', () => {
  test('answers at once with events that exist, and on pages', async () => {
    await desk.tell(3)
    expect(numbersIn(await desk.ask('/events?after=0&wait=30'))).toEqual([1, 2, 3])
    const first = await desk.ask('/events?after=0&wait=30&limit=2')
    expect(numbersIn(first)).toEqual([1, 2])
    const cursor = String(first.json['nextCursor'])
    const second = await desk.ask(`/events?after=0&wait=30&limit=2&cursor=${cursor}`)
    expect([numbersIn(second), second.json['nextCursor']]).toEqual([[3], null])
  })

  test('answers at once without events when wait is 0', async () => {
    expect((await desk.ask('/events?after=0&wait=0')).json).toEqual({ events: [] })
    expect((await desk.ask('/events?wait=0')).json).toEqual({ events: [] })
  })

  test.each(['', '&limit=5'])('answers as soon as there is an event (%s)', async (page) => {
    await desk.tell(2)
    const answers = await startWaiting(`after=2&wait=25${page}`, { count: 2 })
    await desk.tell(1)
    await clock().advance(POLL_MS)
    for (const answer of answers) expect(numbersIn(await answer)).toEqual([3])
  })

  test('answers with an empty list after the longest wait', async () => {
    const [answer] = await startWaiting('after=0&wait=30&limit=5')
    await clock().advance(30_000)
    const { status, json } = (await answer) ?? {}
    expect([status, json]).toEqual([200, { events: [], nextCursor: null }])
  })

  test('keeps waiting while events do not match the filter', async () => {
    const [answer] = await startWaiting('after=0&wait=25&type=account.created')
    for (let at = 0; at < 3; at += 1) {
      await desk.tell(1)
      await clock().advance(POLL_MS)
      await untilWaiting(1)
    }
    await desk.issue('ann')
    await clock().advance(POLL_MS)
    expect(eventsIn((await answer)?.json ?? {})).toMatchObject([
      { type: 'account.created', sequence: 4 },
    ])
  })

  test('lists what matches at the end, although a changed delivery does not end it', async () => {
    desk.receiver.behave({ do: 'answer', status: 200 })
    await desk.point('/in')
    await desk.tell(1)
    const [answer] = await startWaiting('after=0&wait=2&delivery=delivered&type=gas.low')
    await desk.deliver()
    await clock().advance(2_000)
    expect(eventsIn((await answer)?.json ?? {})).toMatchObject([{ type: 'gas.low' }])
  })

  test('is not answered by an event of another organization', async () => {
    const other = await desk.door.found('Other')
    const [mine, theirs] = [
      desk.ask('/events?after=0&wait=25'),
      desk.door.ask('/events?after=0&wait=25', { key: other.key }),
    ]
    await untilWaiting(2)
    await desk.tell(1)
    await clock().advance(POLL_MS)
    expect(eventsIn((await mine).json)).toMatchObject([{ orgId: desk.tenant.orgId }])
    await clock().advance(25_000)
    expect((await theirs).json).toEqual({ events: [] })
  })

  test('holds no connection to the database', async () => {
    const answers = await startWaiting('after=0&wait=25', { count: MANY })
    expect((await desk.ask('/chains')).status).toBe(200)
    await desk.tell(1)
    await clock().advance(POLL_MS)
    for (const answer of answers) expect(numbersIn(await answer)).toEqual([1])
  })

  test('answers at once when too many requests of the organization wait', async () => {
    const answers = await startWaiting('after=0&wait=25', { count: WAITS_OF_ORG_MAX })
    expect((await desk.ask('/events?after=0&wait=25')).json).toEqual({ events: [] })
    const other = await desk.door.found('Other')
    const theirs = desk.door.ask('/events?after=0&wait=1', { key: other.key })
    await untilWaiting(WAITS_OF_ORG_MAX + 1)
    await clock().advance(25_000)
    await Promise.all([theirs, ...answers])
  })

  test('is refused if the session ended during the wait', async () => {
    const { orgId } = desk.tenant
    const person = await addPerson(officeOf(desk.door), { orgId, role: 'viewer' })
    const asking = await signIn(desk.door, person)
    const [answer] = await startWaiting('after=0&wait=25', { asking })
    expect((await desk.door.ask('/auth/logout', { ...asking, method: 'POST' })).status).toBe(200)
    await desk.tell(1)
    await clock().advance(POLL_MS)
    const refused = await answer
    expect(refused && refusalIn(refused)).toMatchObject({ error: 'INVALID_TOKEN' })
  })

  test.each([
    ['wait=31&after=0', 'wait'],
    ['wait=-1&after=0', 'wait'],
    ['wait=1.5&after=0', 'wait'],
    ['wait=&after=0', 'wait'],
    ['wait=25', 'after'],
  ])('refuses with BAD_REQUEST: %s', async (query, field) => {
    const answer = await desk.ask(`/events?${query}`)
    expect(refusalIn(answer)).toMatchObject({ error: 'BAD_REQUEST', details: { field } })
  })

  test('is for JSON only', async () => {
    for (const accept of ['text/csv', 'application/x-ndjson']) {
      const asking = { key: desk.tenant.key, headers: { accept } }
      const answer = await desk.door.ask('/events?after=0&wait=25', asking)
      expect(refusalIn(answer)).toMatchObject({ details: { field: 'wait' } })
      expect((await desk.door.ask('/events?after=0&wait=0', asking)).status).toBe(200)
    }
  })
})

test('a wait survives an outage of the database', async () => {
  const { door } = desk
  let isDown = false
  const database: typeof door.deps.database = {
    ...door.deps.database,
    transaction: async (work) => {
      if (isDown) throw new Outage('database', 'connection refused')
      return door.deps.database.transaction(work)
    },
  }
  const answer = door.askWith({ database }, '/events?after=0&wait=25', { key: desk.tenant.key })
  await untilWaiting(1)
  isDown = true
  await clock().advance(4 * POLL_MS)
  await desk.tell(1)
  isDown = false
  await clock().advance(POLL_MS)
  expect(numbersIn(await answer)).toEqual([1])
})

test('a request that its client aborts no longer waits', async () => {
  const at = await listenLow(desk.door)
  const client = new AbortController()
  const answer = fetch(`${at}/events?after=0&wait=25`, {
    headers: { 'x-api-key': desk.tenant.key },
    signal: client.signal,
  })
  await untilWaiting(1)
  client.abort()
  await expect(answer).rejects.toThrow('aborted')
  // The loop still sleeps.
  await vi.waitFor(() => expect(clock().sleeping).toBe(idle + 1), 30_000)
})

test('a stop answers the requests that wait', async () => {
  const door = await openDoor()
  const at = await listenLow(door)
  const headers = { 'x-api-key': door.a.key }
  const answer = fetch(`${at}/events?after=7&wait=25`, { headers })
  const { clock: time } = door.harness
  await vi.waitFor(() => expect(time.sleeping).toBe(SLEEPERS_OF_WAIT + 1), 30_000)
  await door.close()
  const { status, headers: received } = await answer
  expect([status, received.get('connection')]).toEqual([200, 'close'])
  expect(time.sleeping).toBe(0)
})
