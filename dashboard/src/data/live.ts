import { isSluiceError } from '@sluice/client'
import { useEffect } from 'react'
import { client, queries } from './client.ts'

/** The service answers earlier if an event comes. */
const WAIT_SECONDS = 25
/** After a failed answer. */
const PAUSE_MS = 5_000
const PAGE_MAX = 500

/** The lists and records that an event changes, by the part of its type before the point. */
const CHANGED_BY: Readonly<Record<string, readonly string[]>> = {
  deposit: ['deposits', 'portfolio', 'unattributed', 'stats', 'accounts', 'sweeps'],
  account: ['accounts'],
  withdrawal: ['withdrawals', 'portfolio', 'stats'],
  balance: ['portfolio', 'gasStation', 'sweeps', 'ledgerEntries'],
  gas: ['gasStation', 'alerts'],
  chain: ['chains', 'alerts'],
  settings: ['organisation', 'webhookEndpoints', 'auditLog'],
  webhook: ['webhookEndpoints'],
}

/**
 * Follows the events of the organization while the page is visible, and marks the data that they
 * change as stale, so that what is shown is read again.
 */
export function useLive(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined
    const stop = new AbortController()
    void follow(stop.signal)
    return () => stop.abort()
  }, [isOn])
}

async function follow(signal: AbortSignal): Promise<void> {
  let after: number | null = null
  while (!signal.aborted) {
    try {
      await untilVisible(signal)
      if (after === null) after = await newest(signal)
      const feed = { after, limit: PAGE_MAX, wait: WAIT_SECONDS }
      const { items } = await client.events.list(feed, { signal })
      after = items.at(-1)?.sequence ?? after
      for (const name of changedBy(items.map(({ type }) => type)))
        void queries.invalidateQueries({ queryKey: [name] })
    } catch (error) {
      if (signal.aborted || isSluiceError(error, 'UNAUTHORIZED', 'INVALID_TOKEN')) return
      await pause(signal)
    }
  }
}

async function newest(signal: AbortSignal): Promise<number> {
  const { items } = await client.events.list({ limit: 1 }, { signal })
  return items[0]?.sequence ?? 0
}

/** The data that events of these types change, each once; a list of events changes always. */
function changedBy(types: readonly string[]): string[] {
  if (types.length === 0) return []
  const changed = types.flatMap((type) => CHANGED_BY[type.split('.')[0] ?? ''] ?? [])
  return [...new Set(['events', ...changed])]
}

function untilVisible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === 'visible') return Promise.resolve()
  return new Promise((resolve) => {
    const options = { once: true, signal }
    document.addEventListener('visibilitychange', () => resolve(), options)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PAUSE_MS)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
