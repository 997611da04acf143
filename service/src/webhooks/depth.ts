import type { Tx } from '../store/database.ts'
import { readDepth } from './delivery-rows.ts'
import type { OutboxDepth } from './delivery-rows.ts'

/**
 * How full the outbox is, for the metrics and the CLI: all organizations as the engine, one's own
 * as the API.
 */
export async function outboxDepth(tx: Tx): Promise<OutboxDepth> {
  return readDepth(tx)
}
