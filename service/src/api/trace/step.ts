import type { TraceCode, TraceStep } from '@sluice/wire'

export function step(
  code: TraceCode,
  message: string,
  details: Readonly<Record<string, string | number>> = {},
): TraceStep {
  return { code, message, details: { ...details } }
}

/** Formats a duration in its largest useful unit. */
export function spanOf(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`
  if (seconds < 129_600) return `${Math.round(seconds / 3_600)} h`
  return `${Math.round(seconds / 86_400)} days`
}

export function blocks(count: number): string {
  return count === 1 ? 'block' : 'blocks'
}
