import type { SingleWithdrawal } from '@sluice/client'
import { useNames } from '../../data/names.ts'
import { personOf } from '../../data/person-of.ts'
import { Chip } from '../../parts/chip.tsx'
import { Card } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { progressOf } from '../approvals/standing.ts'
import styles from './approvals-card.module.css'

/** The approvals of a withdrawal with their times, void ones too, and the people who still can. */
export function ApprovalsCard({ withdrawal }: { withdrawal: SingleWithdrawal }) {
  const { approvals, initiator, eligibleApprovers, status, requiredHumans } = withdrawal
  const names = useNames()
  const { given, needed } = progressOf(withdrawal, names)
  const isWaiting = status === 'PendingApproval'
  return (
    <Card
      title={t('approvals.card')}
      actions={
        <Chip tone={given >= needed ? 'success' : isWaiting ? 'warning' : 'neutral'}>
          {t('approvals.progress', { given, needed })}
        </Chip>
      }
    >
      <ul className={styles['people']}>
        {approvals.map(({ userId, name, createdAt, method, voidedAt, voidCause }) => (
          <li key={`${userId} ${createdAt}`}>
            <strong>{personOf(name, userId, names)}</strong>
            {userId === initiator && <span>{t('approvals.initiated')}</span>}
            {method !== null && <span>{t(`approvals.method.${method}`)}</span>}
            <Time iso={createdAt} />
            {voidedAt !== null && (
              <span className={styles['void']}>
                {t('approvals.void', { cause: voidCause ?? '' })}
              </span>
            )}
          </li>
        ))}
      </ul>
      {isWaiting && requiredHumans > 0 && (
        <p className={styles['muted']}>{t('approvals.humans', { count: requiredHumans })}</p>
      )}
      {isWaiting && (
        <p>
          {eligibleApprovers.length === 0
            ? t('approvals.nobody')
            : t('approvals.eligible', {
                names: eligibleApprovers.map(({ name }) => name).join(', '),
              })}
        </p>
      )}
    </Card>
  )
}
