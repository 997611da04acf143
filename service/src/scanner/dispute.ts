import type { BlockRef } from '../chains/port.ts'
import { raiseAlert, resolveAlert } from '../journal/raise-alert.ts'
import type { Tx } from '../store/database.ts'
import type { Watcher } from './watcher.ts'

/**
 * Whether another node of the chain has another block where one of ours is about to be credited:
 * one of the two follows a minority's branch, and which one is not for us to guess (N05). An alert
 * says so. While it lasts blocks are read on, and nothing is credited.
 */
export async function isDisputed(
  { adapter, database, entry }: Watcher,
  block: BlockRef,
): Promise<boolean> {
  const dissenter = await adapter.dissenter(block)
  if (dissenter === null) return false
  const { height, hash } = block
  const message = `${dissenter} has another block ${height} than ${hash}, which is ours.`
  await database.transaction((tx) =>
    raiseAlert(tx, { code: 'chain.disputed', subject: entry.id, message }),
  )
  return true
}

/** To credit something is to have found nobody who disputes it. */
export async function endDispute(tx: Tx, { entry }: Pick<Watcher, 'entry'>): Promise<void> {
  await resolveAlert(tx, { code: 'chain.disputed', subject: entry.id })
}
