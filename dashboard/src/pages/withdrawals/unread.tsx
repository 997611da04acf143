import { isSluiceError } from '@sluice/client'
import { Link } from 'wouter'
import { Card } from '../../parts/page.tsx'
import { Empty, Failure, Skeleton } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'

/** A withdrawal that is not read yet, does not exist, or could not be read. */
export function Unread({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <Card>
      {isSluiceError(error, 'WITHDRAWAL_NOT_FOUND') ? (
        <Empty
          title={t('withdrawal.notFound')}
          action={<Link href="/withdrawals">{t('approvals.emptyLink')}</Link>}
        >
          {t('withdrawal.notFoundWhy')}
        </Empty>
      ) : (
        <WaitOrFailure error={error} onRetry={onRetry} />
      )}
    </Card>
  )
}

function WaitOrFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return error === null ? <Skeleton /> : <Failure error={error} onRetry={onRetry} />
}
