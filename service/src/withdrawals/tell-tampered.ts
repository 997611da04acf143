import { Refusal } from '../base/fault.ts'
import { isAlertOpen, raiseAlert } from '../journal/raise-alert.ts'
import { writeAudit } from '../journal/write-audit.ts'
import type { Database, Tx } from '../store/database.ts'
import type { Withdrawal } from './withdrawal.ts'

type Named = Pick<Withdrawal, 'orgId' | 'id' | 'chainId'>

/** Where it is told, and who met with it. */
interface Telling {
  database: Database
  actor: string
}

const CODE = 'withdrawal.tampered'
const SAYS =
  'The record of this withdrawal is not what was asked for and approved. Nothing more is ' +
  'signed for it, and nothing was changed. Tell whoever operates the service: the alert ' +
  'withdrawal.tampered names it.'

/**
 * A withdrawal of which the row, or what stands for it, was changed behind the service's back
 * (A13). Nobody who asks can mend that, and to ask again is no use: it is told as INTERNAL_ERROR
 * with `details.reason` `tampered`. The cause is the operator's to know.
 */
export class Tampered extends Refusal {
  readonly withdrawal: Named
  readonly why: string

  /** `besides`: what who asked may do nevertheless. */
  constructor({ orgId, id, chainId }: Named, why: string, besides = '') {
    super('INTERNAL_ERROR', { id, reason: 'tampered' }, SAYS + besides)
    this.withdrawal = { orgId, id, chainId }
    this.why = why
  }
}

/**
 * Does a step that somebody asked for. Where it meets a withdrawal that was tampered with, nothing
 * of the step stands, and an operator is told before it is refused.
 */
export function orTellTampered<T>(telling: Telling, work: () => Promise<T>): Promise<T> {
  return orTell(telling, work, async () => true)
}

/** As `orTellTampered`, for what is asked again and again: what is told stays as it was told. */
export function orTellOnce<T>(telling: Telling, work: () => Promise<T>): Promise<T> {
  return orTell(telling, work, async (met) => !(await isTold(telling.database, met)))
}

async function orTell<T>(
  telling: Telling,
  work: () => Promise<T>,
  isNews: (met: Tampered) => Promise<boolean>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Tampered && (await isNews(error))) await tellTampered(telling, [error])
    throw error
  }
}

function isTold(database: Database, { withdrawal }: Tampered): Promise<boolean> {
  return database.transaction((tx) => isAlertOpen(tx, { code: CODE, subject: withdrawal.id }))
}

/** Tells an operator, and writes down who met with it, in a commit of its own. */
export async function tellTampered(
  { database, actor }: Telling,
  met: readonly Tampered[],
): Promise<void> {
  if (met.length === 0) return
  await database.transaction(async (tx) => {
    for (const { withdrawal, why } of met) {
      const { orgId, id: object } = withdrawal
      await alertTampered(tx, withdrawal, why)
      const details = { cause: why }
      await writeAudit(tx, { orgId, actor, action: 'withdrawal.tampered', object, details })
    }
  })
}

/** The alert alone, in the commit that found it out. */
export async function alertTampered(
  tx: Tx,
  { orgId, id: subject, chainId }: Named,
  cause: string,
): Promise<void> {
  await raiseAlert(tx, {
    code: CODE,
    subject,
    message: `Nothing more is signed for the withdrawal ${subject}: ${cause}.`,
    details: { orgId, chainId, cause },
  })
}
