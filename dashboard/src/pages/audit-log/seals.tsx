import type { AuditVerification } from '@sluice/client'
import { useMutation } from '@tanstack/react-query'
import { verifyAuditLog } from '../../data/audit-log.ts'
import { Short } from '../../parts/address.tsx'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card } from '../../parts/page.tsx'
import { Setting } from '../../parts/setting.tsx'
import { Failure } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'

/** Verifies the seals of the log, with the result in words. */
export function Seals() {
  const check = useMutation({ mutationFn: verifyAuditLog })
  return (
    <Card title={t('auditLog.seals')}>
      <Setting text={t('auditLog.sealsWhy')}>
        <Button onClick={() => check.mutate()} isBusy={check.isPending}>
          {t('auditLog.verify')}
        </Button>
      </Setting>
      {check.error !== null && <Failure error={check.error} onRetry={() => check.mutate()} />}
      <div role="status">{check.data !== undefined && <Result verification={check.data} />}</div>
    </Card>
  )
}

function Result({
  verification: { verified, checked, waiting, head },
}: {
  verification: AuditVerification
}) {
  return (
    <Notice
      tone={verified ? 'success' : 'danger'}
      title={verified ? t('auditLog.intact', { count: checked }) : t('auditLog.broken')}
    >
      {!verified && <p>{t('auditLog.brokenWhy')}</p>}
      {waiting > 0 && <p>{t('auditLog.waiting', { count: waiting })}</p>}
      {verified && (
        <p>
          {t('auditLog.head')} <Short value={head} what={t('auditLog.headWhat')} />
        </p>
      )}
    </Notice>
  )
}
