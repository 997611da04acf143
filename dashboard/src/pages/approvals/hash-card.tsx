import { withdrawalHash } from '@sluice/client'
import { useQuery } from '@tanstack/react-query'
import type { SingleWithdrawal } from '@sluice/client'
import { FullAddress } from '../../parts/address.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card } from '../../parts/page.tsx'
import { Skeleton } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'
import styles from './review.module.css'

/** The canonical hash of a withdrawal, for two people who compare it on two devices. */
export function HashCard({ withdrawal }: { withdrawal: SingleWithdrawal }) {
  const canHash = globalThis.isSecureContext
  const { id, amount, recipient, memo } = withdrawal
  const { data: hash } = useQuery({
    queryKey: ['hash', id, amount, recipient, memo],
    queryFn: () => withdrawalHash(withdrawal),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: canHash,
  })
  return (
    <Card title={t('approvals.hash')}>
      {!canHash && <Notice tone="warning" title={t('approvals.hashNeedsHttps')} />}
      {canHash && hash === undefined && <Skeleton lines={1} />}
      {hash !== undefined && (
        <div className={styles['hash']}>
          <p>{t('approvals.hashWhy')}</p>
          <FullAddress value={hash} what={t('approvals.hash')} />
        </div>
      )}
    </Card>
  )
}
