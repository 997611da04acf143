import { Outage } from '../base/fault.ts'
import type { Dissent, KnownDissent } from '../chains/chain-adapter.ts'
import type { BlockRef } from '../chains/port.ts'
import type { Alert } from '../alerts/alert.ts'
import { raiseAlert, readOpenAlert, resolveAlert } from '../alerts/raise-alert.ts'
import type { Watcher } from './watcher.ts'

/** Dependencies of a query of all nodes and of the alert. */
type Asker = Pick<Watcher, 'database' | 'adapter' | 'entry'>

/**
 * Whether another node follows another branch than that of a block of ours in which something was
 * or will be credited: one of the two is a minority (N05). Raises an alert with the names of the
 * dissenting nodes. While it is open, an outage of such a node does not count as agreement. Blocks
 * are still read, but not confirmed. Of several blocks only the highest is queried: a dissenter
 * about a lower one has another block, or another head, there too.
 */
export async function isDisputed(asker: Asker, block: BlockRef): Promise<boolean> {
  const { adapter, database, entry } = asker
  const known = knownIn(await readDispute(asker))
  const { opposed, silent } = await adapter.dissent(block, known)
  if (opposed.length > 0) {
    const { height, hash } = block
    const message = `${follow(opposed)} than that of our block ${height} ${hash}.`
    const details = Object.fromEntries(opposed.map((name) => [name, height]))
    const alert = { code: 'chain.disputed', subject: entry.id, message, details } as const
    // Known dissenters may have an outage.
    await database.transaction((tx) => raiseAlert(tx, { ...alert, adds: true }))
  }
  return opposed.length + silent.length > 0
}

/**
 * Resolves the alert once each node it names has answered with the branch of our tip, or is not
 * configured any more, and no other node dissents; everything due is below the tip. A credit alone
 * proves nothing, since another block may be disputed. Nodes that have answered are removed from
 * the alert.
 */
export async function endDispute(watcher: Watcher, tip: BlockRef): Promise<void> {
  const alert = await readDispute(watcher)
  if (alert === null) return
  const known = knownIn(alert)
  try {
    const dissent = await watcher.adapter.dissent(tip, known)
    await settleDispute(watcher, alert, { tip, dissent })
  } catch (error) {
    // An outage must not stop the step.
    if (!(error instanceof Outage)) throw error
  }
}

async function settleDispute(
  { database, entry }: Watcher,
  asked: Alert,
  { tip, dissent }: { tip: BlockRef; dissent: Dissent },
): Promise<void> {
  const known = knownIn(asked)
  const names = [...dissent.opposed, ...dissent.silent]
  const isAsBefore = names.length === known.size && names.every((name) => known.has(name))
  if (names.length > 0 && isAsBefore) return
  const alert = { code: 'chain.disputed', subject: entry.id } as const
  const message = `${follow(names)} than that of our block ${tip.height} ${tip.hash}.`
  const details = Object.fromEntries(names.map((name) => [name, known.get(name) ?? tip.height]))
  await database.transaction(async (tx) => {
    const now = await readOpenAlert(tx, { ...alert, locks: true })
    // An alert that was raised in the meantime was not queried.
    if (now === null || now.id !== asked.id || now.times !== asked.times) return
    if (names.length === 0) await resolveAlert(tx, alert)
    else await raiseAlert(tx, { ...alert, message, details })
  })
}

function readDispute({ database, entry }: Asker): Promise<Alert | null> {
  const alert = { code: 'chain.disputed', subject: entry.id } as const
  return database.transaction((tx) => readOpenAlert(tx, alert))
}

/** Details of the alert: dissenting nodes by name, with the block of ours since which. */
function knownIn(alert: Alert | null): KnownDissent {
  return new Map(
    Object.entries(alert?.details ?? {}).filter(
      (entry): entry is [string, number] => typeof entry[1] === 'number',
    ),
  )
}

function follow(names: readonly string[]): string {
  return `${names.join(', ')} ${names.length === 1 ? 'follows' : 'follow'} another branch`
}
