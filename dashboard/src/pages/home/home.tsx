import { useMemo } from 'react'
import { Link } from 'wouter'
import { useStats } from '../../data/money.ts'
import { lastDays } from '../../data/months.ts'
import { DepositsByDay } from '../../parts/chart/deposits-by-day.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { t } from '../../text/text.ts'
import styles from './home.module.css'
import { NeedsAttention } from './needs-attention.tsx'
import { Balances, ChainHealth } from './overview.tsx'
import { RecentDeposits, RecentWithdrawals } from './recent.tsx'

const DAYS = 30

/** The tasks first, then balances, chains and recent payments. */
export function Home() {
  return (
    <Page title={t('home.title')}>
      <NeedsAttention />
      <div className={styles['overview']}>
        <Balances />
        <ChainHealth />
      </div>
      <LastDays />
      <div className={styles['recent']}>
        <RecentDeposits />
        <RecentWithdrawals />
      </div>
    </Page>
  )
}

function LastDays() {
  const days = useMemo(() => lastDays(DAYS, Date.now()), [])
  const query = useStats({ from: days[0] ?? '', to: days.at(-1) ?? '' })
  return (
    <Card
      title={t('home.deposits30')}
      actions={<Link href="/deposits">{t('home.allDeposits')}</Link>}
    >
      <Loaded query={query} lines={5}>
        {(stats) => <DepositsByDay title={t('home.deposits30')} stats={stats} days={days} />}
      </Loaded>
    </Card>
  )
}
