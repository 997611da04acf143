import type { Millis } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../store/database.ts'
import { alertFromRow } from './alert.ts'
import type { Alert } from './alert.ts'
import { selectAlertsSince } from './rows.ts'

/** How long after its timestamp a row may become visible: the time of a transaction. */
const LATE_MS = 60_000

export interface AlertWatch {
  /** Reads the alerts raised since the last call, by any process. */
  tick(): Promise<void>
}

/**
 * Watches for alerts raised from `since` on. Logs each of them and calls `onAlert` with the number
 * of times that it was raised since the last call, for the counter `sluice_alerts_total{code}`.
 */
export function openAlertWatch(given: {
  database: Database
  log: Log
  since: Millis
  onAlert: (alert: Alert, times: number) => void
}): AlertWatch {
  const { database, log, since, onAlert } = given
  /** Counts of the last minute's alerts at the last call. */
  let heard = new Map<string, number>()
  let newest = since
  return {
    tick: async () => {
      const rows = await database.transaction((tx) =>
        selectAlertsSince(tx, Math.max(since, Math.min(newest, tx.clock.now()) - LATE_MS)),
      )
      for (const alert of rows.map(alertFromRow)) {
        const times = timesSince(alert, heard.get(alert.id), since)
        if (times === 0) continue
        log.warn(lineOf(alert), alert.message)
        onAlert(alert, times)
      }
      heard = new Map(rows.map((row) => [row.id, row.times]))
      newest = Math.max(newest, ...rows.map((row) => row.last_at))
    },
  }
}

/** An alert that was raised long before this watch started counts once. */
function timesSince(alert: Alert, heardTimes: number | undefined, since: Millis): number {
  if (heardTimes !== undefined) return alert.times - heardTimes
  return alert.raisedAt >= since && alert.raisedAt >= alert.lastAt - LATE_MS ? alert.times : 1
}

function lineOf({ code, subject, details, times }: Alert): Record<string, unknown> {
  return { alert: code, subject, details, times }
}
