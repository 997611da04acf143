import type { SimWorld } from '../world.ts'

/** I13: numbers have no gaps, each step emits one event, and every webhook has its event. */
export async function checkEvents(world: SimWorld): Promise<string[]> {
  const wrongs: string[] = []
  const rows = await world.looker.rows(`
    select id, org_id as org, sequence::int as sequence, type, subject_id as subject
      from events order by org_id, sequence`)
  const ids = new Set(rows.map(({ id }) => String(id)))
  for (const id of world.books.received.keys())
    if (!ids.has(id)) wrongs.push(`I13: webhook ${id} has no stored event`)
  const last = new Map<string, number>()
  const told = new Map<string, number>()
  for (const { org, sequence, type, subject } of rows) {
    const before = last.get(String(org)) ?? 0
    if (sequence !== before + 1) wrongs.push(`I13: event ${String(sequence)} after ${before}`)
    last.set(String(org), Number(sequence))
    const key = `${String(type)} ${String(subject)}`
    told.set(key, (told.get(key) ?? 0) + 1)
  }
  for (const { id, status, reference, spend } of world.books.picture?.withdrawals ?? []) {
    if (world.books.tampered.has(id)) continue
    const of = (type: string) => told.get(`withdrawal.${type} ${id}`) ?? 0
    const want = (type: string, times: number) => {
      if (of(type) !== times)
        wrongs.push(`I13: ${of(type)} × withdrawal.${type} of ${reference}, ${status}`)
    }
    want('created', 1)
    want('completed', status === 'Completed' ? 1 : 0)
    want('failed', status === 'Failed' ? 1 : 0)
    want('cancelled', status === 'Cancelled' ? 1 : 0)
    want('processing', spend === null ? 0 : 1)
    if (spend !== null && of('approved') < 1)
      wrongs.push(`I13: no event says that ${reference} was approved`)
  }
  wrongs.push(...(await givenUp(world)), ...(await forgotten(world)), ...doubled(world))
  wrongs.push(...ofDeposits(world, rows), ...(await ofAccounts(world, told)))
  return wrongs
}

/** Possible next events of a deposit by its last event; its last event matches its status. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  reverted: ['detected'],
  detected: ['confirmed', 'held', 'reverted'],
  // After an audit as witness, or a release by an operator, only the credit emits an event.
  held: ['confirmed', 'held', 'reverted'],
  confirmed: ['reverted'],
}
const LAST: Readonly<Record<string, readonly string[]>> = {
  Detected: ['detected', 'held'],
  BelowMinimum: ['detected', 'held'],
  Held: ['held'],
  Confirmed: ['confirmed'],
  Orphaned: ['reverted'],
}

function ofDeposits(
  { books }: SimWorld,
  rows: readonly Readonly<Record<string, unknown>>[],
): string[] {
  const wrongs: string[] = []
  const last = new Map<string, string>()
  for (const { type, subject } of rows) {
    const [, what = ''] = /^deposit\.(.*)/.exec(String(type)) ?? []
    if (what === '') continue
    const before = last.get(String(subject)) ?? 'reverted'
    if (NEXT[before]?.includes(what) !== true)
      wrongs.push(`I13: deposit ${String(subject)} emitted ${what} after ${before}`)
    last.set(String(subject), what)
  }
  for (const { id, status } of books.picture?.deposits ?? []) {
    const said = last.get(id) ?? 'nothing'
    if (LAST[status]?.includes(said) !== true)
      wrongs.push(`I13: deposit ${id} is ${status}, but its last event is ${said}`)
  }
  return wrongs
}

/** Each new account emits one event, and no other account does. */
async function ofAccounts(
  { looker }: SimWorld,
  told: ReadonlyMap<string, number>,
): Promise<string[]> {
  const rows = await looker.rows('select id from accounts')
  const made = new Set(rows.map(({ id }) => `account.created ${String(id)}`))
  const said = [...told.keys()].filter((key) => key.startsWith('account.created '))
  return [
    ...[...made]
      .filter((key) => told.get(key) !== 1)
      .map((key) => `I13: ${told.get(key) ?? 0} × ${key}`),
    ...said.filter((key) => !made.has(key)).map((key) => `I13: no account ${key}`),
  ]
}

/** Each event has a delivery from its commit on, and the last event is counted. */
async function forgotten({ looker }: SimWorld): Promise<string[]> {
  const events = await looker.rows(`
    select e.id, e.type
      from events e
      join webhook_endpoints w on w.org_id = e.org_id
      left join deliveries d
        on d.org_id = e.org_id and d.event_id = e.id and d.endpoint_id = w.id
     where d.event_id is null
       and w.url <> ''`)
  const counters = await looker.rows(`
    select org_id as org, last_sequence::int as counted,
           (select coalesce(max(sequence), 0) from events e where e.org_id = c.org_id)::int as last
      from event_counters c`)
  return [
    ...events.map(({ id, type }) => `I13: ${String(type)} ${String(id)} has no delivery`),
    ...counters
      .filter(({ counted, last }) => counted !== last)
      .map(
        ({ counted, last }) => `I13: ${Number(last)} is the last event, ${Number(counted)} counted`,
      ),
  ]
}

/** Without faults of deliveries an event arrives once, and once more for each redelivery. */
function doubled({ drawn, books }: SimWorld): string[] {
  const { kill, commitLost, pause, receiver } = drawn
  if (kill + commitLost + pause + receiver > 0) return []
  const wishes = new Map<string, number>()
  for (const { id } of books.resent) wishes.set(id, (wishes.get(id) ?? 0) + 1)
  return [...books.received]
    .filter(([id, { times }]) => times > 1 + (wishes.get(id) ?? 0))
    .map(([id, { times }]) => `I13: ${id} came ${times} times, wanted ${wishes.get(id) ?? 0} more`)
}

/** A delivery is given up only after all attempts; a redelivery starts the count again. */
async function givenUp({ looker }: SimWorld): Promise<string[]> {
  const rows = await looker.rows(
    `select event_id as id, attempts from deliveries
      where state = 'failed' and attempts < attempts_max`,
  )
  return rows.map(
    ({ id, attempts }) => `I13: ${String(id)} was given up after ${Number(attempts)} attempts`,
  )
}
