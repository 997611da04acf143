import { Outage } from '../base/fault.ts'
import type { Dissent, KnownDissent } from '../chains/chain-adapter.ts'
import type { BlockRef } from '../chains/port.ts'
import type { Alert } from '../journal/alert.ts'
import { raiseAlert, readOpenAlert, resolveAlert } from '../journal/raise-alert.ts'
import type { Watcher } from './watcher.ts'

/** What it takes to ask the nodes of a chain, and to tell. */
type Asker = Pick<Watcher, 'database' | 'adapter' | 'entry'>

/**
 * Whether another node of the chain follows another branch than that of a block of ours in which
 * something was credited, or is about to be: one of the two follows a minority's, and which one is
 * not for us to guess (N05). An alert says so, and who it was: while it is open, that node is not
 * taken to agree because it is away. Meanwhile blocks are read on, and nothing is credited. Of
 * several blocks it is enough to ask about the highest: who disputes a lower one has another there
 * too or, where its branch is shorter, another head.
 */
export async function isDisputed(asker: Asker, block: BlockRef): Promise<boolean> {
  const { adapter, database, entry } = asker
  const known = knownIn(await readDispute(asker))
  const { opposed, silent } = await adapter.dissent(block, known)
  if (opposed.length > 0) {
    const { height, hash } = block
    const message = `${follow(opposed)} than that of block ${height} ${hash}, which is ours.`
    const details = Object.fromEntries(opposed.map((name) => [name, height]))
    const alert = { code: 'chain.disputed', subject: entry.id, message, details } as const
    // Others may be away that are known to dissent.
    await database.transaction((tx) => raiseAlert(tx, { ...alert, adds: true }))
  }
  return opposed.length + silent.length > 0
}

/**
 * Closes the alert once each node that it names has answered with the branch of our tip, or is no
 * longer configured, and nobody else follows another: whatever is due lies below the tip. That
 * something was credited would not show it, for something else may be disputed. Who has answered is
 * named no more.
 */
export async function endDispute(watcher: Watcher, tip: BlockRef): Promise<void> {
  const alert = await readDispute(watcher)
  if (alert === null) return
  const known = knownIn(alert)
  try {
    const dissent = await watcher.adapter.dissent(tip, known)
    await settleDispute(watcher, alert, { tip, dissent })
  } catch (error) {
    // Not to know whether it is over holds nothing up.
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
  const message = `${follow(names)} than that of block ${tip.height} ${tip.hash}, which is ours.`
  const details = Object.fromEntries(names.map((name) => [name, known.get(name) ?? tip.height]))
  await database.transaction(async (tx) => {
    const now = await readOpenAlert(tx, { ...alert, locks: true })
    // What was raised meanwhile was not asked about.
    if (now === null || now.id !== asked.id || now.times !== asked.times) return
    if (names.length === 0) await resolveAlert(tx, alert)
    else await raiseAlert(tx, { ...alert, message, details })
  })
}

function readDispute({ database, entry }: Asker): Promise<Alert | null> {
  const alert = { code: 'chain.disputed', subject: entry.id } as const
  return database.transaction((tx) => readOpenAlert(tx, alert))
}

/** The details of the alert: who dissents, by name, since which block of ours. */
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
