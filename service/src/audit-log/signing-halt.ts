import type { Tx } from '../store/database.ts'
import type { AlertCode } from '../alerts/alert.ts'
import { AUDIT_BROKEN } from './audit-footing.ts'
import { type Halt, insertHalt, selectHalts } from './halt-rows.ts'
import { isAlertOpen, raiseAlert } from '../alerts/raise-alert.ts'

/** The alert of balances that do not match their postings. */
export const LEDGER_BROKEN = {
  code: 'ledger.broken',
  subject: 'ledger',
} as const satisfies { code: AlertCode; subject: string }

/** Both alerts concern the whole installation, and so does the halt. */
const CAUSES = [LEDGER_BROKEN, AUDIT_BROKEN]

type Cause = (typeof CAUSES)[number]

type Fields = readonly (string | number | null)[]

/** The part of the service key that a halt is authenticated with. */
export interface HaltKey {
  mac(purpose: string, fields: Fields): Uint8Array
  verify(purpose: string, fields: Fields, mac: Uint8Array): boolean
}

/**
 * The code of the alert that halts all signing, or null. A halt also counts without its alert:
 * only the service key can lift it, so closing the alert's row in the database changes nothing.
 */
export async function signingHaltedBy(
  tx: Tx,
  serviceKey: Pick<HaltKey, 'verify'>,
): Promise<AlertCode | null> {
  for (const cause of CAUSES) {
    if (await isAlertOpen(tx, cause)) return cause.code
    if ((await readHalt(tx, serviceKey, cause)).halted) return cause.code
  }
  return null
}

/** Halts all signing until `liftHalt`. The caller raises the alert in the same commit. */
export function haltSigning(tx: Tx, serviceKey: HaltKey, cause: Cause): Promise<void> {
  return changeHalt(tx, serviceKey, { cause, halted: true })
}

/** Ends a halt. The caller closes the alert in the same commit. */
export function liftHalt(tx: Tx, serviceKey: HaltKey, cause: Cause): Promise<void> {
  return changeHalt(tx, serviceKey, { cause, halted: false })
}

/** Raises the alert of a halt again if it was closed directly in the database. */
export async function reraiseHalts(tx: Tx, serviceKey: Pick<HaltKey, 'verify'>): Promise<void> {
  for (const cause of CAUSES) {
    if (await isAlertOpen(tx, cause)) continue
    if (!(await readHalt(tx, serviceKey, cause)).halted) continue
    const message =
      `The alert ${cause.code} was closed in the database and not by the service. ` +
      'Signing stays halted.'
    await raiseAlert(tx, { ...cause, message })
  }
}

/** The cause that an alert belongs to, or null. */
export function haltOf(alert: { code: string; subject: string }): Cause | null {
  return (
    CAUSES.find(({ code, subject }) => code === alert.code && subject === alert.subject) ?? null
  )
}

async function changeHalt(
  tx: Tx,
  serviceKey: HaltKey,
  { cause, halted }: { cause: Cause; halted: boolean },
): Promise<void> {
  const last = await readHalt(tx, serviceKey, cause)
  if (last.halted === halted) return
  const row = { cause: cause.code, number: last.number + 1, halted }
  await insertHalt(tx, { ...row, mac: serviceKey.mac('signing-halt', fieldsOf(row)) })
}

async function readHalt(
  tx: Tx,
  serviceKey: Pick<HaltKey, 'verify'>,
  { code }: Cause,
): Promise<{ number: number; halted: boolean }> {
  let last = { number: 0, halted: false }
  for (const row of await selectHalts(tx, code)) {
    const isRight = serviceKey.verify('signing-halt', fieldsOf(row), row.mac)
    // Two processes may have written the same number: then the halt counts.
    if (isRight && (row.number > last.number || (row.number === last.number && row.halted)))
      last = row
  }
  return last
}

function fieldsOf({ cause, number, halted }: Omit<Halt, 'mac'>) {
  return [cause, number, halted ? 'halted' : 'lifted']
}
