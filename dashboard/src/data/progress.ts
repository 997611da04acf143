import type { Chain, ChainStatus, Deposit } from '@sluice/client'
import { t } from '../text/text.ts'

/** The rule by which a chain settles a block now: blocks on top of it, or its own finality. */
export type SettlingRule = 'depth' | 'final'

/** The way of a detected deposit to its credit. */
export interface Progress {
  confirmations: number
  required: number
  /** Blocks that must still follow; null if the rule of the chain is not known. */
  remaining: number | null
  /** Null without an honest estimate. */
  seconds: number | null
}

interface ProgressFacts {
  rule: SettlingRule | null
  status: ChainStatus | undefined
  blockTimeSeconds: number | null
  /** Milliseconds since 1970. */
  now: number
}

/** A chain is silent if no block came for this many times its block time, and a minute. */
const SILENT_BLOCKS = 10
const SILENT_MS = 60_000
/** Blocks that the scan may be behind the nodes. */
const BEHIND_BLOCKS = 2

/** The progress of a detected deposit, with the time to come if the chain makes blocks. */
export function progressOf(
  deposit: Pick<Deposit, 'blockNumber' | 'confirmations' | 'requiredConfirmations'>,
  { rule, status, blockTimeSeconds, now }: ProgressFacts,
): Progress {
  const { confirmations, requiredConfirmations: required } = deposit
  const remaining = remainingOf(deposit, { rule, final: status?.final ?? null })
  const isMoving = blockTimeSeconds !== null && makesBlocks(status, { blockTimeSeconds, now })
  const seconds = remaining === null || !isMoving ? null : Math.ceil(remaining * blockTimeSeconds)
  return { confirmations, required, remaining, seconds }
}

function remainingOf(
  { blockNumber, confirmations, requiredConfirmations }: Parameters<typeof progressOf>[0],
  { rule, final }: { rule: SettlingRule | null; final: number | null },
): number | null {
  if (rule === 'final' && final !== null) return Math.max(0, blockNumber - final)
  // Without a final block the confirmations decide on every chain.
  if (rule === 'depth' || final === null) return Math.max(0, requiredConfirmations - confirmations)
  return null
}

function makesBlocks(
  status: ChainStatus | undefined,
  { blockTimeSeconds, now }: { blockTimeSeconds: number; now: number },
): boolean {
  if (status === undefined || status.tip === null || status.lag === null) return false
  const silence = now - Date.parse(status.tip.time)
  const isSilent = silence > SILENT_MS + SILENT_BLOCKS * blockTimeSeconds * 1000
  return (
    status.condition === 'running' &&
    status.deposits &&
    status.lag.blocks <= BEHIND_BLOCKS &&
    !isSilent
  )
}

/** The seconds between two blocks of a chain; null if the service does not name them. */
export function blockTimeOf(chain: Chain | undefined): number | null {
  const seconds = chain?.properties['blockTimeSeconds']
  return typeof seconds === 'number' && seconds > 0 ? seconds : null
}

const MINUTE = 60
const HOUR = 3600

/** A time to come in words: `about 40 s`, `about 2 min`, `about 3 h`. */
export function formatSpan(seconds: number): string {
  if (seconds < MINUTE) return t('progress.seconds', { count: Math.max(1, Math.ceil(seconds)) })
  if (seconds < HOUR) return t('progress.minutes', { count: Math.round(seconds / MINUTE) })
  return t('progress.hours', { count: Math.round(seconds / HOUR) })
}

/** The progress in words: `7 of 12, about 1 min`. */
export function formatProgress({ confirmations, required, remaining, seconds }: Progress): string {
  if (remaining === 0) return t('progress.due')
  const counted =
    confirmations < required
      ? t('progress.counted', { confirmations, required })
      : remaining === null
        ? t('progress.final')
        : t('progress.finalIn', { count: remaining })
  return seconds === null ? counted : t('progress.timed', { counted, span: formatSpan(seconds) })
}
