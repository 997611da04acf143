import type { SettingsChangedEvent } from '@sluice/wire'
import { iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import { appendEvent } from './outbox.ts'
import { ATTEMPTS_MAX } from './schedule.ts'

/** Who changed a setting. */
export interface Changer {
  orgId: string
  /** "" for an operator, who is no user of the organization. */
  userId: string
  credential: SettingsChangedEvent['credential']
}

/**
 * Tells that the webhook URL was changed, in the commit of the change: to the URL before, so that
 * whoever is robbed of its events learns of it (engineering, 29). Where there was none, or it is
 * the same, there is nobody to tell.
 */
export function tellUrlChanged(
  tx: Tx,
  { caller, previous, current }: { caller: Changer; previous: string; current: string },
): void {
  if (previous === '' || previous === current) return
  const change = { previous: originOf(previous), current: originOf(current) }
  tell(tx, { caller, setting: 'webhookUrl', ...change, to: previous })
}

/** Tells that there is a new signing secret; both sign for a day. */
export function tellSecretRotated(tx: Tx, caller: Changer): void {
  tell(tx, { caller, setting: 'signingSecret', previous: '', current: '', to: '' })
}

/** Tells that new withdrawals need more or fewer approvals. */
export function tellMinSigners(
  tx: Tx,
  { caller, previous, current }: { caller: Changer; previous: number; current: number },
): void {
  if (previous === current) return
  const change = { previous: String(previous), current: String(current) }
  tell(tx, { caller, setting: 'minWithdrawalSigners', ...change, to: '' })
}

function tell(
  tx: Tx,
  given: Pick<SettingsChangedEvent, 'setting' | 'previous' | 'current'> & {
    caller: Changer
    /** A URL of its own; "" for the organization's. */
    to: string
  },
): void {
  const { caller, setting, previous, current, to } = given
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

/** Paths and queries of receivers are often secrets, and this goes to another one. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}
