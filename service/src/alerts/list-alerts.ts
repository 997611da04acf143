import type { Tx } from '../store/database.ts'
import { alertFromRow } from './alert.ts'
import type { Alert } from './alert.ts'
import { selectAlerts } from './rows.ts'

const ALERTS_MAX = 1_000

/**
 * Alerts, the last raised first: the open ones, the resolved ones, or both where `open` is left
 * out.
 */
export async function listAlerts(
  tx: Tx,
  filter: { open?: boolean; limit?: number } = {},
): Promise<Alert[]> {
  const { open = null, limit = ALERTS_MAX } = filter
  return (await selectAlerts(tx, { open, limit })).map(alertFromRow)
}
