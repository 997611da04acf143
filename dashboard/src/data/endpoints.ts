import type { WebhookEndpoint } from '@sluice/client'
import { t } from '../text/text.ts'
import { contains } from './local-list.ts'

/** The conditions of an endpoint, as the list shows them. */
export const CONDITIONS = ['active', 'failing', 'paused', 'tampered', 'unset'] as const
/** The condition of an endpoint: its state, or that its receiver fails or it has no URL. */
export type Condition = (typeof CONDITIONS)[number]

/** The filters of the list. */
export interface EndpointFilter {
  q?: string
  state?: string
}

/** The endpoints that match a filter. */
export function matching(
  endpoints: readonly WebhookEndpoint[],
  { q, state }: EndpointFilter,
): readonly WebhookEndpoint[] {
  return endpoints.filter(
    (one) => contains(q, [one.url, one.id]) && (state === undefined || conditionOf(one) === state),
  )
}

/** The condition of an endpoint. A pause or a tampered row matters more than failures. */
export function conditionOf({
  url,
  state,
  failingSince,
}: Pick<WebhookEndpoint, 'url' | 'state' | 'failingSince'>): Condition {
  if (state !== 'active') return state
  if (url === '') return 'unset'
  return failingSince === null ? 'active' : 'failing'
}

/**
 * The settings of an endpoint that differ from those that it has, in any order of types. A tampered
 * one is repaired by setting its URL, the same or another one.
 */
export function changeOf<Type extends string>(
  before: Pick<WebhookEndpoint, 'url' | 'state' | 'eventTypes'>,
  after: { url: string; eventTypes: Type[] | null },
): { url?: string; eventTypes?: Type[] | null } {
  const { url, eventTypes } = after
  const hasSameTypes = textOf(before.eventTypes) === textOf(eventTypes)
  const isMoved = url !== before.url || before.state === 'tampered'
  return { ...(isMoved && { url }), ...(!hasSameTypes && { eventTypes }) }
}

function textOf(types: readonly string[] | null): string | null {
  return types === null ? null : [...types].toSorted().join(' ')
}

/** A short name of an endpoint for buttons and sentences: its host. */
export function hostOf(url: string): string {
  if (url === '') return t('webhooks.noUrl')
  return URL.canParse(url) ? new URL(url).host : url
}
