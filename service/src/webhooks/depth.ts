import { selectPaused } from '../orgs/endpoint-rows.ts'
import type { Tx } from '../store/database.ts'
import { readDepth } from './delivery-rows.ts'
import type { OutboxDepth } from './delivery-rows.ts'

/**
 * The depth of the outbox, for the metrics and the CLI: of all organizations as the engine, of one
 * organization as the API.
 */
export async function outboxDepth(tx: Tx): Promise<OutboxDepth> {
  return readDepth(tx, await selectPaused(tx))
}
