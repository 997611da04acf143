import { useQuery } from '@tanstack/react-query'
import { CHAIN_STATUSES } from './catalogue.ts'
import { client } from './client.ts'
import { dayRange } from './days.ts'
import type { Delivered } from './webhook-days.ts'

const RECENT = 5
/** The newest deposits that the chart of confirmation times shows. */
export const DEPOSITS_MAX = 500
/** The newest events that the chart of webhook deliveries shows. */
export const EVENTS_MAX = 2_000

/** The state of each chain that the service has nodes for. */
export function useChainStatuses() {
  return useQuery({ ...CHAIN_STATUSES, refetchInterval: 30_000 })
}

/** Withdrawals that failed since a day. */
export function useFailedWithdrawals(from: string) {
  return useQuery({
    queryKey: ['withdrawals', 'failed', from],
    queryFn: ({ signal }) =>
      client.withdrawals.list({ status: 'Failed', ...dayRange({ from }) }, { signal }),
  })
}

/** Events since a day whose delivery failed. */
export function useFailedDeliveries(from: string) {
  return useQuery({
    queryKey: ['events', 'failed', from],
    queryFn: ({ signal }) =>
      client.events.list({ delivery: 'failed', ...dayRange({ from }) }, { signal }),
  })
}

/** Alerts whose cause has not ended. */
export function useOpenAlerts() {
  return useQuery({
    queryKey: ['alerts', 'open'],
    queryFn: ({ signal }) => client.alerts.list({ open: true }, { signal }),
    refetchInterval: 60_000,
  })
}

/** The newest deposits. */
export function useRecentDeposits() {
  return useQuery({
    queryKey: ['deposits', 'recent'],
    queryFn: ({ signal }) => client.payments.list({ limit: RECENT }, { signal }),
  })
}

/** The newest withdrawals. */
export function useRecentWithdrawals() {
  return useQuery({
    queryKey: ['withdrawals', 'recent'],
    queryFn: ({ signal }) => client.withdrawals.list({ limit: RECENT }, { signal }),
  })
}

/** The newest confirmed deposits of a time. */
export function useConfirmedDeposits(filter: {
  from: string
  to: string
  chainId?: string
  tokenId?: string
}) {
  return useQuery({
    queryKey: ['deposits', 'confirmationTimes', filter],
    queryFn: ({ signal }) =>
      client.payments.list({ ...filter, status: 'Confirmed', limit: DEPOSITS_MAX }, { signal }),
  })
}

/** The newest events of a time with the state of their delivery. */
export function useDeliveries(filter: { from: string; to: string }) {
  return useQuery({
    queryKey: ['events', 'deliveries', filter],
    queryFn: async ({ signal }) => {
      const events: Delivered[] = []
      for await (const { timestamp, delivery } of client.events.all(filter, { signal })) {
        events.push({ timestamp, delivery })
        if (events.length === EVENTS_MAX) break
      }
      return events
    },
  })
}
