import { iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import { appendEvent } from './outbox.ts'
import { requireUrl } from './redeliver.ts'

const MESSAGE = 'This is a test. Nothing has happened, and nothing is to be done.'

/**
 * Sends an event that tells of nothing to the organization's own URL, once: what comes of it is
 * seen at once or not at all. Gives its id. Refuses with INVALID_WEBHOOK_URL where no URL is set.
 */
export async function sendTest(
  tx: Tx,
  { orgId, requestedBy }: { orgId: string; requestedBy: string },
): Promise<string> {
  await requireUrl(tx, orgId)
  return appendEvent(tx, {
    orgId,
    type: 'webhook.test',
    subjectId: orgId,
    payload: { test: true, message: MESSAGE, requestedBy, at: iso(tx.clock.now()) },
    routing: { url: null, attemptsMax: 1 },
  })
}
