import { answerDeposits } from '../views/deposit-list.ts'
import { route } from '../http/route.ts'

/**
 * Section 4.4: deposits of one user on all chains. Refuses with BAD_REQUEST and INVALID_USER_ID.
 */
export const getUserDeposits = route('getUserDeposits', (asked) =>
  answerDeposits(asked, {
    key: 'deposits',
    query: { ...asked.query, userId: asked.params.userId },
  }),
)
