import type { Page, SingleWithdrawal, Withdrawal, WithdrawalReview } from '@sluice/client'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { sumOf } from './amounts.ts'
import { client, queries } from './client.ts'
import { dayRange } from './days.ts'
import { eventsOf } from './events.ts'

const PAGE_SIZE = 50
const NO_TIMES: ReadonlyMap<string, string> = new Map()
/** Approvals of others before the last one are no events, so open records are read again. */
const OPEN_MS = 10_000

/** The filters of the list, as in the address of its page. */
export const WITHDRAWAL_FILTERS = [
  'status',
  'chainId',
  'tokenId',
  'recipient',
  'reference',
  'externalUserId',
  'q',
  'from',
  'to',
] as const
export type WithdrawalFilter = Partial<Record<(typeof WITHDRAWAL_FILTERS)[number], string>>

/** The result of one code for several withdrawals. */
export type ApprovedMany = Awaited<ReturnType<typeof client.withdrawals.approveMany>>

/** A page of withdrawals, newest first. */
export function useWithdrawals(
  filter: WithdrawalFilter,
  cursor: string | undefined,
): UseQueryResult<Page<Withdrawal>> {
  return useQuery({
    queryKey: ['withdrawals', 'list', filter, cursor],
    queryFn: ({ signal }) =>
      client.withdrawals.list(
        { ...queryOf(filter), limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  })
}

/** A filter as the service takes it. */
export function queryOf({ from, to, ...rest }: WithdrawalFilter): WithdrawalFilter {
  return { ...rest, ...dayRange({ from, to }) }
}

/** One withdrawal, verified by the service. */
export function useWithdrawal(id: string): UseQueryResult<SingleWithdrawal> {
  return useQuery(singleWithdrawal(id))
}

/** The query of one withdrawal. */
export function singleWithdrawal(id: string) {
  return {
    queryKey: ['withdrawals', 'one', id],
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<SingleWithdrawal> =>
      client.withdrawals.get(id, { signal }),
    refetchInterval: ({ state: { data } }: { state: { data: SingleWithdrawal | undefined } }) =>
      data !== undefined && isOpen(data) ? OPEN_MS : (false as const),
  }
}

/** Whether a withdrawal can still change. */
export function isOpen({ status }: Pick<Withdrawal, 'status'>): boolean {
  return status === 'PendingApproval' || status === 'Pending' || status === 'Processing'
}

/** Every withdrawal that waits for approvals, oldest first. */
export function usePendingApprovals(isOn = true): UseQueryResult<Withdrawal[]> {
  return useQuery({
    queryKey: ['withdrawals', 'pendingApproval'],
    queryFn: ({ signal }) => readPending(signal),
    refetchInterval: OPEN_MS,
    enabled: isOn,
  })
}

async function readPending(signal: AbortSignal): Promise<Withdrawal[]> {
  const pending: Withdrawal[] = []
  const found = client.withdrawals.all({ status: 'PendingApproval' }, { signal })
  for await (const withdrawal of found) pending.push(withdrawal)
  return pending.reverse()
}

/** The warnings, fee and balance of a withdrawal, for the people who approve it. */
export function useReview(id: string): UseQueryResult<WithdrawalReview> {
  return useQuery({
    queryKey: ['withdrawals', 'review', id],
    queryFn: ({ signal }) => client.withdrawals.review(id, { signal }),
  })
}

/** When the events of a withdrawal happened, by their type; the latest if there are several. */
export function useEventTimes(id: string): ReadonlyMap<string, string> {
  const { data } = useQuery({
    ...eventsOf(id),
    select: (items) =>
      new Map(items.toReversed().map(({ type, timestamp }): [string, string] => [type, timestamp])),
  })
  return data ?? NO_TIMES
}

/** The available balance of a token, in base units. */
export function useAvailable(tokenId: string): UseQueryResult<string> {
  return useQuery({
    queryKey: ['portfolio', 'available', tokenId],
    queryFn: async ({ signal }) => {
      const entries = await client.portfolio.list({ tokenId }, { signal })
      return sumOf(entries.map(({ available }) => available))
    },
    enabled: tokenId !== '',
  })
}

/** Reads the data again that a change of a withdrawal concerns. */
export function refreshWithdrawals(): Promise<void> {
  return queries
    .invalidateQueries({ predicate: ({ queryKey: [subject] }) => CHANGED.has(String(subject)) })
    .catch(() => undefined)
}

const CHANGED = new Set(['withdrawals', 'portfolio', 'stats'])
