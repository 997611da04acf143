import { LANGUAGE } from '../text/text.ts'

const NAME = new Intl.DateTimeFormat(LANGUAGE, { month: 'long', year: 'numeric', timeZone: 'UTC' })
const DAY = new Intl.DateTimeFormat(LANGUAGE, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const DAY_MS = 86_400_000

/** The UTC month of a time: `2026-11`. */
export function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7)
}

/** Whether a text is a month: `2026-11`. */
export function isMonth(text: string): boolean {
  return /^20[0-9]{2}-(?:0[1-9]|1[0-2])$/.test(text)
}

/** The month and those before it, newest first. */
export function monthsUntil(month: string, count: number): string[] {
  return Array.from({ length: count }, (_, back) => monthOf(startOf(month, -back)))
}

/** `November 2026`. */
export function monthName(month: string): string {
  return NAME.format(startOf(month))
}

/** The first and the last day of a month: `2026-11-01` and `2026-11-30`. */
export function daysOfMonth(month: string): { from: string; to: string } {
  return { from: dayOf(startOf(month)), to: dayOf(startOf(month, 1) - DAY_MS) }
}

/** The first moment of a month, and the last millisecond of it, as ISO 8601. */
export function timesOfMonth(month: string): { from: string; to: string } {
  const end = new Date(startOf(month, 1) - 1)
  return { from: new Date(startOf(month)).toISOString(), to: end.toISOString() }
}

/** The UTC day of a time: `2026-11-28`. */
function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** `Nov 28`, of a UTC day. */
export function dayName(day: string): string {
  return DAY.format(Date.parse(day))
}

/** Every UTC day from one to another, both included. */
export function daysBetween(from: string, to: string): string[] {
  const first = Date.parse(from)
  const count = Math.round((Date.parse(to) - first) / DAY_MS) + 1
  return Array.from({ length: Math.max(0, count) }, (_, index) => dayOf(first + index * DAY_MS))
}

/** The given number of UTC days that end with the day of a time. */
export function lastDays(count: number, now: number): string[] {
  return daysBetween(dayOf(now - (count - 1) * DAY_MS), dayOf(now))
}

function startOf(month: string, plus = 0): number {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return Date.UTC(year, number - 1 + plus)
}
