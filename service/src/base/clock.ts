/** Milliseconds since 1970, UTC. */
export type Millis = number

/** The source of time. Modules take one as a parameter, so that a test can pass its own. */
export interface Clock {
  now(): Millis
  /** Resolves after `ms`, or at once when the signal aborts; it never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/**
 * Wraps `wall` so that it never goes back: while it is behind, time advances at half the speed of
 * `elapsed`, a counter of milliseconds that cannot be set, until both agree again.
 */
export function neverBack(wall: () => Millis, elapsed: () => Millis): () => Millis {
  let last = wall()
  let seenAt = elapsed()
  return () => {
    const at = elapsed()
    last = Math.max(wall(), last + (at - seenAt) / 2)
    seenAt = at
    return Math.floor(last)
  }
}

/** The time of the process. No other code reads the system clock. */
export const systemClock: Clock = {
  now: neverBack(
    () => Date.now(),
    () => performance.now(),
  ),
  // `timers/promises` would reject on abort and allocate an error with its stack for each call.
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      signal?.addEventListener('abort', end)
    }),
}

/** Calls `end` after `ms`. The timer does not keep the process alive. */
export function callIfAlive(ms: Millis, end: () => void): void {
  setTimeout(end, ms).unref()
}

/** Whether a pause of `pauseMs` that began at `begunAt` is still on. */
export function isPausing(now: Millis, begunAt: Millis | null, pauseMs: Millis): boolean {
  return begunAt !== null && now < begunAt + pauseMs
}

/**
 * Returns the result of `work`, or calls `late` if it takes longer than `ms`; `late` may return or
 * throw. The work then continues and its result is dropped.
 */
export async function inTime<T>(
  clock: Clock,
  { ms, work, late }: { ms: Millis; work: Promise<T>; late: () => T },
): Promise<T> {
  const settled = new AbortController()
  const { signal } = settled
  const over = clock.sleep(ms, signal).then(() => (signal.aborted ? work : late()))
  try {
    return await Promise.race([work, over])
  } finally {
    settled.abort()
  }
}

/** ISO 8601 in UTC with milliseconds: the format of every timestamp on the wire. */
export function iso(at: Millis): string {
  if (at !== last.at) last = { at, text: new Date(at).toISOString() }
  return last.text
}

/** The last result: many rows and events have the same timestamp. */
let last = { at: 0, text: new Date(0).toISOString() }

/** Converts to a `Date`, for libraries that take one. */
export function toDate(at: Millis): Date {
  return new Date(at)
}

/** Parses an ISO 8601 timestamp; NaN if it is invalid. */
export function fromIso(text: string): Millis {
  return Date.parse(text)
}
