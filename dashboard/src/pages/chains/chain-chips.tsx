import { type ChainRow, type Health, type Running, runningOf } from '../../data/chain-health.ts'
import { useOf } from '../../data/decisions.ts'
import { formatDuration } from '../../data/times.ts'
import { Chip, type Tone } from '../../parts/chip.tsx'
import type { IconName } from '../../parts/icon.tsx'
import { UseChip } from '../../parts/use-chip.tsx'
import { LANGUAGE, t } from '../../text/text.ts'

/** The tone of each health of a chain. */
export const HEALTH_TONES: Readonly<Record<Health, Tone>> = {
  running: 'success',
  lagging: 'warning',
  undoing: 'warning',
  unanswered: 'danger',
  frozen: 'danger',
  halted: 'danger',
  unreached: 'danger',
  absent: 'neutral',
}

const ICONS: Readonly<Partial<Record<Health, IconName>>> = { lagging: 'clock', undoing: 'refresh' }

/** The health of a chain as an icon and a word. */
export function HealthChip({ health }: { health: Health }) {
  const icon = ICONS[health]
  return (
    <Chip tone={HEALTH_TONES[health]} {...(icon !== undefined && { icon })}>
      {t(`chains.health.${health}`)}
    </Chip>
  )
}

const RUNNING_TONES: Readonly<Record<Running, Tone>> = {
  both: 'success',
  depositsOnly: 'warning',
  withdrawalsOnly: 'warning',
  neither: 'danger',
}

/**
 * Whether deposits and withdrawals of the organization run; if it does not use the chain, why.
 * A chain that is not configured runs nothing.
 */
export function RunningChip({ row: { chain, status } }: { row: ChainRow }) {
  const use = useOf(chain)
  if (use !== 'on') return <UseChip use={use} />
  if (status === null) return t('record.none')
  const running = runningOf(status)
  return <Chip tone={RUNNING_TONES[running]}>{t(`chains.running.${running}`)}</Chip>
}

const NUMBER = new Intl.NumberFormat(LANGUAGE)

/** The height of a block with its groups of digits. */
export function blocks(height: number): string {
  return NUMBER.format(height)
}

/** A length of time, in seconds at least: `0 seconds`. */
export function secondsText(seconds: number): string {
  return seconds < 1 ? t('chains.seconds', { count: seconds }) : formatDuration(seconds)
}

const UNITS = [
  ['days', 86_400],
  ['hours', 3_600],
  ['minutes', 60],
] as const

/** A length of time in its largest unit, for lists: `4 s`, `12 min`, `5 h`. */
export function shortSpan(seconds: number): string {
  for (const [unit, length] of UNITS)
    if (seconds >= length) return t(`chains.span.${unit}`, { count: Math.floor(seconds / length) })
  return t('chains.span.seconds', { count: seconds })
}
