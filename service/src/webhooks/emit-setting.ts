import type { SettingsChangedEvent } from '@sluice/wire'
import { iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import { appendEvent } from './outbox.ts'
import { ATTEMPTS_MAX } from './schedule.ts'

/** The actor of a change of settings. */
export interface Changer {
  orgId: string
  /** "" for an operator, who is not a user. */
  userId: string
  credential: SettingsChangedEvent['credential']
}

/**
 * Emits the change of a webhook URL, in its transaction, to the previous URL, so that a receiver
 * whose events are diverted is notified (engineering, 29). No event if there was no URL or it is
 * unchanged.
 */
export function emitUrlChanged(
  tx: Tx,
  { caller, previous, current }: { caller: Changer; previous: string; current: string },
): void {
  if (previous === '' || previous === current) return
  const change = { previous: originOf(previous), current: originOf(current) }
  tell(tx, { caller, setting: 'webhookUrl', ...change, to: previous })
}

/** Emits the rotation of the signing secret; both secrets sign for a day. */
export function emitSecretRotated(tx: Tx, caller: Changer): void {
  tell(tx, { caller, setting: 'signingSecret', previous: '', current: '', to: '' })
}

/** Emits a change of the approvals that new withdrawals need. */
export function emitMinSigners(
  tx: Tx,
  { caller, previous, current }: { caller: Changer; previous: number; current: number },
): void {
  if (previous === current) return
  const change = { previous: String(previous), current: String(current) }
  tell(tx, { caller, setting: 'minWithdrawalSigners', ...change, to: '' })
}

function tell(
  tx: Tx,
  params: Pick<SettingsChangedEvent, 'setting' | 'previous' | 'current'> & {
    caller: Changer
    /** The URL of the event; "" for the organization's. */
    to: string
  },
): void {
  const { caller, setting, previous, current, to } = params
  const { orgId, userId: changedBy, credential } = caller
  const at = iso(tx.clock.now())
  appendEvent(tx, {
    orgId,
    type: 'settings.changed',
    subjectId: orgId,
    payload: { setting, previous, current, changedBy, credential, at },
    ...(to !== '' && { routing: { url: to, attemptsMax: ATTEMPTS_MAX } }),
  })
}

/** Paths and queries of receivers are often secret, and this event goes to another receiver. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}
