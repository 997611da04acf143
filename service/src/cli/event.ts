import { DELIVERY_STATES, type DeliveryState, EVENT_TYPES, type EventType } from '@sluice/wire'
import { Command, InvalidArgumentError, Option } from 'commander'
import { parseTime as readTime } from '../api/http/parse-values.ts'
import { iso, type Millis } from '../base/clock.ts'
import { listEvents, findOwner, readEvent } from '../webhooks/list-events.ts'
import type { Database } from '../store/database.ts'
import type { EventFilter, StoredAttempt, StoredEvent } from '../webhooks/event.ts'
import { redeliverEvent, redeliverMatching } from '../webhooks/redeliver.ts'
import { actor, onGround, parseCount, parseId, print, table, tellCut } from './context.ts'
import { visibleValue } from './visible.ts'

const LIST_MAX = 100

interface FilterOptions {
  type?: EventType
  delivery?: DeliveryState
  from?: Millis
  to?: Millis
}

/** `sluice event`: what organizations were told, and whether it arrived. */
export function eventCommands(): Command {
  const event = new Command('event')
  filtered(event.command('list'))
    .requiredOption('--org <id>', 'the organization', parseId)
    .description('events of an organization, newest first, with their deliveries')
    .option('--limit <count>', 'at most', parseCount, LIST_MAX)
    .action(list)
  event
    .command('show')
    .argument('<event>', 'its id', parseId)
    .description('one event, with every attempt to deliver it and what came back')
    .action(show)
  filtered(event.command('redeliver'))
    .argument('[event]', 'its id; left out: all of an organization that match', parseId)
    .option('--org <id>', 'the organization', parseId)
    .description('send an event again, or all that match, under their own ids')
    .action(redeliver)
  return event
}

function filtered(command: Command): Command {
  return command
    .addOption(new Option('--type <type>', 'only of this type').choices(EVENT_TYPES))
    .addOption(new Option('--delivery <state>', 'only in this state').choices(DELIVERY_STATES))
    .option('--from <time>', 'only of this time or later, ISO 8601', parseTime)
    .option('--to <time>', 'only of this time or sooner, ISO 8601', parseTime)
}

/** As strict as the interface: a slip such as `5`, a month to Date, would send years again. */
function parseTime(text: string): Millis {
  try {
    return readTime('time', text)
  } catch {
    throw new InvalidArgumentError('It must be a time in ISO 8601, such as 2026-01-31T00:00:00Z.')
  }
}

function filterOf({ type, delivery, from, to }: FilterOptions): EventFilter {
  return {
    ...(type !== undefined && { type }),
    ...(delivery !== undefined && { delivery }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
}

async function list(
  options: FilterOptions & { org: string; limit: number },
  command: Command,
): Promise<void> {
  const { org: orgId, limit } = options
  const page = { orgId, filter: filterOf(options), place: null, limit }
  const events = await onGround(({ database }) =>
    database.transaction((tx) => listEvents(tx, page)),
  )
  const shown = events.map(plain)
  print(command, shown, () =>
    table(
      ['id', 'sequence', 'created', 'type', 'delivery', 'attempts', 'last answer', 'next attempt'],
      shown.map((one) => [
        one.id,
        String(one.sequence),
        one.createdAt,
        one.type,
        one.state,
        String(one.attempts),
        one.lastError || String(one.lastStatus ?? ''),
        one.nextAt ?? '',
      ]),
      'There are no such events.',
    ),
  )
  tellCut(shown, limit)
}

async function show(id: string, _options: object, command: Command): Promise<void> {
  const { event, attempts } = await onGround(({ database }) =>
    database.transaction(async (tx) => readEvent(tx, { orgId: await findOwner(tx, id), id })),
  )
  const shown = { ...plain(event), body: event.body, tries: attempts.map(tried) }
  print(command, shown, () => [
    ...Object.entries({ ...plain(event), body: event.body })
      .filter(([, value]) => value !== null && value !== '')
      .map(([name, value]) => `${name}: ${String(value)}`),
    ...table(
      ['attempt', 'began', 'ms', 'status', 'url', 'error'],
      attempts
        .map(tried)
        .map((one) => [
          String(one.number),
          one.startedAt,
          String(one.durationMs),
          String(one.status ?? ''),
          one.url,
          one.error,
        ]),
      'No attempt is on record.',
    ),
    ...attempts.flatMap(exchanged),
  ])
}

/** What was sent in an attempt beside the event's body, and what came back: a stranger's text. */
function exchanged({ number, requestHeaders, responseHeaders, responseBody }: StoredAttempt) {
  const headers = (of: Record<string, string>) =>
    Object.entries(of).map(([name, value]) => `${name}: ${value}`)
  const part = (title: string, lines: readonly string[]) =>
    lines.length === 0
      ? []
      : [`attempt ${number}, ${title}:`, ...lines.map((line) => `  ${visibleValue(line)}`)]
  const answer = responseBody === '' ? [] : responseBody.split('\n')
  return [
    ...part('request', headers(requestHeaders)),
    ...part('answer', [...headers(responseHeaders), ...answer]),
  ]
}

async function redeliver(
  id: string | undefined,
  options: FilterOptions & { org?: string },
  command: Command,
): Promise<void> {
  const { org: orgId } = options
  const filter = filterOf(options)
  const work = () => {
    if (id !== undefined) return onGround(({ database }) => redeliverOne(database, id))
    if (orgId !== undefined && Object.keys(filter).length > 0)
      return onGround(({ database }) => redeliverMany(database, { orgId, filter }))
    throw new InvalidArgumentError('Name an event, or --org and a filter: --delivery failed.')
  }
  const told = await work()
  print(command, told, () => [
    `${told.count} events are sent again; ${told.underWay} were being sent just now.`,
  ])
}

interface Told {
  count: number
  underWay: number
}

async function redeliverOne(database: Database, id: string): Promise<Told> {
  const { isSent } = await database.transaction(async (tx) => {
    const orgId = await findOwner(tx, id)
    return redeliverEvent(tx, { orgId, id, actor: actor() })
  })
  return isSent ? { count: 1, underWay: 0 } : { count: 0, underWay: 1 }
}

async function redeliverMany(
  database: Database,
  given: { orgId: string; filter: EventFilter },
): Promise<Told> {
  const progress = redeliverMatching({ ...given, actor: actor() }, (work) =>
    database.transaction(work),
  )
  let told: Told = { count: 0, underWay: 0 }
  for await (const { count, underWay } of progress) told = { count, underWay }
  return told
}

function plain({ body: _body, createdAt, nextAt, finishedAt, ...rest }: StoredEvent) {
  return {
    ...rest,
    createdAt: iso(createdAt),
    nextAt: nextAt === null ? null : iso(nextAt),
    finishedAt: finishedAt === null ? null : iso(finishedAt),
  }
}

function tried({ startedAt, finishedAt, ...rest }: StoredAttempt) {
  return {
    ...rest,
    startedAt: iso(startedAt),
    finishedAt: iso(finishedAt),
    durationMs: finishedAt - startedAt,
  }
}
