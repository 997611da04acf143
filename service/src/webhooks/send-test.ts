import { iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import { appendEvent } from './outbox.ts'
import { requireUrl } from './redeliver.ts'

export const TEST_MESSAGE = 'This is a test event. No action is required.'

/**
 * Sends a test event to the default endpoint, without retries: its sender watches the result.
 * Returns its id. Refuses with INVALID_WEBHOOK_URL if no URL is set.
 */
export async function sendTest(
  tx: Tx,
  { orgId, requestedBy }: { orgId: string; requestedBy: string },
): Promise<string> {
  await requireUrl(tx, { orgId, endpointId: orgId })
  return appendEvent(tx, {
    orgId,
    type: 'webhook.test',
    subjectId: orgId,
    payload: { test: true, message: TEST_MESSAGE, requestedBy, at: iso(tx.clock.now()) },
    routing: { endpointId: orgId, url: null, attemptsMax: 1, isOnly: true },
  })
}
