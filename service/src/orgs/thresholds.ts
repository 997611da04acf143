import { Refusal } from '../base/fault.ts'
import { raiseAlert } from '../alerts/raise-alert.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Database, Tx } from '../store/database.ts'
import type { Organization } from './organization.ts'
import { updateThresholds } from './rows.ts'

/** The approvals that withdrawals of an organization need, with their MAC. */
export type Thresholds = Pick<
  Organization,
  'id' | 'minWithdrawalSigners' | 'minHumanApprovals' | 'version'
>

/**
 * The number of approvals of a new withdrawal that must come from people: the operator's setting;
 * without one 0 if one approval is enough, else as many as approvals are needed, and at most the
 * number of people who may approve (decisions, section 5).
 */
export function minHumansOf(
  {
    minWithdrawalSigners,
    minHumanApprovals,
  }: Pick<Thresholds, 'minWithdrawalSigners' | 'minHumanApprovals'>,
  signers: number,
): number {
  if (minHumanApprovals !== null) return minHumanApprovals
  return minWithdrawalSigners === 1 ? 0 : Math.min(minWithdrawalSigners, signers)
}

const SAYS =
  'The approvals that withdrawals of this organization need were changed in the database, so the ' +
  'request was refused. Ask the operator of the service to handle the alert organization.tampered.'

/**
 * The thresholds of an organization were tampered with: it cannot create withdrawals until an
 * operator sets them again. Reported as INTERNAL_ERROR with `details.reason` `tampered`.
 */
class ForgedThresholds extends Refusal {
  readonly orgId: string

  constructor(orgId: string) {
    super('INTERNAL_ERROR', { id: orgId, reason: 'tampered' }, SAYS)
    this.orgId = orgId
  }
}

/** The MAC over the fields that are protected from changes in the database. */
export function macOfThresholds(
  serviceKey: Pick<ServiceKey, 'mac'>,
  thresholds: Thresholds,
): Uint8Array {
  return serviceKey.mac('organization', fieldsOf(thresholds))
}

/** Whether the MAC of the thresholds matches. */
export function areAuthentic(
  serviceKey: Pick<ServiceKey, 'verify'>,
  organization: Organization,
): boolean {
  return serviceKey.verify('organization', fieldsOf(organization), organization.mac)
}

/** Refuses with INTERNAL_ERROR if the thresholds were tampered with. */
export function requireAuthentic(
  serviceKey: Pick<ServiceKey, 'verify'>,
  organization: Organization,
): void {
  if (!areAuthentic(serviceKey, organization)) throw new ForgedThresholds(organization.id)
}

/** Stores thresholds under a new version, with their MAC. The organization is locked. */
export async function changeThresholds(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'mac'>,
  thresholds: Omit<Thresholds, 'version'>,
): Promise<void> {
  const { id: orgId, minWithdrawalSigners: signers, minHumanApprovals: humans } = thresholds
  const version = tx.ids.next()
  const mac = macOfThresholds(serviceKey, { ...thresholds, version })
  await updateThresholds(tx, { orgId, signers, humans, version, mac })
}

/** Runs a request; raises the alert if it is refused because of tampered thresholds. */
export async function orRaiseForged<T>(database: Database, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ForgedThresholds)
      await database.transaction((tx) => raiseForged(tx, error.orgId))
    throw error
  }
}

/** Raises the alert in the transaction that detected the change. */
export async function raiseForged(tx: Tx, orgId: string): Promise<void> {
  const message =
    `The number of approvals that a withdrawal of the organization ${orgId} needs was changed in ` +
    'the database. No withdrawal can be created until both numbers are set again: ' +
    `sluice org set-thresholds <signers> <humans> --org ${orgId}`
  await raiseAlert(tx, { ...forgedAlert(orgId), orgId, message })
}

/** The alert that the thresholds of an organization were changed in the database. */
export function forgedAlert(orgId: string) {
  return { code: 'organization.tampered', subject: orgId } as const
}

function fieldsOf({ id, minWithdrawalSigners, minHumanApprovals, version }: Thresholds) {
  return [id, minWithdrawalSigners, minHumanApprovals, ...(version === null ? [] : [version])]
}
