import type { Client, DeliveryAttempt, EndpointTest, RecordedEvent } from '@sluice/client'
import { dayRange } from './days.ts'
import { userHref } from './user-path.ts'

/** The filters of the delivery log. */
export const EVENT_FILTERS = ['type', 'delivery', 'endpointId', 'subjectId', 'from', 'to'] as const
export type EventFilters = Partial<Record<(typeof EVENT_FILTERS)[number], string>>
type Filter = NonNullable<Parameters<Client['events']['list']>[0]>
type Resend = Parameters<Client['events']['redeliverAll']>[0]
/** One event, with its deliveries and their attempts. */
export type WholeEvent = Awaited<ReturnType<Client['events']['get']>>
/** The step of an attempt that failed. */
export type DeliveryStep = NonNullable<EndpointTest['failedStep']>

/** The query of a filter. */
export function toQuery({ from, to, ...rest }: EventFilters): Filter {
  return { ...rest, ...dayRange({ from, to }) } as Filter
}

/** The request that sends the events of a filter again; without a filter, all of them. */
export function resendOf(filters: EventFilters): Resend {
  const { endpointId, ...conditions } = toQuery(filters)
  const isAll = Object.keys(conditions).length === 0
  return {
    ...conditions,
    ...(endpointId !== undefined && { endpointId }),
    ...(isAll && { after: 0 }),
  }
}

/** The record that an event is about, and the address of its page. */
export interface Subject {
  kind:
    | 'deposit'
    | 'withdrawal'
    | 'account'
    | 'chain'
    | 'settings'
    | 'webhook'
    | 'sweep'
    | 'transaction'
  /** Null if it has no page. */
  href: string | null
}

/** Reads the subject of an event by its type; that of a balance by the cause of the change. */
export function subjectOf(event: Pick<RecordedEvent, 'type' | 'subjectId' | 'payload'>): Subject {
  const { subjectId } = event
  switch (event.type.split('.')[0]) {
    case 'deposit':
    case 'withdrawal':
      return recordOf(event.type.startsWith('d') ? 'deposit' : 'withdrawal', subjectId)
    case 'balance':
      return causeOf('reason' in event.payload ? event.payload.reason : '', subjectId)
    case 'account':
      return { kind: 'account', href: accountHref(event.payload) }
    case 'settings':
      return { kind: 'settings', href: '/settings' }
    case 'webhook':
      return { kind: 'webhook', href: '/webhooks' }
    default:
      return { kind: 'chain', href: '/chains' }
  }
}

function causeOf(reason: string, subjectId: string): Subject {
  if (reason === 'deposit' || reason === 'reversal') return recordOf('deposit', subjectId)
  if (reason === 'withdrawal') return recordOf('withdrawal', subjectId)
  return { kind: reason === 'sweep' ? 'sweep' : 'transaction', href: null }
}

/** The end user of a payload; null if it names none. */
export function userOf(payload: RecordedEvent['payload']): string | null {
  return 'externalUserId' in payload ? payload.externalUserId : null
}

function accountHref(payload: RecordedEvent['payload']): string | null {
  const userId = userOf(payload)
  return userId === null ? null : userHref(userId)
}

function recordOf(kind: 'deposit' | 'withdrawal', id: string): Subject {
  return { kind, href: `/${kind}s/${encodeURIComponent(id)}` }
}

/** The beginning of an error by the step that it names. */
const STEP_OF: readonly (readonly [beginning: string, step: DeliveryStep])[] = [
  ['name service: ', 'nameResolution'],
  ['connect: ', 'connection'],
  ['receiver: ', 'connection'],
  ['TLS: ', 'tls'],
  ['The webhook URL ', 'check'],
]

/** Whether the receiver accepted an attempt: a complete answer with a status from 200 to 299. */
export function isAccepted({ response, error }: Pick<DeliveryAttempt, 'response' | 'error'>) {
  return response !== null && response.status >= 200 && response.status < 300 && error === ''
}

/** The step in which an attempt failed; null if it was accepted. */
export function failedStepOf(
  attempt: Pick<DeliveryAttempt, 'request' | 'response' | 'error'>,
): DeliveryStep | null {
  const { request, response, error } = attempt
  if (isAccepted(attempt)) return null
  if (response !== null) return /^(answered \d+|$)/.test(error) ? 'status' : 'response'
  const named = STEP_OF.find(([beginning]) => error.startsWith(beginning))?.[1]
  const isSigned = request.headers['x-webhook-signature'] !== undefined
  return named ?? (isSigned ? 'response' : 'check')
}

/** The headers of a request that a receiver checks, in the order of the documentation. */
export const SIGNATURE_HEADERS = [
  'x-webhook-signature',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
] as const

/** The number of bytes of a text in UTF-8. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}

/** Indented JSON of a text; the text itself if it is no JSON. */
export function prettyOf(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
