import type { SettingsChangedEvent } from '@sluice/wire'
import { iso } from '../base/clock.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { appendEvent } from './outbox.ts'
import type { Routing } from './rows.ts'
import { ATTEMPTS_MAX } from './schedule.ts'
import { macOfUrl } from './url-mac.ts'

/** The actor of a change of settings. */
export interface Changer {
  orgId: string
  /** "" for an operator, who is not a user. */
  userId: string
  credential: SettingsChangedEvent['credential']
}

/**
 * Emits the change of an endpoint's URL, in its transaction; the endpoint receives it at the
 * previous URL, so that a receiver whose events are diverted is notified (engineering, 29). No
 * event
 * if there was no URL or it is unchanged.
 */
export function emitUrlChanged(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'mac'>,
  params: { caller: Changer; endpointId?: string; previous: string; current: string },
): void {
  const { caller, previous, current } = params
  if (previous === '' || previous === current) return
  const { orgId } = caller
  const { endpointId = orgId } = params
  const change = { previous: originOf(previous), current: originOf(current) }
  const macOf = (eventId: string) =>
    macOfUrl(serviceKey, { orgId, eventId, endpointId, url: previous })
  const routing = { endpointId, url: previous, macOf, attemptsMax: ATTEMPTS_MAX, isOnly: false }
  tell(tx, { caller, setting: 'webhookUrl', ...change, routing })
}

/** Emits the rotation of the signing secret; both secrets sign for a day. */
export function emitSecretRotated(tx: Tx, caller: Changer): void {
  tell(tx, { caller, setting: 'signingSecret', previous: '', current: '' })
}

/** Emits a change of the approvals that new withdrawals need; null is the default. */
export function emitThreshold(
  tx: Tx,
  params: {
    caller: Changer
    setting: 'minWithdrawalSigners' | 'minHumanApprovals'
    previous: number | null
    current: number | null
  },
): void {
  const { caller, setting, previous, current } = params
  if (previous === current) return
  const change = { previous: String(previous ?? ''), current: String(current ?? '') }
  tell(tx, { caller, setting, ...change })
}

function tell(
  tx: Tx,
  params: Pick<SettingsChangedEvent, 'setting' | 'previous' | 'current'> & {
    caller: Changer
    routing?: Routing
  },
): void {
  const { caller, setting, previous, current, routing } = params
  const { orgId, userId: changedBy, credential } = caller
  const at = iso(tx.clock.now())
  appendEvent(tx, {
    orgId,
    type: 'settings.changed',
    subjectId: orgId,
    payload: { setting, previous, current, changedBy, credential, at },
    ...(routing !== undefined && { routing }),
  })
}

/** Paths and queries of receivers are often secret, and this event goes to another receiver. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}
