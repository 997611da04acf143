import { answerDeposits } from '../views/deposit-list.ts'
import { route } from '../http/route.ts'

/**
 * Section 4.4: deposits of all users on all chains. Refuses with BAD_REQUEST and INVALID_USER_ID.
 */
export const getPayments = route('getPayments', (asked) =>
  answerDeposits(asked, { key: 'payments', query: asked.query }),
)
