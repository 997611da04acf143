import { type Clock, type Millis, iso } from '../base/clock.ts'
import { assert } from '../base/assert.ts'
import { Outage, Refusal } from '../base/fault.ts'
import type { Ids } from '../base/id.ts'
import type { Log } from '../base/log.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Database, Tx } from '../store/database.ts'
import { attemptDelivery } from './attempt.ts'
import { settleAttempts } from './attempt-rows.ts'
import { Deadlines } from './deadlines.ts'
import type { Attempt, Delivery } from './delivery.ts'
import { readEvent } from './list-events.ts'
import { DELIVERER_LIMITS } from './limits.ts'
import { appendEvent } from './outbox.ts'
import { openPoster } from './post.ts'
import { raiseTampered, readReceiver } from './receiver.ts'
import { requireUrl, type Step } from './redeliver.ts'
import type { Resolve, TargetRules } from './target.ts'
import { openTargets } from './targets.ts'
import { TEST_MESSAGE } from './send-test.ts'

/** The clients of the API wait 30 s for an answer. */
const TEST_DEADLINE_MS = 20_000
/** Concurrent tests of one organization in this process. */
const TESTS_MAX = 4
const RETRY_AFTER_SECONDS = 5

interface TesterOptions {
  database: Database
  serviceKey: ServiceKey
  clock: Clock
  ids: Ids
  log: Log
  rules: TargetRules
  resolve: Resolve
}

/** Sends test events at once, in the process of the request. */
export interface Tester {
  /**
   * Sends a test event to an endpoint and returns its attempt. The event and its attempt are stored
   * like others; a crash leaves the delivery to a deliverer. `step` opens the caller's transaction.
   * Refuses with NOT_FOUND (endpoint), INVALID_WEBHOOK_URL if no URL is set, and
   * RATE_LIMIT_EXCEEDED if four tests of the organization run.
   */
  test(
    params: { orgId: string; endpointId: string; requestedBy: string },
    step: Step,
  ): Promise<Attempt>
  /** Ends running tests. */
  close(): Promise<void>
}

export function openTester(options: TesterOptions): Tester {
  const { database, clock, rules } = options
  const deadlines = new Deadlines(clock, TEST_DEADLINE_MS)
  const poster = openPoster({
    ...options,
    ...DELIVERER_LIMITS,
    deadlineMs: TEST_DEADLINE_MS,
    deadlines,
  })
  const deps = { clock, poster, targetOf: openTargets(rules) }
  const running = new Map<string, number>()
  return {
    async test(params, step) {
      const { orgId } = params
      const open = running.get(orgId) ?? 0
      if (open >= TESTS_MAX) throw tooMany()
      running.set(orgId, open + 1)
      try {
        const delivery = await openDelivery(options, params, step)
        const attempt = await attemptDelivery(deps, delivery)
        if (attempt === null) throw new Outage('service', 'stops before the test has an answer')
        await database.transaction((tx) => settleAttempts(tx, [attempt]))
        return attempt
      } finally {
        const left = (running.get(orgId) ?? 1) - 1
        if (left > 0) running.set(orgId, left)
        else running.delete(orgId)
      }
    },
    async close() {
      deadlines.close()
      await poster.close()
    },
  }
}

/** Stores the event with a delivery that is leased to this process. */
async function openDelivery(
  options: TesterOptions,
  params: { orgId: string; endpointId: string; requestedBy: string },
  step: Step,
): Promise<Delivery> {
  const { database, clock, ids } = options
  const { orgId, endpointId } = params
  const lease = { token: ids.next(), until: clock.now() + DELIVERER_LIMITS.leaseMs }
  const { eventId, receiver } = await step((tx) => append(tx, options, { ...params, lease }))
  const { isTampered, ...sending } = receiver
  if (isTampered) await database.transaction((tx) => raiseTampered(tx, { orgId, id: endpointId }))
  const { event } = await database.forOrg(orgId, (tx) =>
    readEvent(tx, { orgId, id: eventId, endpointId }),
  )
  return {
    orgId,
    eventId,
    endpointId,
    body: event.body,
    attempts: 0,
    attemptsMax: 1,
    leaseToken: lease.token,
    leasedAt: clock.now(),
    isDirected: false,
    ...sending,
  }
}

async function append(
  tx: Tx,
  deps: { serviceKey: ServiceKey; log: Log },
  params: {
    orgId: string
    endpointId: string
    requestedBy: string
    lease: { token: string; until: Millis }
  },
) {
  const { orgId, endpointId, requestedBy, lease } = params
  const endpoint = await requireUrl(tx, { orgId, endpointId })
  const receiver = await readReceiver(tx, deps, endpoint)
  assert(receiver.url !== null, 'an endpoint without a URL', { orgId, endpointId })
  const eventId = appendEvent(tx, {
    orgId,
    type: 'webhook.test',
    subjectId: orgId,
    payload: { test: true, message: TEST_MESSAGE, requestedBy, at: iso(tx.clock.now()) },
    routing: { endpointId, url: null, attemptsMax: 1, isOnly: true, lease },
  })
  return { eventId, receiver }
}

function tooMany(): Refusal {
  return new Refusal(
    'RATE_LIMIT_EXCEEDED',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
    `${TESTS_MAX} webhook tests of this organization are running. Wait for their answers.`,
  )
}
