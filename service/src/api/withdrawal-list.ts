import type { Readable } from 'node:stream'
import {
  WITHDRAWAL_STATUSES,
  type Withdrawal as WithdrawalView,
  type WithdrawalStatus,
} from '@sluice/wire'
import { parseExternalUserId } from '../accounts/account.ts'
import type { Catalogue } from '../catalogue/find.ts'
import type { Caller } from '../orgs/caller.ts'
import { listWithdrawals } from '../withdrawals/list.ts'
import type { WithdrawalFilter } from '../withdrawals/list-rows.ts'
import { parseReference } from '../withdrawals/parse-request.ts'
import { badRequest } from './faults.ts'
import type { ServerMeans } from './means.ts'
import { type Page, answerList } from './paging.ts'
import { parseChainFilter, parseTime } from './parse-values.ts'
import { viewWithdrawal } from './withdrawal-views.ts'

/** What a list of withdrawals is narrowed and paged by, as it stands in a query (decisions, 9). */
export interface WithdrawalQuery {
  status?: string
  chainId?: string
  reference?: string
  externalUserId?: string
  from?: string
  to?: string
  limit?: string
  cursor?: string
}

/** Withdrawals of the caller's organization. Refuses with BAD_REQUEST and INVALID_USER_ID. */
export function answerWithdrawals(
  { database, catalogue, caller }: Pick<ServerMeans, 'database' | 'catalogue'> & { caller: Caller },
  query: WithdrawalQuery,
): Promise<Page<'withdrawals', WithdrawalView> | Readable> {
  const { orgId } = caller
  const filter = parseFilter(catalogue, query)
  return answerList(query, {
    key: 'withdrawals',
    read: async (after, limit) => {
      const page = await database.forOrg(orgId, (tx) =>
        listWithdrawals(tx, { orgId, filter, after, limit }),
      )
      return page.map((withdrawal) => ({ place: withdrawal, view: viewWithdrawal(withdrawal) }))
    },
  })
}

function parseFilter(catalogue: Catalogue, query: WithdrawalQuery): WithdrawalFilter {
  const { status, chainId, reference, externalUserId, from, to } = query
  return {
    ...(status !== undefined && { status: parseStatus(status) }),
    ...(chainId !== undefined && { chainId: parseChainFilter(catalogue, chainId) }),
    ...(reference !== undefined && { reference: parseReference(reference) }),
    ...(externalUserId !== undefined && { externalUserId: parseExternalUserId(externalUserId) }),
    ...(from !== undefined && { from: parseTime('from', from) }),
    ...(to !== undefined && { to: parseTime('to', to) }),
  }
}

function parseStatus(text: string): WithdrawalStatus {
  const status = WITHDRAWAL_STATUSES.find((one) => one === text)
  if (status !== undefined) return status
  throw badRequest('status', `status must be one of ${WITHDRAWAL_STATUSES.join(', ')}.`)
}
