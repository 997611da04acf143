import { isSluiceError } from '@sluice/client'

/** Whether another person decided in the meantime. */
export function isOvertaken(error: unknown): boolean {
  return isSluiceError(error, 'WITHDRAWAL_NOT_PENDING', 'WITHDRAWAL_ALREADY_PROCESSED')
}
