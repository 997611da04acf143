import type { Millis } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../store/database.ts'
import { alertFromRow } from './alert.ts'
import type { Alert } from './alert.ts'
import { selectAlertsSince } from './rows.ts'

/** A row may become visible this long after the time it bears: its transaction was still open. */
const LATE_MS = 60_000

/** Turns rows into log lines and counts, whichever process wrote them. */
export interface AlertWatch {
  /** Looks once for alerts raised since the last look. */
  tick(): Promise<void>
}

/**
 * Watches for alerts raised from `since` on. Each gives a log line, and `onAlert` hears how many
 * times it was raised since it was last heard of, for the counter `sluice_alerts_total{code}`.
 * Where it looks from goes by this process's clock: whoever writes by one that is ahead would else
 * hide what all others write, and so would this one once it was set back.
 */
export function openAlertWatch(given: {
  database: Database
  log: Log
  since: Millis
  onAlert: (alert: Alert, times: number) => void
}): AlertWatch {
  const { database, log, since, onAlert } = given
  /** How often each of the last minute's alerts had been raised when it was last looked at. */
  let heard = new Map<string, number>()
  let newest = since
  const startAt = (now: Millis) =>
    since > now ? now - LATE_MS : Math.max(since, Math.min(newest, now) - LATE_MS)
  return {
    tick: async () => {
      const { from, rows } = await database.transaction(async (tx) => {
        const start = startAt(tx.clock.now())
        return { from: start, rows: await selectAlertsSince(tx, start) }
      })
      for (const alert of rows.map(alertFromRow)) {
        const times = timesSince(alert, heard.get(alert.id), Math.min(since, from))
        if (times === 0) continue
        log.warn(lineOf(alert), alert.message)
        onAlert(alert, times)
      }
      heard = new Map(rows.map((row) => [row.id, row.times]))
      newest = Math.max(newest, ...rows.map((row) => row.last_at))
    },
  }
}

/**
 * An alert first heard of long after it was opened counts once: how often it came before is not
 * news.
 */
function timesSince(alert: Alert, heardTimes: number | undefined, since: Millis): number {
  if (heardTimes !== undefined) return alert.times - heardTimes
  return alert.raisedAt >= since && alert.raisedAt >= alert.lastAt - LATE_MS ? alert.times : 1
}

function lineOf({ code, subject, details, times }: Alert): Record<string, unknown> {
  return { alert: code, subject, details, times }
}
