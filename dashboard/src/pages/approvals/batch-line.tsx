import { Link } from 'wouter'
import type { SingleWithdrawal } from '@sluice/client'
import { Notice } from '../../parts/notice.tsx'
import { Card } from '../../parts/page.tsx'
import { t } from '../../text/text.ts'
import { PaymentFacts } from '../withdrawals/payment.tsx'
import styles from './batch.module.css'
import { WarningsOf } from './checks.tsx'
import type { Standing } from './standing.ts'

/** One withdrawal of a batch: what is paid to whom, in full, and what to check. */
export function BatchLine({
  withdrawal,
  standing,
  title,
}: {
  withdrawal: SingleWithdrawal
  standing: Standing
  title: string
}) {
  const { id, reference, externalUserId, Token: token } = withdrawal
  return (
    <Card title={title} actions={<Link href={`/approvals/${id}`}>{t('batch.alone')}</Link>}>
      {standing !== 'mayApprove' && (
        <Notice tone="neutral" title={t('batch.leftOut')}>
          <p>{t(`batch.why.${standing}`)}</p>
        </Notice>
      )}
      <PaymentFacts payment={withdrawal} token={token} hasQr={false} />
      <p className={styles['context']}>
        <span>
          {t('withdrawals.reference')}: <bdi>{reference}</bdi>
        </span>
        {externalUserId !== '' && (
          <span>
            {t('withdrawals.user')}: <bdi>{externalUserId}</bdi>
          </span>
        )}
      </p>
      {standing === 'mayApprove' && <WarningsOf withdrawal={withdrawal} />}
    </Card>
  )
}
