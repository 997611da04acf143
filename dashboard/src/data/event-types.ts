import type { EventType } from '@sluice/client'
import { t } from '../text/text.ts'

/** Every type, so that a new one of the client does not compile until it is named here. */
const TYPES: Readonly<Record<EventType, true>> = {
  'deposit.detected': true,
  'deposit.confirmed': true,
  'deposit.reverted': true,
  'deposit.held': true,
  'account.created': true,
  'withdrawal.created': true,
  'withdrawal.approved': true,
  'withdrawal.processing': true,
  'withdrawal.completed': true,
  'withdrawal.failed': true,
  'withdrawal.cancelled': true,
  'balance.updated': true,
  'gas.low': true,
  'chain.frozen': true,
  'settings.changed': true,
  'webhook.test': true,
}

/** The types of events, in the order of the catalogue. */
export const EVENT_TYPES: readonly EventType[] = Object.keys(TYPES).filter(isEventType)

/** Names of types that a filter in words shows before it counts the rest. */
const SHOWN_MAX = 3

/** Whether this version knows the type. */
export function isEventType(type: string): type is EventType {
  return Object.hasOwn(TYPES, type)
}

/** The name of a type; of one that this version does not know, as the service writes it. */
export function typeName(type: string): string {
  return isEventType(type) ? t(`eventTypes.${type}.name`) : type
}

/** An event filter in words: `All deposit events, Withdrawal failed`. Null is every type. */
export function filterText(types: readonly string[] | null): string {
  if (types === null) return t('eventTypes.all')
  const names = namesOf(types)
  if (names.length <= SHOWN_MAX) return names.join(', ')
  const first = names.slice(0, SHOWN_MAX - 1).join(', ')
  return t('eventTypes.more', { first, count: names.length - SHOWN_MAX + 1 })
}

/** The names of types; a subject of several types that is chosen whole has one name. */
export function namesOf(types: readonly string[]): string[] {
  const names = types.map((type) => {
    const family = isEventType(type) ? familyOf(type) : []
    const isWhole = family.length > 1 && family.every((one) => types.includes(one))
    return isEventType(type) && isWhole
      ? t(`eventTypes.${parseSubject(type)}.group`)
      : typeName(type)
  })
  return [...new Set(names)]
}

/** The types of one subject. */
function familyOf(type: EventType): readonly EventType[] {
  return EVENT_TYPES.filter((one) => parseSubject(one) === parseSubject(type))
}

type Subject = EventType extends `${infer Before}.${string}` ? Before : never

function parseSubject(type: EventType): Subject {
  return type.slice(0, type.indexOf('.')) as Subject
}
