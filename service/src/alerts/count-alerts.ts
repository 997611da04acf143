import type { Tx } from '../store/database.ts'
import { selectOpenCounts } from './rows.ts'

/** How many alerts are open, by code. Counts have no limit, unlike the list of the newest. */
export async function countAlerts(tx: Tx): Promise<{ code: string; count: number }[]> {
  return selectOpenCounts(tx)
}
