import { isSluiceError } from '@sluice/client'
import { useParams } from 'wouter'
import { useAlert } from '../../data/alerts.ts'
import { Short } from '../../parts/address.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Stale } from '../../parts/list.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Empty, Failure, Skeleton } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'
import { About, Explanation, kindText, State, Times } from './alert-cells.tsx'
import styles from './alerts.module.css'

const BACK = { href: '/alerts', text: t('alerts.title') }

/** One alert: its cause, its subject and its state. */
export function AlertPage() {
  const { id = '' } = useParams()
  const query = useAlert(id)
  const { data: alert, error } = query
  const retry = () => void query.refetch()
  if (alert === undefined)
    return (
      <Page title={t('alerts.one')} back={BACK}>
        {error === null ? <Skeleton /> : <Unread error={error} onRetry={retry} />}
      </Page>
    )
  return (
    <Page title={kindText(alert)} back={BACK}>
      {error !== null && <Stale error={error} onRetry={retry} />}
      <Card title={t('alerts.one')}>
        <div className={styles['message']}>
          <Explanation alert={alert} />
        </div>
        <Facts
          facts={[
            [t('alerts.about'), <About key="about" alert={alert} />],
            [t('alerts.raised'), <Times key="times" alert={alert} />],
            [t('alerts.state'), <State key="state" alert={alert} />],
            [t('alerts.id'), <Short key="id" value={alert.id} what={t('alerts.thisId')} />],
          ]}
        />
      </Card>
    </Page>
  )
}

function Unread({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (!isSluiceError(error, 'NOT_FOUND')) return <Failure error={error} onRetry={onRetry} />
  return <Empty title={t('alerts.notFound')}>{t('alerts.notFoundWhy')}</Empty>
}
