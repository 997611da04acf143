import type { AuditEntry } from '@sluice/client'

/** The changes of the audit log that have a text, by the noun before the point. */
export const ACTIONS = [
  'withdrawal.create',
  'withdrawal.approve',
  'withdrawal.reject',
  'withdrawal.cancel',
  'withdrawal.speed-up',
  'user.invite',
  'user.create',
  'user.accept-invitation',
  'user.withdraw-invitation',
  'user.set-role',
  'user.disable',
  'user.enable',
  'user.reset',
  'user.lock',
  'user.slow',
  'user.unlock',
  'user.change-password',
  'user.replace-totp',
  'user.renew-recovery-codes',
  'user.add-passkey',
  'user.rename-passkey',
  'user.remove-passkey',
  'session.begin',
  'session.end',
  'api-key.create',
  'api-key.change',
  'api-key.rotate',
  'api-key.revoke',
  'webhook.set',
  'webhook-endpoint.create',
  'webhook-endpoint.update',
  'webhook-endpoint.delete',
  'signing-secret.rotate',
  'event.redeliver',
  'events.redeliver',
  'min-signers.set',
  'min-humans.set',
  'thresholds.set',
  'switch.set',
  'alert.acknowledge',
  'deposit.assign',
  'deposit.propose-assignment',
  'deposit.hold',
  'deposit.clear',
  'deposit.release',
  'funding.release',
  'gas.correct',
  'organization.create',
] as const
export type Action = (typeof ACTIONS)[number]

/** Whether an action has a text. */
export function isKnownAction(action: string): action is Action {
  return ACTIONS.some((known) => known === action)
}

/** The actor of an entry: a person, the operator by a command, or a part of the service. */
export interface Actor {
  kind: 'user' | 'operator' | 'service'
  /** The id of a user, or a name. */
  value: string
}

/** Reads an actor: `user:<id>`, `cli:<name>`, or the name of a part of the service. */
export function readActor(actor: string): Actor {
  const [, kind, value = ''] = /^(user|cli):(.*)$/.exec(actor) ?? []
  if (kind === 'user') return { kind: 'user', value }
  return kind === 'cli' ? { kind: 'operator', value } : { kind: 'service', value: actor }
}

const PLACES: Readonly<Record<string, (id: string) => string>> = {
  withdrawal: (id) => `/withdrawals/${id}`,
  user: (id) => `/people/${id}`,
  session: (id) => `/people/${id}`,
  'api-key': (id) => `/api-keys/${id}`,
  deposit: (id) => `/deposits/${id}`,
  event: (id) => `/events/${id}`,
  events: () => '/events',
  webhook: () => '/webhooks',
  'webhook-endpoint': () => '/webhooks',
  'signing-secret': () => '/webhooks',
  'min-signers': () => '/settings',
  'min-humans': () => '/settings',
  thresholds: () => '/settings',
  gas: () => '/gas-station',
}

/** The page of the object of an entry; null without one. */
export function objectHref({
  action,
  object,
}: Pick<AuditEntry, 'action' | 'object'>): string | null {
  const id = encodeURIComponent(object)
  if (action === 'switch.set') return object.includes('/') ? `/tokens?q=${id}` : `/chains/${object}`
  if (action === 'alert.acknowledge') return `/alerts/${id}`
  if (action.endsWith('assign') || action.endsWith('assignment')) return '/unattributed'
  const noun = action.split('.')[0] ?? ''
  return Object.hasOwn(PLACES, noun) ? (PLACES[noun]?.(id) ?? null) : null
}

/** A detail of an entry: its new value, and the one before if it was changed. */
export interface Detail {
  /** Empty if the entry is about one value only. */
  name: string
  value: unknown
  before?: unknown
}

/**
 * The details of an entry: first what changed, `from` and `to`, without what stayed the same; then
 * the rest. The times of a selection of events are no change.
 */
export function detailsOf({
  action,
  details,
}: Pick<AuditEntry, 'action' | 'details'>): readonly Detail[] {
  const isChange = 'from' in details && 'to' in details && action !== 'events.redeliver'
  if (!isChange) return Object.entries(details).map(([name, value]) => ({ name, value }))
  const { from, to, ...rest } = details
  const others = Object.entries(rest).map(([name, value]) => ({ name, value }))
  return [...changesOf(from, to), ...others]
}

function changesOf(from: unknown, to: unknown): readonly Detail[] {
  if (!isRecord(from) || !isRecord(to)) return [{ name: '', value: to, before: from }]
  return Object.entries(to)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(from[name]))
    .map(([name, value]) => ({ name, value, before: from[name] }))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The name of a field as words: `validUntil` is `Valid until`, `tokenId` is `Token`. */
export function fieldWords(name: string): string {
  const words = name
    .replace(/^(chain|token)Id$/, '$1')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

const TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/

/** Whether a value is a point in time. */
export function isTime(value: unknown): value is string {
  return typeof value === 'string' && TIME.test(value)
}
