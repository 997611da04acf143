import { route } from '../http/route.ts'
import { answerWithdrawals } from '../views/withdrawal-list.ts'

/** Section 4.3: withdrawals of the organization. Refuses with BAD_REQUEST and INVALID_USER_ID. */
export const getWithdrawals = route('getWithdrawals', (asked) =>
  answerWithdrawals(asked, asked.query),
)
