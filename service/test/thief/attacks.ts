import type { Attack } from './attack.ts'
import { ON_ACCOUNTS, ON_DEPOSITS, ON_OWN_ADDRESSES } from './attacks-on-addresses.ts'
import {
  ON_INVITATIONS,
  ON_KEYS,
  ON_PEOPLE,
  ON_SETTINGS,
  ON_SWITCHES,
} from './attacks-on-people.ts'
import { ON_APPROVALS, ON_SPENDS, ON_WITHDRAWALS } from './attacks-on-payments.ts'
import { ON_LEDGER, ON_RECORDS } from './attacks-on-records.ts'
import { ON_WEBHOOKS } from './attacks-on-webhooks.ts'
import { AMOUNTS, RECIPIENTS } from './scene.ts'

export const ATTACKS: readonly Attack[] = [
  ...ON_SETTINGS,
  ...ON_SWITCHES,
  ...ON_PEOPLE,
  ...ON_INVITATIONS,
  ...ON_KEYS,
  ...ON_WITHDRAWALS,
  ...ON_APPROVALS,
  ...ON_SPENDS,
  ...ON_LEDGER,
  ...ON_RECORDS,
  ...ON_ACCOUNTS,
  ...ON_OWN_ADDRESSES,
  ...ON_DEPOSITS,
  ...ON_WEBHOOKS,
]

/** The highest approved amount for each recipient. */
export const APPROVED: ReadonlyMap<string, bigint> = new Map([
  [RECIPIENTS.paid, AMOUNTS.paid],
  [RECIPIENTS.pending, AMOUNTS.pending],
])
