import { resolveAlerts } from '../alerts/raise-alert.ts'
import { tamperedEndpoint } from '../orgs/endpoint.ts'
import type { Database } from '../store/database.ts'
import { endPending } from './redelivery-rows.ts'

/** The deliveries that one transaction ends. */
const BATCH_MAX = 5_000

/**
 * Ends the pending deliveries of a deleted endpoint, in small steps, and resolves its alerts. A
 * crash in between leaves the rest to the deliverers, which end each one when it is due.
 */
export async function endDeliveries(
  database: Database,
  { orgId, endpointId }: { orgId: string; endpointId: string },
): Promise<void> {
  for (let ended = BATCH_MAX; ended === BATCH_MAX; )
    ended = await database.transaction((tx) =>
      endPending(tx, { orgId, endpointId, limit: BATCH_MAX }),
    )
  await database.transaction((tx) =>
    resolveAlerts(tx, { code: 'webhook.failed', subjects: [endpointId] }),
  )
  await resolveTampered(database, endpointId)
}

/** Resolves the alert of an endpoint that was changed in the database, after it was set again. */
export async function resolveTampered(database: Database, endpointId: string): Promise<void> {
  const { code, subject } = tamperedEndpoint({ id: endpointId })
  await database.transaction((tx) => resolveAlerts(tx, { code, subjects: [subject] }))
}
