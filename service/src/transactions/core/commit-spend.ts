import type { Address } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import { assertLease } from '../../store/lease.ts'
import { CommitUnknown } from '../../store/outage.ts'
import { haltForMismatch } from './halt.ts'
import { signingTransaction } from './lock-sender.ts'
import type { Sent, SpendMeans } from './mandate.ts'
import { selectSenderForUpdate } from './sender-rows.ts'
import { SpendMismatch } from './sign.ts'
import type { Purpose, Spend } from './spend.ts'
import { selectTransactions } from './transaction-rows.ts'

/** A spend that is committed, and its bytes. */
export interface Stored {
  spend: Spend
  raw: Uint8Array
  /** Our tip when it was signed. */
  height: number
}

/** Carries the answer out of a transaction that is to have no effect. */
export class Unsent extends Error {
  override readonly name = 'Unsent'
  readonly sent: Sent

  constructor(sent: Sent) {
    super(sent.outcome)
    this.sent = sent
  }
}

/** Who signs, and for what. */
export interface Signatory {
  address: Address
  purpose: Purpose
  subjectId: string
}

/**
 * Signs and stores in one transaction, or answers with what `sign` threw as Unsent. A mismatch
 * halts the sender. Where the commit's answer was lost, `find` says whether the spend stands (W24);
 * where it does not, the asker asks again.
 */
export async function commitSpend(
  deps: SpendMeans,
  signatory: Signatory,
  sign: (tx: Tx) => Promise<Stored>,
  find: (tx: Tx) => Promise<Spend | null>,
): Promise<Stored | Sent> {
  try {
    return await signingTransaction(deps, sign)
  } catch (error) {
    if (error instanceof Unsent) return error.sent
    if (error instanceof SpendMismatch) await haltForMismatch(deps, signatory, error)
    if (error instanceof CommitUnknown) return readAgain(deps, { ...signatory, lost: error }, find)
    throw error
  }
}

/** The sender's lock is free only once the database has decided; then the rows say what stands. */
async function readAgain(
  deps: SpendMeans,
  { address, lost }: Signatory & { lost: CommitUnknown },
  find: (tx: Tx) => Promise<Spend | null>,
): Promise<Stored> {
  return deps.database.transaction(async (tx) => {
    await assertLease(tx, deps.lease)
    await selectSenderForUpdate(tx, { chainId: deps.entry.id, address })
    const spend = await find(tx)
    const [first] = spend === null ? [] : await selectTransactions(tx, [spend])
    if (spend === null || first === undefined) throw lost
    return { spend, raw: first.raw, height: first.signedHeight }
  })
}
