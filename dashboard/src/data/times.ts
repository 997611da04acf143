import { LANGUAGE } from '../text/text.ts'

const SHORT = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeStyle: 'short' })
const RELATIVE = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto', style: 'long' })
const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** A time in the person's zone: `Nov 28, 2026, 7:02 PM`. */
export function formatTime(iso: string): string {
  return SHORT.format(new Date(iso))
}

/** A time in UTC: `2026-11-28 19:02:11 UTC`. */
export function formatUtc(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** How long ago a time is, or how soon it comes: `5 minutes ago`. */
export function formatAge(iso: string, now: number): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1000)
  for (const [unit, length] of STEPS) {
    if (Math.abs(seconds) >= length) return RELATIVE.format(Math.trunc(seconds / length), unit)
  }
  return RELATIVE.format(0, 'second')
}
