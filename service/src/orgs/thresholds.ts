import { Refusal } from '../base/fault.ts'
import { raiseAlert } from '../journal/raise-alert.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Database, Tx } from '../store/database.ts'
import type { Organization } from './organization.ts'
import { updateThresholds } from './rows.ts'

/** How many must approve the withdrawals of an organization, and whose MAC stands beside them. */
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
  'How many must approve a withdrawal of this organization was changed in the database. Nothing ' +
  'was done. Tell whoever operates the service: the alert organization.tampered names it.'

/**
 * The thresholds of an organization were changed behind the service's back: it asks for no payment
 * until an operator has set them anew. Told as INTERNAL_ERROR with `details.reason` `tampered`.
 */
export class ForgedThresholds extends Refusal {
  readonly orgId: string

  constructor(orgId: string) {
    super('INTERNAL_ERROR', { id: orgId, reason: 'tampered' }, SAYS)
    this.orgId = orgId
  }
}

/** The MAC over what a writer of the database must not be able to change. */
export function macOfThresholds(
  serviceKey: Pick<ServiceKey, 'mac'>,
  thresholds: Thresholds,
): Uint8Array {
  return serviceKey.mac('organization', fieldsOf(thresholds))
}

/** Whether the thresholds are those that somebody set last. */
export function areGenuine(
  serviceKey: Pick<ServiceKey, 'verify'>,
  organization: Organization,
): boolean {
  return serviceKey.verify('organization', fieldsOf(organization), organization.mac)
}

/** Refuses with INTERNAL_ERROR where the thresholds are not those that somebody set. */
export function requireGenuine(
  serviceKey: Pick<ServiceKey, 'verify'>,
  organization: Organization,
): void {
  if (!areGenuine(serviceKey, organization)) throw new ForgedThresholds(organization.id)
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

/** Does what somebody asked for; forged thresholds are told to an operator before it is refused. */
export async function orTellForged<T>(database: Database, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ForgedThresholds)
      await database.transaction((tx) => tellForged(tx, error.orgId))
    throw error
  }
}

/** Tells an operator, in the commit that found it out. */
export async function tellForged(tx: Tx, orgId: string): Promise<void> {
  const message =
    `The number of approvals that a withdrawal of the organization ${orgId} needs was changed in ` +
    'the database. No withdrawal can be created until both numbers are set anew: ' +
    `sluice org set-thresholds <signers> <humans> --org ${orgId}`
  await raiseAlert(tx, { ...forgedAlert(orgId), message })
}

/** The alert that the thresholds of an organization were changed in the database. */
export function forgedAlert(orgId: string) {
  return { code: 'organization.tampered', subject: orgId } as const
}

function fieldsOf({ id, minWithdrawalSigners, minHumanApprovals, version }: Thresholds) {
  return [id, minWithdrawalSigners, minHumanApprovals, ...(version === null ? [] : [version])]
}
