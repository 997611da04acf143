import { useAccountsOf } from '../../data/accounts.ts'
import { userIdIn } from '../../data/user-path.ts'
import { Copy, endsOf } from '../../parts/copy.tsx'
import { Stale } from '../../parts/list.tsx'
import { Card, Columns, Page } from '../../parts/page.tsx'
import { Empty, Failure, Skeleton } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'
import { DepositList } from '../deposits/deposit-list.tsx'
import { AccountCard } from './account-card.tsx'
import styles from './accounts.module.css'
import { IssueButton } from './issue-button.tsx'

const TITLE_MAX = 40

/** One end user: an address for each chain, and the deposits. */
export function UserPage() {
  // The router decodes paths in part, which would mix up ids with percent signs.
  const userId = userIdIn(globalThis.location.pathname)
  if (userId !== null) return <User key={userId} userId={userId} />
  return (
    <Page title={t('notFound.title')}>
      <Empty title={t('notFound.why')} />
    </Page>
  )
}

function User({ userId }: { userId: string }) {
  const { data: accounts = [], error, isSuccess, refetch } = useAccountsOf(userId)
  const retry = () => void refetch()
  const isLong = userId.length > TITLE_MAX
  const issue = <IssueButton userId={userId} taken={accounts.map(({ chainId }) => chainId)} />
  return (
    <Page
      title={isLong ? t('accounts.userOf', { id: endsOf(userId) }) : userId}
      lead={<WholeId userId={userId} isShown={isLong} />}
      back={{ href: '/accounts', text: t('accounts.title') }}
      actions={accounts.length > 0 && issue}
    >
      {isSuccess && accounts.length === 0 && (
        <Card>
          <Empty title={t('accounts.noAccount')} action={issue}>
            {t('accounts.noAccountWhy')}
          </Empty>
        </Card>
      )}
      {accounts.length > 0 && error !== null && <Stale error={error} onRetry={retry} />}
      {!isSuccess && accounts.length === 0 && (
        <Card isFlush>{error ? <Failure error={error} onRetry={retry} /> : <Skeleton />}</Card>
      )}
      {accounts.length > 0 && (
        <Columns>
          {accounts.map((account) => (
            <AccountCard key={account.orgDepositAccountId} account={account} />
          ))}
        </Columns>
      )}
      <Card title={t('accounts.deposits')} isFlush>
        <DepositList
          userId={userId}
          empty={<Empty title={t('accounts.noDeposits')}>{t('accounts.noDepositsWhy')}</Empty>}
        />
      </Card>
    </Page>
  )
}

/** The id to copy; a long one is shown as a whole beneath its shortened title. */
function WholeId({ userId, isShown }: { userId: string; isShown: boolean }) {
  return (
    <span className={styles['id']}>
      <span>
        {t('accounts.userIs')} {isShown && <bdi>{userId}</bdi>}
      </span>
      <Copy value={userId} what={t('record.user')} />
    </span>
  )
}
