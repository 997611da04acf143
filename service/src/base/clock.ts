/** Milliseconds since 1970, UTC. */
export type Millis = number

/** Where time comes from. Rooms get one handed in; a test hands in one of its own. */
export interface Clock {
  now(): Millis
  /** Resolves after `ms`, or at once when the signal aborts; it never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The machine's own time. The one place that reads it. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // Node's own promise is rejected by the signal: an error with its stack for each answer in time.
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

/** Calls `end` after `ms` of the machine's time; it keeps no process alive for that. */
export function callIfAlive(ms: Millis, end: () => void): void {
  setTimeout(end, ms).unref()
}

/**
 * Whether a pause that began then is still on; null where none began. It is over where it would
 * begin only later, for a clock that was set back must keep nobody away.
 */
export function isPausing(now: Millis, begunAt: Millis | null, pauseMs: number): boolean {
  return begunAt !== null && begunAt <= now && now < begunAt + pauseMs
}

/**
 * How far a clock of ours may be from the database's before an operator is told of it: codes of a
 * second factor and leases of a few seconds bear no more.
 */
export const SKEW_MAX_MS = 10_000

/**
 * The same of a pause that another process may have begun, by its own clock: one that begins a
 * little later than now is on, for that is how far two clocks may be apart and nobody is told.
 */
export function isPausingForAll(now: Millis, begunAt: Millis, pauseMs: number): boolean {
  const isAhead = begunAt > now && begunAt - now <= 2 * SKEW_MAX_MS
  return isAhead || isPausing(now, begunAt, pauseMs)
}

/**
 * What comes of `work`, or of `late` where that takes longer than `ms`: it may answer or throw. The
 * work goes on then, and nobody hears of it any more.
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

/** ISO 8601, UTC, with milliseconds, as every timestamp on the wire is written. */
export function iso(at: Millis): string {
  if (at !== last.at) last = { at, text: new Date(at).toISOString() }
  return last.text
}

/** What was written last: rows and events of one moment are many. */
let last = { at: 0, text: new Date(0).toISOString() }

/** A moment in the form that libraries want which know no milliseconds. */
export function toDate(at: Millis): Date {
  return new Date(at)
}

/** Reads an ISO 8601 timestamp; NaN where it is none. */
export function fromIso(text: string): Millis {
  return Date.parse(text)
}
