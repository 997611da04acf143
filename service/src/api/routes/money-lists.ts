import type { MONEY_LIST_OPERATIONS } from '@sluice/wire'
import { parseExternalUserId } from '../../accounts/account.ts'
import { orRaiseTampered } from '../../accounts/tampered.ts'
import { Refusal } from '../../base/fault.ts'
import { isId } from '../../base/id.ts'
import { assignUnattributed, ownerOfUnattributed } from '../../deposits/assign.ts'
import type { Unattributed } from '../../deposits/unattributed.ts'
import { guardGuesses } from '../../orgs/guess.ts'
import { requireCaller } from '../../orgs/require-caller.ts'
import { stillSignsBy } from '../../orgs/still-signs.ts'
import { consumeTotp } from '../../orgs/totp.ts'
import type { Call, Handlers } from '../http/route.ts'
import {
  answerLedgerEntries,
  answerSweeps,
  answerUnattributed,
  viewUnattributed,
} from '../views/money-lists.ts'

export const moneyListRoutes: Handlers<keyof typeof MONEY_LIST_OPERATIONS> = {
  getSweeps: answerSweeps,
  getUnattributed: answerUnattributed,
  getLedgerEntries: answerLedgerEntries,

  postUnattributedAssign: async (call) => {
    const { database, serviceKey, catalogue, caller, peer } = call
    const assigned = await orRaiseTampered(database, () =>
      guardGuesses(database, serviceKey, { userId: caller.userId, peer }, () => assign(call)),
    )
    return { unattributed: viewUnattributed(assigned, catalogue) }
  },
}

/**
 * As sluice_engine: sluice_api cannot insert deposits. The checks of the caller, the code and the
 * organization are in the same transaction.
 */
function assign(call: Call<'postUnattributedAssign'>): Promise<Unattributed> {
  const { database, serviceKey, catalogue, clock, caller, params, body } = call
  const { orgId, userId } = caller
  const { id } = params
  const { reason, totpCode: code } = body
  const externalUserId = parseExternalUserId(body.externalUserId)
  const stillSigns = stillSignsBy(serviceKey)
  const assignment = { catalogue, serviceKey, stillSigns, id, externalUserId, userId, reason }
  return database.transaction(async (tx) => {
    await requireCaller(tx, serviceKey, caller)
    await consumeTotp(tx, serviceKey, { orgId, userId, code, clock })
    // `consumeTotp` has locked the user, so this read is current until the commit.
    if (!(await stillSigns(tx, { orgId, userId })))
      throw new Refusal('FORBIDDEN', { required: 'approveWithdrawals' })
    if (!isId(id) || (await ownerOfUnattributed(tx, id)) !== orgId) throw unknown(id)
    return assignUnattributed(tx, assignment)
  })
}

/** The same for an id of another organization (decisions, section 4). */
function unknown(id: string): Refusal {
  return new Refusal('NOT_FOUND', { id }, `No unattributed transfer has the id ${id}.`)
}
