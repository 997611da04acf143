import type { Tx } from '../store/database.ts'
import { selectOpenCounts } from './rows.ts'

/**
 * How many alerts are open, by code. However many there are of one: each deposit that is held has
 * its own, and a list of the newest would leave out what was told before them.
 */
export async function countAlerts(tx: Tx): Promise<{ code: string; count: number }[]> {
  return selectOpenCounts(tx)
}
