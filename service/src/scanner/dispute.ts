import { Outage } from '../base/fault.ts'
import type { BlockRef } from '../chains/port.ts'
import { isAlertOpen, raiseAlert, resolveAlert } from '../journal/raise-alert.ts'
import type { Watcher } from './watcher.ts'

/**
 * Whether another node of the chain follows another branch than that of a block of ours in which
 * something is about to be credited: one of the two follows a minority's, and which one is not for
 * us to guess (N05). An alert says so. While it lasts blocks are read on, and nothing is credited.
 * Of several blocks it is enough to ask about the highest: who disputes a lower one has another
 * there too or, where its branch is shorter, another head.
 */
export async function isDisputed(
  { adapter, database, entry }: Watcher,
  block: BlockRef,
): Promise<boolean> {
  const dissenter = await adapter.dissenter(block)
  if (dissenter === null) return false
  const { height, hash } = block
  const message = `${dissenter} follows another branch than block ${height} ${hash}, which is ours.`
  await database.transaction((tx) =>
    raiseAlert(tx, { code: 'chain.disputed', subject: entry.id, message }),
  )
  return true
}

/**
 * Closes the alert once nobody follows another branch than that of our tip: whatever is due lies
 * below it. That something was credited would not show it, for something else may be disputed.
 */
export async function endDispute(
  { adapter, database, entry }: Watcher,
  tip: BlockRef,
): Promise<void> {
  const alert = { code: 'chain.disputed', subject: entry.id } as const
  if (!(await database.transaction((tx) => isAlertOpen(tx, alert)))) return
  try {
    if ((await adapter.dissenter(tip)) !== null) return
  } catch (error) {
    // Not to know whether it is over holds nothing up.
    if (!(error instanceof Outage)) throw error
    return
  }
  await database.transaction((tx) => resolveAlert(tx, alert))
}
