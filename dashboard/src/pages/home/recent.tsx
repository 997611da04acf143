import { Link } from 'wouter'
import { useRecentDeposits, useRecentWithdrawals } from '../../data/overview.ts'
import { useMay } from '../../data/profile.ts'
import { formatAge, formatUtc } from '../../data/times.ts'
import { Amount } from '../../parts/amount.tsx'
import { LinkButton } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import { UserLink } from '../../parts/user-link.tsx'
import { DepositStatus } from '../deposits/deposit-status.tsx'
import { WithdrawalStatus } from '../withdrawals/status.tsx'
import { TokenAmount } from '../withdrawals/token-amount.tsx'
import styles from './home.module.css'

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
                  cell: ({ id, amount, createdAt, Token: token }) => (
                    <span className={styles['stack']}>
                      <Link href={`/deposits/${id}`}>
                        <Amount baseUnits={amount} unit={token} />
                      </Link>
                      <Age iso={createdAt} />
                    </span>
                  ),
                },
                {
                  header: t('home.user'),
                  cell: ({ externalUserId }) => <UserLink userId={externalUserId} />,
                },
                {
                  header: t('home.status'),
                  cell: ({ status }) => <DepositStatus status={status} />,
                },
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
                  cell: ({ id, amount, createdAt, tokenId }) => (
                    <span className={styles['stack']}>
                      <Link href={`/withdrawals/${id}`}>
                        <TokenAmount tokenId={tokenId} amount={amount} />
                      </Link>
                      <Age iso={createdAt} />
                    </span>
                  ),
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
                  cell: (withdrawal) => <WithdrawalStatus withdrawal={withdrawal} />,
                },
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
