import { isSluiceError, SluiceNetworkError } from '@sluice/client'
import type { ReactNode } from 'react'
import { leastRole } from '../data/roles.ts'
import { formatDuration } from '../data/times.ts'
import { secondsOf } from '../data/wait.ts'
import { sentence, t } from '../text/text.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import styles from './states.module.css'

/** Grey lines of the shape of what is being loaded. */
export function Skeleton({ lines = 6 }: { lines?: number }) {
  return (
    <div className={styles['skeleton']} role="status" aria-label={t('states.loading')}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  )
}

/** An empty place: its future content and the next step. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className={styles['state']}>
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  )
}

/** A failed request: the reason, and its id for support. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (isSluiceError(error, 'FORBIDDEN')) return <Forbidden needed={error.details.required ?? ''} />
  return (
    <div className={styles['failure']} role="alert">
      <Icon name="warning" />
      <div>
        <p>{messageOf(error)}</p>
        <RequestId error={error} />
        {onRetry && <Button onClick={onRetry}>{t('states.retry')}</Button>}
      </div>
    </div>
  )
}

/** The page exists, but the person's role does not include it. */
export function Forbidden({ needed }: { needed: string }) {
  return (
    <Empty title={t('states.forbidden')}>
      {t('states.forbiddenWhy', { role: leastRole(needed) })}
    </Empty>
  )
}

function RequestId({ error }: { error: unknown }) {
  const id = isSluiceError(error) ? error.requestId : null
  if (id === null) return null
  return (
    <p className={styles['request']}>
      {t('states.requestId')} <code>{id}</code>
    </p>
  )
}

/** An error in words. */
export function messageOf(error: unknown): string {
  if (error instanceof SluiceNetworkError) return t('states.noAnswer')
  const seconds = secondsOf(error)
  if (seconds > 0) return t('states.tooMany', { time: formatDuration(seconds) })
  if (!(error instanceof Error)) return String(error)
  // Refusals begin with their code, which is for programs.
  return sentence(error.message.replace(/^[A-Z_]+: /, ''))
}
