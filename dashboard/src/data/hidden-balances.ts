import { useSyncExternalStore } from 'react'

const KEY = 'sluice.hideBalances'
const listeners = new Set<() => void>()

/** Whether balances are masked on this device, for example while the screen is shared. */
export function useAreBalancesHidden(): boolean {
  return useSyncExternalStore(subscribe, () => localStorage.getItem(KEY) === 'yes')
}

/** Masks balances or shows them again, on this device. */
export function hideBalances(isHidden: boolean): void {
  if (isHidden) localStorage.setItem(KEY, 'yes')
  else localStorage.removeItem(KEY)
  for (const listen of listeners) listen()
}

function subscribe(listen: () => void): () => void {
  listeners.add(listen)
  return () => listeners.delete(listen)
}
