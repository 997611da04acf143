import { useQuery } from '@tanstack/react-query'
import { client, queries } from './client.ts'
import { isWaiting } from './deposits.ts'

const WAITING_MS = 5_000
const EVENTS = 100

/** One deposit, with its notification and its sweep. */
export function useDeposit(id: string) {
  return useQuery({
    queryKey: ['deposits', 'one', id],
    queryFn: ({ signal }) => client.payments.deposit(id, { signal }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isWaiting(state.data) ? WAITING_MS : false,
  })
}

/** The events of a deposit, newest first. */
export function useDepositEvents(id: string) {
  return useQuery({
    queryKey: ['events', 'subject', id],
    queryFn: async ({ signal }) =>
      (await client.events.list({ subjectId: id, limit: EVENTS }, { signal })).items,
  })
}

/** Sends an event to the default webhook endpoint again. */
export async function resendEvent(id: string): Promise<void> {
  await client.events.redeliver(id)
  const changed = ['events', 'deposits'].map((subject) =>
    queries.invalidateQueries({ queryKey: [subject] }),
  )
  await Promise.all(changed)
}
