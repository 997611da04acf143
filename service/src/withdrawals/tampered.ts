import { Refusal } from '../base/fault.ts'
import { isAlertOpen, raiseAlert } from '../alerts/raise-alert.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { Database, Tx } from '../store/database.ts'
import type { Withdrawal } from './withdrawal.ts'

type Named = Pick<Withdrawal, 'orgId' | 'id' | 'chainId'>

/** Where the alert is raised, and the actor of the audit entry. */
interface Reporting {
  database: Database
  actor: string
}

const CODE = 'withdrawal.tampered'
const SAYS =
  'The stored withdrawal is not the one that was requested and approved, so the service neither ' +
  'signs nor changes it. Ask the operator of the service to handle the alert withdrawal.tampered.'

/**
 * A withdrawal whose row, approvals or postings were changed behind the service's back (A13). The
 * caller cannot repair it and a retry does not help: INTERNAL_ERROR with `details.reason`
 * `tampered`. Only the operator sees the cause.
 */
export class Tampered extends Refusal {
  readonly withdrawal: Named
  readonly why: string

  /** `advice`: what the caller may do nevertheless. */
  constructor({ orgId, id, chainId }: Named, why: string, advice = '') {
    super('INTERNAL_ERROR', { id, reason: 'tampered' }, SAYS + advice)
    this.withdrawal = { orgId, id, chainId }
    this.why = why
  }
}

/** Runs the step of a request. If it throws Tampered, raises the alert and rethrows. */
export function withTamperAlert<T>(reporting: Reporting, work: () => Promise<T>): Promise<T> {
  return raiseIf(reporting, work, async () => true)
}

/** As `withTamperAlert`, for frequent requests: an open alert is not raised again. */
export function withFirstTamperAlert<T>(reporting: Reporting, work: () => Promise<T>): Promise<T> {
  return raiseIf(reporting, work, async (found) => !(await isOpen(reporting.database, found)))
}

async function raiseIf<T>(
  reporting: Reporting,
  work: () => Promise<T>,
  isNews: (found: Tampered) => Promise<boolean>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Tampered && (await isNews(error))) await raiseTampered(reporting, [error])
    throw error
  }
}

function isOpen(database: Database, { withdrawal }: Tampered): Promise<boolean> {
  return database.transaction((tx) => isAlertOpen(tx, { code: CODE, subject: withdrawal.id }))
}

/** Raises the alerts and writes who found the withdrawals into the audit log, in one commit. */
export async function raiseTampered(
  { database, actor }: Reporting,
  found: readonly Tampered[],
): Promise<void> {
  if (found.length === 0) return
  await database.transaction(async (tx) => {
    for (const { withdrawal, why } of found) {
      const { orgId, id: object } = withdrawal
      await raiseTamperAlert(tx, withdrawal, why)
      const details = { cause: why }
      await writeAudit(tx, { orgId, actor, action: 'withdrawal.tampered', object, details })
    }
  })
}

/** Raises the alert alone, in the caller's commit. */
export async function raiseTamperAlert(
  tx: Tx,
  { orgId, id: subject, chainId }: Named,
  cause: string,
): Promise<void> {
  await raiseAlert(tx, {
    code: CODE,
    subject,
    orgId,
    message: `The withdrawal ${subject} is not signed any more: ${cause}.`,
    details: { orgId, chainId, cause },
  })
}
