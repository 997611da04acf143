import { LANGUAGE } from '../text/text.ts'

const SHORT = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeStyle: 'short' })
const MINUTE = 60
const HOUR = 60 * MINUTE
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

/** A length of time, to the second below an hour: `14 minutes, 32 seconds`. */
export function formatDuration(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / HOUR), Math.floor((seconds % HOUR) / MINUTE)]
  const parts: string[] = []
  if (hours > 0) parts.push(count(hours, 'hour'))
  if (minutes > 0) parts.push(count(minutes, 'minute'))
  if (hours === 0 && seconds % MINUTE > 0) parts.push(count(Math.ceil(seconds % MINUTE), 'second'))
  return parts.join(', ')
}

function count(amount: number, unit: 'hour' | 'minute' | 'second'): string {
  const style = { style: 'unit', unit, unitDisplay: 'long' } as const
  return new Intl.NumberFormat(LANGUAGE, style).format(amount)
}
