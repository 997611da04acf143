import { useQuery } from '@tanstack/react-query'
import { client, queries } from './client.ts'

const PENDING_MAX = 20

/** The organization with its settings. */
export function useOrganization() {
  return useQuery({
    queryKey: ['organisation'],
    queryFn: ({ signal }) => client.organisation.get({ signal }),
  })
}

/** The newest withdrawals that wait for approvals, and whether there are more. */
export function useWaitingWithdrawals() {
  return useQuery({
    queryKey: ['withdrawals', 'waiting', PENDING_MAX],
    queryFn: ({ signal }) =>
      client.withdrawals.list({ status: 'PendingApproval', limit: PENDING_MAX }, { signal }),
  })
}

/** Reads the organization again after a change. */
export function refreshOrganization(): void {
  void queries.invalidateQueries({ queryKey: ['organisation'] })
}
