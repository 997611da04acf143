import {
  DELIVERY_STATES,
  type DeliveryState,
  EVENT_COUNT_MAX,
  EVENT_TYPES,
  type EventType,
} from '@sluice/wire'
import { Command, InvalidArgumentError, Option } from 'commander'
import { parseTime as readTime } from '../api/http/parse-values.ts'
import { iso, type Millis } from '../base/clock.ts'
import { listEvents, findOwner, readEvent } from '../webhooks/list-events.ts'
import type { Database } from '../store/database.ts'
import type { EventFilter, StoredAttempt, StoredEvent } from '../webhooks/event.ts'
import { countMatching, redeliverEvent, redeliverMatching } from '../webhooks/redeliver.ts'
import { actor, onGround, parseCount, parseId, print, table, warnIfCut } from './context.ts'
import { visibleValue } from './visible.ts'

const LIST_MAX = 100

interface FilterOptions {
  type?: EventType
  delivery?: DeliveryState
  endpoint?: string
  from?: Millis
  to?: Millis
}

/** `sluice event`: lists, shows and redelivers events. */
export function eventCommands(): Command {
  const event = new Command('event')
  filtered(event.command('list'))
    .requiredOption('--org <id>', 'the organization', parseId)
    .description('list events of an organization with their deliveries, newest first')
    .option('--limit <count>', 'maximum number of rows', parseCount, LIST_MAX)
    .action(list)
  filtered(event.command('count'))
    .requiredOption('--org <id>', 'the organization', parseId)
    .description('count events of an organization, and those that a redelivery sends')
    .action(showCount)
  event
    .command('show')
    .argument('<event>', 'its id', parseId)
    .description('show an event with every delivery attempt and its answer')
    .action(show)
  filtered(event.command('redeliver'))
    .argument('[event]', 'its id; without it, all matching events of an organization', parseId)
    .option('--org <id>', 'the organization', parseId)
    .description('redeliver an event, or all matching events, under their own ids')
    .action(redeliver)
  return event
}

function filtered(command: Command): Command {
  return command
    .addOption(new Option('--type <type>', 'of this type only').choices(EVENT_TYPES))
    .addOption(new Option('--delivery <state>', 'in this state only').choices(DELIVERY_STATES))
    .option(
      '--endpoint <id>',
      'deliveries to this webhook endpoint; default: the default one',
      parseId,
    )
    .option('--from <time>', 'at or after this time, ISO 8601', parseTime)
    .option('--to <time>', 'at or before this time, ISO 8601', parseTime)
}

/** As strict as the HTTP interface: `Date` would read a typo such as `5` as a month. */
function parseTime(text: string): Millis {
  try {
    return readTime('time', text)
  } catch {
    throw new InvalidArgumentError('It must be a time in ISO 8601, such as 2026-01-31T00:00:00Z.')
  }
}

function filterOf({ type, delivery, endpoint: endpointId, from, to }: FilterOptions): EventFilter {
  return {
    ...(type !== undefined && { type }),
    ...(delivery !== undefined && { delivery }),
    ...(endpointId !== undefined && { endpointId }),
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
      'No matching events.',
    ),
  )
  warnIfCut(shown, limit)
}

async function showCount(
  options: FilterOptions & { org: string },
  command: Command,
): Promise<void> {
  const counting = { orgId: options.org, filter: filterOf(options), max: EVENT_COUNT_MAX }
  const counted = await onGround(({ database }) =>
    database.transaction((tx) => countMatching(tx, counting)),
  )
  const least = counted.isAtLeast ? 'at least ' : ''
  print(command, counted, () => [
    `${least}${counted.count} events match; a redelivery sends ${least}${counted.redeliverable}.`,
  ])
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
      ['endpoint', 'attempt', 'began', 'ms', 'status', 'url', 'error'],
      attempts
        .map(tried)
        .map((one) => [
          one.endpointId,
          String(one.number),
          one.startedAt,
          String(one.durationMs),
          String(one.status ?? ''),
          one.url,
          one.error,
        ]),
      'No attempts yet.',
    ),
    ...attempts.flatMap(exchanged),
  ])
}

/** The headers of an attempt and the receiver's answer, which is untrusted text. */
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
  const { endpointId, ...conditions } = filter
  const work = () => {
    if (id !== undefined) return onGround(({ database }) => redeliverOne(database, id, endpointId))
    if (orgId !== undefined && Object.keys(conditions).length > 0)
      return onGround(({ database }) => redeliverMany(database, { orgId, filter }))
    throw new InvalidArgumentError(
      'An event id is missing. Give one, or --org and a filter such as --delivery failed.',
    )
  }
  const told = await work()
  print(command, told, () => [
    `Redelivering ${told.count} events; ${told.underWay} were in delivery already.`,
  ])
}

interface Told {
  count: number
  underWay: number
}

async function redeliverOne(
  database: Database,
  id: string,
  endpointId: string | undefined,
): Promise<Told> {
  const { isSent } = await database.transaction(async (tx) => {
    const orgId = await findOwner(tx, id)
    return redeliverEvent(tx, { orgId, id, endpointId: endpointId ?? orgId, actor: actor() })
  })
  return isSent ? { count: 1, underWay: 0 } : { count: 0, underWay: 1 }
}

async function redeliverMany(
  database: Database,
  options: { orgId: string; filter: EventFilter },
): Promise<Told> {
  const progress = redeliverMatching({ ...options, actor: actor() }, (work) =>
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
