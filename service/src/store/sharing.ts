import type { Clock, Millis } from '../base/clock.ts'

/**
 * A function whose calls within `ms` of the first share one call of `work`. The signal of the first
 * call ends the wait.
 */
export function sharing<T>(
  clock: Clock,
  ms: Millis,
  work: () => Promise<T>,
): (signal: AbortSignal) => Promise<T> {
  let waiting: Promise<T> | null = null
  const begin = async (signal: AbortSignal) => {
    await clock.sleep(ms, signal)
    waiting = null
    return work()
  }
  return (signal) => (waiting ??= begin(signal))
}
