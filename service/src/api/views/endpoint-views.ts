import type { EndpointTest, WebhookEndpoint } from '@sluice/wire'
import { iso } from '../../base/clock.ts'
import { isDefault } from '../../orgs/endpoint.ts'
import { describeAnswer } from '../../webhooks/describe-answer.ts'
import type { Attempt } from '../../webhooks/delivery.ts'
import { failedStepOf } from '../../webhooks/failed-step.ts'
import type { EndpointStatus } from '../../webhooks/list-endpoints.ts'
import { isoOrNull } from './event-views.ts'

/** An endpoint with the state of its deliveries, without its secret. */
export function viewEndpoint({ endpoint, isAuthentic, pending }: EndpointStatus): WebhookEndpoint {
  const { eventTypes, pausedAt } = endpoint
  return {
    id: endpoint.id,
    isDefault: isDefault(endpoint),
    url: endpoint.url,
    eventTypes: eventTypes.length === 0 ? null : [...eventTypes],
    state: isAuthentic ? (pausedAt === null ? 'active' : 'paused') : 'tampered',
    pausedAt: isoOrNull(pausedAt),
    pendingDeliveries: pending,
    lastSuccessAt: isoOrNull(endpoint.lastSuccessAt),
    lastFailureAt: isoOrNull(endpoint.lastFailureAt),
    failingSince: isoOrNull(endpoint.failingSince),
    createdAt: iso(endpoint.createdAt),
    updatedAt: iso(endpoint.updatedAt),
  }
}

/** The result of a test. */
export function viewTest(attempt: Attempt): EndpointTest {
  const { delivery, answer, startedAt, endedAt } = attempt
  const failedStep = failedStepOf(attempt)
  return {
    eventId: delivery.eventId,
    isAccepted: failedStep === null,
    status: answer.status,
    durationMs: Math.max(0, endedAt - startedAt),
    failedStep,
    error: describeAnswer(answer),
  }
}
