import type { Deposit, Withdrawal } from '@sluice/client'
import { Link } from 'wouter'
import { useTokens } from '../../data/catalogue.ts'
import { useRecentDeposits, useRecentWithdrawals } from '../../data/overview.ts'
import { useMay } from '../../data/profile.ts'
import { formatAge, formatUtc } from '../../data/times.ts'
import { Amount } from '../../parts/amount.tsx'
import { LinkButton } from '../../parts/button.tsx'
import { Chip, type Tone } from '../../parts/chip.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import styles from './home.module.css'

const DEPOSIT_TONES: Readonly<Record<Deposit['status'], Tone>> = {
  Detected: 'info',
  Confirmed: 'success',
  BelowMinimum: 'neutral',
  Held: 'warning',
  Orphaned: 'danger',
}
const WITHDRAWAL_TONES: Readonly<Record<Withdrawal['status'], Tone>> = {
  PendingApproval: 'warning',
  Pending: 'info',
  Processing: 'info',
  Completed: 'success',
  Failed: 'danger',
  Cancelled: 'neutral',
}

/** The newest deposits. */
export function RecentDeposits() {
  return (
    <Card
      title={t('home.recentDeposits')}
      actions={<Link href="/deposits">{t('home.allDeposits')}</Link>}
      isFlush
    >
      <Loaded query={useRecentDeposits()}>
        {({ items }) =>
          items.length === 0 ? (
            <NoDeposit />
          ) : (
            <Table
              caption={t('home.recentDeposits')}
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                {
                  header: t('home.amount'),
                  cell: ({ id, amount, Token: token }) => (
                    <Link href={`/deposits/${id}`}>
                      <Amount baseUnits={amount} unit={token} />
                    </Link>
                  ),
                },
                {
                  header: t('home.user'),
                  cell: ({ externalUserId }) => (
                    <bdi className={styles['user']} title={externalUserId}>
                      {externalUserId}
                    </bdi>
                  ),
                },
                {
                  header: t('home.status'),
                  cell: ({ status }) => (
                    <Chip tone={DEPOSIT_TONES[status]}>{t(`depositStatus.${status}`)}</Chip>
                  ),
                },
                { header: t('home.when'), cell: ({ createdAt }) => <Age iso={createdAt} /> },
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  )
}

function NoDeposit() {
  const mayIssue = useMay('issueAddresses')
  return (
    <Empty
      title={t('home.noDeposit')}
      action={mayIssue && <LinkButton href="/accounts">{t('home.openAccounts')}</LinkButton>}
    >
      {t('home.noDepositWhy')}
    </Empty>
  )
}

/** The newest withdrawals. */
export function RecentWithdrawals() {
  const tokens = useTokens()
  return (
    <Card
      title={t('home.recentWithdrawals')}
      actions={<Link href="/withdrawals">{t('home.allWithdrawals')}</Link>}
      isFlush
    >
      <Loaded query={useRecentWithdrawals()}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('home.noWithdrawal')}>{t('home.noWithdrawalWhy')}</Empty>
          ) : (
            <Table
              caption={t('home.recentWithdrawals')}
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                {
                  header: t('home.amount'),
                  cell: ({ id, amount, tokenId }) => {
                    const unit = tokens.get(tokenId) ?? { symbol: tokenId, decimals: 0 }
                    return (
                      <Link href={`/withdrawals/${id}`}>
                        <Amount baseUnits={amount} unit={unit} />
                      </Link>
                    )
                  },
                },
                {
                  header: t('home.reference'),
                  cell: ({ reference }) => (
                    <bdi className={styles['user']} title={reference}>
                      {reference}
                    </bdi>
                  ),
                },
                {
                  header: t('home.status'),
                  cell: ({ status }) => (
                    <Chip tone={WITHDRAWAL_TONES[status]}>{t(`withdrawalStatus.${status}`)}</Chip>
                  ),
                },
                { header: t('home.when'), cell: ({ createdAt }) => <Age iso={createdAt} /> },
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  )
}

function Age({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={formatUtc(iso)} className={styles['age']}>
      {formatAge(iso, Date.now())}
    </time>
  )
}
