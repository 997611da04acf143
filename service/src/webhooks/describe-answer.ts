import { isAccepted } from './delivery.ts'
import type { Answer } from './delivery.ts'

/** Why an answer was not an acknowledgement; "" for an acknowledgement or an unstored answer. */
export function describeAnswer({ status, error }: Pick<Answer, 'status' | 'error'>): string {
  if (error !== '' || status === null || isAccepted({ status, error })) return error
  const isRedirect = status >= 300 && status < 400
  return `answered ${status}${isRedirect ? ': redirects are not followed' : ''}`
}
