import { API_KEY_OPERATIONS } from './api-keys.ts'
import { AUTHENTICATION_OPERATIONS } from './authentication.ts'
import { BALANCE_OPERATIONS } from './balances.ts'
import { CATALOGUE_OPERATIONS } from './catalogue.ts'
import { DEPOSIT_OPERATIONS } from './deposits.ts'
import { EVENT_OPERATIONS } from './event-log.ts'
import { HEALTH_OPERATIONS } from './health.ts'
import { MONEY_LIST_OPERATIONS } from './money-lists.ts'
import { ORGANIZATION_OPERATIONS } from './organization.ts'
import { PASSKEY_OPERATIONS } from './passkeys.ts'
import { REPORT_OPERATIONS } from './reports.ts'
import { PEOPLE_OPERATIONS } from './people.ts'
import { SIGN_IN_OPERATIONS } from './sign-in.ts'
import { SINGLE_DEPOSIT_OPERATIONS } from './single-deposit.ts'
import { OVERSIGHT_OPERATIONS } from './oversight.ts'
import { TRACE_OPERATIONS } from './trace.ts'
import { WEBHOOK_ENDPOINT_OPERATIONS } from './webhook-endpoints.ts'
import { WITHDRAWAL_OPERATIONS } from './withdrawals.ts'

/** Every operation of the interface, by name. */
export const OPERATIONS = {
  ...AUTHENTICATION_OPERATIONS,
  ...SIGN_IN_OPERATIONS,
  ...PASSKEY_OPERATIONS,
  ...PEOPLE_OPERATIONS,
  ...API_KEY_OPERATIONS,
  ...ORGANIZATION_OPERATIONS,
  ...DEPOSIT_OPERATIONS,
  ...SINGLE_DEPOSIT_OPERATIONS,
  ...TRACE_OPERATIONS,
  ...WITHDRAWAL_OPERATIONS,
  ...CATALOGUE_OPERATIONS,
  ...BALANCE_OPERATIONS,
  ...REPORT_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...WEBHOOK_ENDPOINT_OPERATIONS,
  ...MONEY_LIST_OPERATIONS,
  ...OVERSIGHT_OPERATIONS,
  ...HEALTH_OPERATIONS,
}

export type OperationName = keyof typeof OPERATIONS

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(OPERATIONS, name)
}

export const OPERATION_NAMES: readonly OperationName[] =
  Object.keys(OPERATIONS).filter(isOperationName)
