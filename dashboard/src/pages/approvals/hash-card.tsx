import { withdrawalHash } from '@sluice/client'
import { useQuery } from '@tanstack/react-query'
import type { WithdrawalRecord } from '../../data/withdrawals.ts'
import { FullAddress } from '../../parts/address.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card } from '../../parts/page.tsx'
import { Skeleton } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'
import styles from './review.module.css'

/** The canonical hash of a withdrawal, for two people who compare it on two devices. */
export function HashCard({ withdrawal }: { withdrawal: WithdrawalRecord }) {
  const canHash = globalThis.isSecureContext
  const { data: hash } = useQuery({
    queryKey: ['withdrawals', 'hash', withdrawal],
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
