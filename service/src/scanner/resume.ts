import { type Millis, iso } from '../base/clock.ts'
import { Refusal } from '../base/fault.ts'
import { type ChainState, readChainState, setCondition } from '../catalogue/chain-state.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import { raiseAlert, resolveAlert } from '../alerts/raise-alert.ts'
import { selectLastDone } from '../audit-log/rows.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { Tx } from '../store/database.ts'
import { loosenLast, selectTime } from './rows.ts'

/** Action of a restored backup in the audit log. */
export const RESTORED = 'database.restore'

/**
 * Ends a freeze or a halt by an operator; audit-logged. After a restore, a chain without nonces
 * resumes only when transactions of the old service have expired and their blocks were read: until
 * then a frozen chain is refused, and a halted one is read but stays frozen. A chain halted by a
 * reorg deeper than the blocks kept starts again below them. Refuses with BAD_REQUEST if the chain
 * is neither frozen nor halted.
 */
export async function resumeChain(
  tx: Tx,
  { entry, actor, reason }: { entry: ChainEntry; actor: string; reason: string },
): Promise<'running' | 'frozen'> {
  const chainId = entry.id
  const before = await readChainState(tx, chainId)
  if (before === null || before.condition === 'running') {
    throw new Refusal('BAD_REQUEST', { chainId }, `${chainId} is neither frozen nor halted.`)
  }
  const early = await sayTooEarly(tx, entry, before)
  if (early !== null && before.condition === 'frozen') {
    throw new Refusal('BAD_REQUEST', { chainId, ...early.details }, early.message)
  }
  await setCondition(tx, { chainId, condition: 'running', cause: '' })
  if (before.condition === 'halted') await loosenLast(tx, chainId)
  await resolveAlert(tx, { code: 'chain.halted', subject: chainId })
  if (early === null) await resolveAlert(tx, { code: 'chain.frozen', subject: chainId })
  else await freeze(tx, entry, early.message)
  const { condition, cause } = before
  const details = { reason, condition, cause }
  await writeAudit(tx, { orgId: null, actor, action: 'chain.resume', object: chainId, details })
  return early === null ? 'running' : 'frozen'
}

async function freeze(tx: Tx, { id: chainId }: ChainEntry, cause: string): Promise<void> {
  await setCondition(tx, { chainId, condition: 'frozen', cause })
  const message = `${chainId} is frozen: ${cause}`
  await raiseAlert(tx, { code: 'chain.frozen', subject: chainId, message })
}

/** Why the chain must wait after a restore; null if it need not. */
async function sayTooEarly(
  tx: Tx,
  entry: ChainEntry,
  { tip, final }: ChainState,
): Promise<{ message: string; details: Record<string, string> } | null> {
  const forgotten = entry.forgottenForMs
  const restoredAt = forgotten === null ? null : await selectLastDone(tx, RESTORED)
  if (forgotten === null || restoredAt === null) return null
  const until = restoredAt + forgotten
  const readTo = await timeOfRead(tx, entry, { tip, final })
  if (readTo !== null && readTo > until) return null
  const message =
    `${entry.name} counts no transactions of a sender: what the old service signed before the ` +
    `restore of ${iso(restoredAt)} can be included until ${iso(until)}, in the time of blocks. ` +
    `Final blocks are read up to ${readTo === null ? 'none yet' : iso(readTo)}: try again later.`
  const details = { restoredAt: iso(restoredAt), until: iso(until) }
  return { message, details: readTo === null ? details : { ...details, readTo: iso(readTo) } }
}

/** Time of our highest final block. */
async function timeOfRead(
  tx: Tx,
  { id: chainId }: ChainEntry,
  { tip, final }: Pick<ChainState, 'tip' | 'final'>,
): Promise<Millis | null> {
  if (final === null) return null
  return selectTime(tx, { chainId, height: Math.min(tip.height, final.height) })
}
