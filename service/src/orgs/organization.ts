import type { Millis } from '../base/clock.ts'
import type { OrganizationRow } from './rows.ts'

/** A tenant of this installation with its settings (section 2.7). */
export interface Organization {
  id: string
  name: string
  /** Of the default endpoint; "" until set. */
  webhookUrl: string
  /** Approvals a withdrawal needs; 1 means it needs none but its initiator's. */
  minWithdrawalSigners: number
  /**
   * How many of them must be people's and not the API key's, as an operator set it; null for the
   * default (`minHumansOf`).
   */
  minHumanApprovals: number | null
  /** Differs for each change of the thresholds; null as created. */
  version: string | null
  /** Of the service key, over the id, both thresholds and the version (`thresholds.ts`). */
  mac: Uint8Array
  createdAt: Millis
  updatedAt: Millis
}

/** Reads an organization as it is stored. */
export function organizationFromRow(row: OrganizationRow): Organization {
  return {
    id: row.id,
    name: row.name,
    webhookUrl: row.webhook_url,
    minWithdrawalSigners: row.min_withdrawal_signers,
    minHumanApprovals: row.min_human_approvals,
    version: row.version,
    mac: row.mac,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
