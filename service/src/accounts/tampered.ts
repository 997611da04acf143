import type { ChainId } from '@sluice/wire'
import { Refusal } from '../base/fault.ts'
import { displayAddress } from '../chains/format-address.ts'
import type { Address } from '../chains/port.ts'
import { raiseIfNews } from '../alerts/raise-alert.ts'
import type { Database, Tx } from '../store/database.ts'

/** A row of an account or a watched address that is not as the service wrote it. */
export interface TamperedRow {
  table: 'accounts' | 'watched_addresses' | 'wallets'
  /** The id of the account, the watched address, or the number of the wallet. */
  subject: string
  orgId: string
  chainId: ChainId
  cause: string
}

const CODE = 'account.tampered'
const SAYS =
  'The record of this deposit address was changed in the database. The address is not shown, ' +
  'and nothing is credited to it. Contact the operator of the service: the alert ' +
  'account.tampered names the record.'
export const FORGED = 'its MAC does not match its fields'

/**
 * The caller asked for an address whose row was changed in the database. INTERNAL_ERROR with
 * `details.reason` `tampered`: a retry does not help, and the cause is for the operator alone.
 */
export class TamperedAccount extends Refusal {
  readonly row: TamperedRow

  constructor(row: TamperedRow) {
    // The address of a changed row may belong to the attacker.
    const which = row.table === 'accounts' ? { id: row.subject } : { chainId: row.chainId }
    super('INTERNAL_ERROR', { ...which, reason: 'tampered' }, SAYS)
    this.row = row
  }
}

/** The account of a row whose MAC does not match. */
export function tamperedAccount(row: { orgId: string; id: string; chainId: ChainId }): TamperedRow {
  const { orgId, id: subject, chainId } = row
  return { table: 'accounts', subject, orgId, chainId, cause: FORGED }
}

/** The watched address of a row whose MAC does not match. */
export function tamperedWatch(row: {
  orgId: string
  address: Address
  chainId: ChainId
}): TamperedRow {
  const { orgId, chainId } = row
  const subject = displayAddress(chainId, row.address)
  return { table: 'watched_addresses', subject, orgId, chainId, cause: FORGED }
}

/** Does the work; if it meets a tampered row, raises the alert before the refusal goes on. */
export async function orRaiseTampered<T>(database: Database, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof TamperedAccount) await raiseTamperedApart(database, [error.row])
    throw error
  }
}

/** Raises the alerts in a separate commit, after a read-only step. */
export async function raiseTamperedApart(
  database: Database,
  rows: readonly TamperedRow[],
): Promise<void> {
  if (rows.length > 0) await database.transaction((tx) => raiseTampered(tx, rows))
}

/** Raises the alert of each tampered row, once while it is open. */
export async function raiseTampered(tx: Tx, rows: readonly TamperedRow[]): Promise<void> {
  for (const { table, subject, orgId, chainId, cause } of rows) {
    await raiseIfNews(tx, {
      code: CODE,
      subject,
      orgId,
      message: `The row ${subject} of ${table} (${chainId}) was changed in the database: ${cause}.`,
      details: { table, orgId, chainId, cause },
    })
  }
}
