import type { EstimateWarning } from '@sluice/client'
import { Link } from 'wouter'
import type { Tone } from '../../parts/chip.tsx'
import { Notice } from '../../parts/notice.tsx'
import { t } from '../../text/text.ts'
import { LookAlikes } from './look-alikes.tsx'
import styles from './warnings.module.css'

const TONES: Readonly<Record<EstimateWarning['code'], Tone>> = {
  LOOKALIKE_ADDRESS: 'danger',
  OWN_ADDRESS: 'warning',
  FIRST_PAYMENT: 'warning',
  DUPLICATE_PAYMENT: 'danger',
  CONTRACT_RECIPIENT: 'warning',
  CONTRACT_UNKNOWN: 'info',
  TAG_MISSING: 'danger',
  TAG_UNKNOWN: 'warning',
  LARGE_SHARE: 'warning',
}

/** The warnings of a payment, in the order of the service. */
export function Warnings({
  warnings,
  recipient,
}: {
  warnings: readonly EstimateWarning[]
  recipient: string
}) {
  if (warnings.length === 0) return <Notice tone="success" title={t('warning.none')} />
  return (
    <ul className={styles['warnings']} aria-label={t('warning.title')}>
      {warnings.map((warning) => (
        <li key={warning.code}>
          <Warning warning={warning} recipient={recipient} />
        </li>
      ))}
    </ul>
  )
}

function Warning({
  warning: { code, message, details },
  recipient,
}: {
  warning: EstimateWarning
  recipient: string
}) {
  if (!Object.hasOwn(TONES, code)) return <Notice tone="warning" title={message} />
  const { withdrawalId } = details
  return (
    <Notice tone={TONES[code]} title={t(`warning.${code}`)}>
      <p>{message}</p>
      {code === 'LOOKALIKE_ADDRESS' && <LookAlikes details={details} recipient={recipient} />}
      {typeof withdrawalId === 'string' && (
        <Link href={`/withdrawals/${withdrawalId}`}>{t('warning.showDuplicate')}</Link>
      )}
    </Notice>
  )
}
