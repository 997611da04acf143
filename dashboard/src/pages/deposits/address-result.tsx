import type { Account } from '@sluice/client'
import { useAccountsAt } from '../../data/accounts.ts'
import { LinkButton } from '../../parts/button.tsx'
import { ChainName } from '../../parts/chain-name.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card } from '../../parts/page.tsx'
import { Empty, Failure, Skeleton } from '../../parts/states.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { UserLink } from '../../parts/user-link.tsx'
import { t } from '../../text/text.ts'
import { DepositList } from './deposit-list.tsx'

/** The account of an address, and the deposits of its end user. */
export function AddressResult({ address }: { address: string }) {
  const { data, error, refetch } = useAccountsAt(address)
  if (data === undefined)
    return (
      <Card isFlush>
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton />}
      </Card>
    )
  const { items, nextCursor } = data
  const users = new Set(items.map(({ externalUserId }) => externalUserId))
  const [only] = users
  if (only === undefined) return <Nobody />
  return (
    <>
      <Card title={t('trace.accountsAt')} isFlush>
        <Table
          caption={t('trace.accountsAt')}
          rows={items}
          keyOf={({ orgDepositAccountId }) => orgDepositAccountId}
          columns={COLUMNS}
        />
      </Card>
      {users.size > 1 || nextCursor !== null ? (
        <Notice tone="info" title={t('trace.shared')}>
          {t('trace.sharedNext')}
        </Notice>
      ) : (
        <Card title={t('accounts.deposits')} isFlush>
          <DepositList
            userId={only}
            empty={<Empty title={t('accounts.noDeposits')}>{t('trace.noDepositsWhy')}</Empty>}
          />
        </Card>
      )}
    </>
  )
}

const COLUMNS: readonly Column<Account>[] = [
  { header: t('record.user'), cell: ({ externalUserId }) => <UserLink userId={externalUserId} /> },
  { header: t('record.chain'), cell: ({ chainId }) => <ChainName chainId={chainId} /> },
  {
    header: t('accounts.tag'),
    cell: ({ properties }) => properties.destinationTag ?? t('record.none'),
  },
]

function Nobody() {
  return (
    <Card>
      <Empty
        title={t('trace.nobody')}
        action={<LinkButton href="/accounts">{t('trace.openAccounts')}</LinkButton>}
      >
        {t('trace.nobodyWhy')}
      </Empty>
    </Card>
  )
}
