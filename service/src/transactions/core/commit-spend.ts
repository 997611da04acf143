import { Refused } from '@sluice/signer'
import type { Address } from '../../chains/port.ts'
import { raiseIfNews } from '../../alerts/raise-alert.ts'
import type { Tx } from '../../store/database.ts'
import { assertLease } from '../../store/lease.ts'
import { CommitUnknown } from '../../store/outage.ts'
import { broadcastStored } from './broadcast.ts'
import { haltForMismatch } from './halt.ts'
import type { Sent, SpendDeps } from './payment-request.ts'
import { selectSenderForUpdate } from './sender-rows.ts'
import { SpendMismatch } from './mismatch.ts'
import type { Purpose, Spend } from './spend.ts'
import { selectTransactions } from './transaction-rows.ts'

/** A committed spend and its signed bytes. */
export interface Stored {
  spend: Spend
  raw: Uint8Array
  /** Our tip when the bytes were signed. */
  height: number
}

/** Rolls a signing transaction back and carries its outcome out. */
export class Unsent extends Error {
  override readonly name = 'Unsent'
  readonly sent: Sent

  constructor(sent: Sent) {
    super(sent.outcome)
    this.sent = sent
  }
}

/** A transaction that signs and stores one spend or replacement. */
export interface Signing {
  address: Address
  purpose: Purpose
  subjectId: string
  step: 'send' | 'bump'
  /** Begins with `lockSender`. Throws Unsent to roll back. */
  sign(tx: Tx): Promise<Stored>
  /** The spend that `sign` stored, read after the answer to the commit was lost (W24). */
  find?(tx: Tx): Promise<Spend | null>
}

/**
 * Signs and stores in one transaction, then broadcasts. A mismatch halts the sender. If the answer
 * to the commit was lost and `find` returns null, the CommitUnknown is thrown and the caller may
 * retry.
 */
export async function commitAndBroadcast(deps: SpendDeps, signing: Signing): Promise<Sent> {
  const stored = await commit(deps, signing)
  if ('outcome' in stored) return stored
  deps.crash?.(`${signing.step}.committed`)
  const { spend, raw, height } = stored
  await broadcastStored(deps, { ...spend, raw, height }, signing.step)
  return { outcome: 'sent', spend }
}

async function commit(deps: SpendDeps, signing: Signing): Promise<Stored | Sent> {
  try {
    // Other nodes are queried before the transaction begins.
    await deps.askBranch?.()
    return await deps.database.transaction((tx) => signing.sign(tx))
  } catch (error) {
    if (error instanceof Unsent) return error.sent
    if (error instanceof SpendMismatch) await haltForMismatch(deps, signing, error)
    if (error instanceof Refused) return refused(deps, signing, error)
    if (error instanceof CommitUnknown) return readCommitted(deps, signing, error)
    throw error
  }
}

/**
 * The outcome of a refusal. The module that requested a withdrawal raises its own alert; a transfer
 * between our own addresses is never refused unless an address or amount was altered.
 */
async function refused(
  { database, entry, log }: SpendDeps,
  { address, purpose, subjectId }: Signing,
  { code, message: says }: Refused,
): Promise<Sent> {
  const chainId = entry.id
  log.warn({ chainId, address, purpose, subjectId, code, says }, 'the signer refuses a transaction')
  if (purpose !== 'withdrawal' && code !== 'not-expired') {
    const message = `The signer refuses a transaction of ${address} (${purpose}): ${code}. ${says}`
    const alert = { code: 'signer.refused', subject: `${chainId}:${address}`, message } as const
    const details = { chainId, address, purpose, refusal: code }
    await database.transaction((tx) => raiseIfNews(tx, { ...alert, details }))
  }
  return { outcome: 'refused', code, says }
}

/** The sender's lock is released only after the database has decided about the lost commit. */
async function readCommitted(
  { database, entry, lease }: SpendDeps,
  signing: Signing,
  lost: CommitUnknown,
): Promise<Stored> {
  return database.transaction(async (tx) => {
    await assertLease(tx, lease)
    await selectSenderForUpdate(tx, { chainId: entry.id, address: signing.address })
    const spend = (await signing.find?.(tx)) ?? null
    const [first] = spend === null ? [] : await selectTransactions(tx, [spend])
    if (spend === null || first === undefined) throw lost
    return { spend, raw: first.raw, height: first.signedHeight }
  })
}
