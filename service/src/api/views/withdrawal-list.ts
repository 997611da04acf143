import type { Readable } from 'node:stream'
import type { ChainId, Withdrawal as WithdrawalView } from '@sluice/wire'
import { isId } from '../../base/id.ts'
import { listWithdrawals } from '../../withdrawals/list.ts'
import type { WithdrawalFilter } from '../../withdrawals/list-rows.ts'
import { type Page, answerList } from '../http/paging.ts'
import { hashesOf, isTransactionHash, parseHash } from '../http/parse-values.ts'
import type { Call } from '../http/route.ts'
import { recipientOf } from '../http/validate.ts'
import { viewWithdrawal } from './withdrawal-views.ts'

type WithdrawalQuery = Call<'getWithdrawals'>['query']

/** Withdrawals of the caller's organization. Refuses with BAD_REQUEST (cursor). */
export function answerWithdrawals(
  {
    database,
    caller,
    exporting,
  }: Pick<Call<'getWithdrawals'>, 'database' | 'caller' | 'exporting'>,
  query: WithdrawalQuery,
): Promise<Page<'withdrawals', WithdrawalView> | Readable> {
  const { orgId } = caller
  const filter = filterOf(query)
  return answerList(
    { ...query, exporting },
    {
      key: 'withdrawals',
      read: async (after, limit) => {
        const page = await database.forOrg(orgId, (tx) =>
          listWithdrawals(tx, { orgId, filter, after, limit }),
        )
        return page.map((withdrawal) => ({ place: withdrawal, view: viewWithdrawal(withdrawal) }))
      },
    },
  )
}

function filterOf({ status, txnHash, q, ...query }: WithdrawalQuery): WithdrawalFilter {
  const { chainId, tokenId, recipient, reference, externalUserId, from, to } = query
  return {
    ...(status !== undefined && { statuses: status }),
    ...(chainId !== undefined && { chainId }),
    ...(tokenId !== undefined && { tokenId }),
    ...(recipient !== undefined && { recipient }),
    ...(txnHash !== undefined && { hashes: hashesOf(txnHash) }),
    ...(reference !== undefined && { reference }),
    ...(externalUserId !== undefined && { externalUserId }),
    ...(q !== undefined && { search: searchOf(q, chainId) }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
}

function searchOf(
  text: string,
  chain: ChainId | undefined,
): NonNullable<WithdrawalFilter['search']> {
  const recipient = recipientOf(text, chain)
  return {
    text,
    ...(isId(text) && { id: text }),
    ...(recipient !== null && { recipient }),
    ...(isTransactionHash(text) && { hashes: hashesOf(parseHash(text)) }),
  }
}
