import type { Client } from '@sluice/client'
import { useQuery } from '@tanstack/react-query'
import { client, queries } from './client.ts'
import { isWaiting } from './deposits.ts'
import { eventsOf } from './events.ts'

type SingleDeposit = Awaited<ReturnType<Client['payments']['deposit']>>

const WAITING_MS = 5_000

/** One deposit, with its notification and its sweep. */
export function useDeposit(id: string) {
  return useQuery({
    queryKey: ['deposits', 'one', id],
    queryFn: ({ signal }) => client.payments.deposit(id, { signal }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && (isWaiting(state.data) || isBeingSent(state.data))
        ? WAITING_MS
        : false,
  })
}

function isBeingSent({ notification }: SingleDeposit): boolean {
  return notification?.delivery.state === 'pending'
}

/** The events of a deposit, newest first. */
export function useDepositEvents(id: string) {
  return useQuery({
    ...eventsOf(id),
    // A delivery emits no event.
    refetchInterval: ({ state }) =>
      state.data?.some(({ delivery }) => delivery.state === 'pending') ? WAITING_MS : false,
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
