import { Card, Page } from '../../parts/page.tsx'
import { LinkButton } from '../../parts/button.tsx'
import { Empty } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'
import { DepositList } from './deposit-list.tsx'
import { TraceBox } from './trace-box.tsx'

/** All deposits, and the box that finds a missing one. */
export function Deposits() {
  const empty = (
    <Empty
      title={t('deposits.empty')}
      action={<LinkButton href="/accounts">{t('deposits.emptyAction')}</LinkButton>}
    >
      {t('deposits.emptyWhy')}
    </Empty>
  )
  return (
    <Page title={t('deposits.title')} lead={t('deposits.lead')}>
      <Card title={t('trace.box')}>
        <TraceBox />
      </Card>
      <Card title={t('deposits.all')} isFlush>
        <DepositList empty={empty} />
      </Card>
    </Page>
  )
}
