import { isSluiceError } from '@sluice/client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { signersRefusalOf } from '../../data/signers-refusal.ts'
import { Short } from '../../parts/address.tsx'
import { Notice } from '../../parts/notice.tsx'
import { t } from '../../text/text.ts'
import styles from './refusal.module.css'

/** A refused change of a person in words, with links to what prevents it; null for other errors. */
export function explainRefusal(error: unknown, username: string): ReactNode {
  if (isSluiceError(error, 'LAST_ADMIN'))
    return <Notice tone="danger" title={t('people.lastAdmin', { username })} />
  if (!isSluiceError(error, 'INVALID_MIN_SIGNERS')) return null
  const { left, needed, withdrawals } = signersRefusalOf(error.details)
  return (
    <Notice tone="danger" title={t('people.signersTitle')}>
      <p>
        {needed > left
          ? t('people.signersLeft', { count: left, needed })
          : t('people.signersLeftOnly', { count: left })}
      </p>
      {withdrawals.length > 0 && (
        <>
          <p>{t('people.signersWithdrawals')}</p>
          <ul className={styles['withdrawals']}>
            {withdrawals.map(({ id, approvals }) => (
              <li key={id}>
                <Link href={`/withdrawals/${id}`}>{t('people.withdrawal')}</Link>{' '}
                <Short value={id} /> {t('people.signersWithdrawal', { count: approvals })}
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        {t('people.signersNext')} <Link href="/settings">{t('people.thresholds')}</Link>.
      </p>
    </Notice>
  )
}
