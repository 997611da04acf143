import type { Attack } from './attack.ts'
import { ON_KEYS, ON_PEOPLE, ON_SETTINGS } from './attacks-on-people.ts'
import { ON_APPROVALS, ON_SPENDS, ON_WITHDRAWALS } from './attacks-on-payments.ts'
import { ON_LEDGER, ON_RECORDS } from './attacks-on-records.ts'
import { AMOUNTS, RECIPIENTS } from './scene.ts'

/**
 * Accounts and watched addresses: the attestation of addresses has its own attacks (an account's
 * address changed as engine, an account inserted as api, a watched gas address changed, a watched
 * address moved to another user). They belong into this list.
 */
const ON_ADDRESSES: readonly Attack[] = []

export const ATTACKS: readonly Attack[] = [
  ...ON_SETTINGS,
  ...ON_PEOPLE,
  ...ON_KEYS,
  ...ON_WITHDRAWALS,
  ...ON_APPROVALS,
  ...ON_SPENDS,
  ...ON_LEDGER,
  ...ON_RECORDS,
  ...ON_ADDRESSES,
]

/** The most that may have gone to each recipient: what enough people approved. */
export const APPROVED: ReadonlyMap<string, bigint> = new Map([
  [RECIPIENTS.paid, AMOUNTS.paid],
  [RECIPIENTS.pending, AMOUNTS.pending],
])
