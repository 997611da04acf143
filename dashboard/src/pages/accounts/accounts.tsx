import type { Account } from '@sluice/client'
import { ACCOUNT_FILTERS, exportAccounts, useAccounts } from '../../data/accounts.ts'
import { useFilters } from '../../data/filters.ts'
import { useChainOptions } from '../../data/options.ts'
import { ChainName } from '../../parts/chain-name.tsx'
import { ExportButton } from '../../parts/export-button.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { List } from '../../parts/list.tsx'
import { OnChain } from '../../parts/on-chain.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { UserLink } from '../../parts/user-link.tsx'
import { t } from '../../text/text.ts'
import { IssueButton } from './issue-button.tsx'

/** The addresses of all end users. */
export function Accounts() {
  const filters = useFilters(ACCOUNT_FILTERS)
  const query = useAccounts(filters.values, filters.cursor)
  const chains = useChainOptions(filters.values.chainId)
  const empty = (
    <Empty title={t('accounts.empty')} action={<IssueButton taken={NONE} />}>
      {t('accounts.emptyWhy')}
    </Empty>
  )
  return (
    <Page
      title={t('accounts.title')}
      lead={t('accounts.lead')}
      actions={<IssueButton taken={NONE} />}
    >
      <Card isFlush>
        <FilterBar
          filters={filters}
          fields={[
            {
              name: 'userId',
              label: t('record.user'),
              kind: 'search',
              placeholder: t('accounts.wholeId'),
            },
            {
              name: 'address',
              label: t('record.address'),
              kind: 'search',
              placeholder: t('accounts.wholeAddress'),
            },
            { name: 'chainId', label: t('record.chain'), options: chains },
          ]}
        >
          <ExportButton fileName="accounts" start={exportAccounts(filters.values)} />
        </FilterBar>
        <List
          caption={t('accounts.title')}
          query={query}
          filters={filters}
          columns={COLUMNS}
          keyOf={({ orgDepositAccountId }) => orgDepositAccountId}
          empty={empty}
        />
      </Card>
    </Page>
  )
}

const NONE: readonly string[] = []

const COLUMNS: readonly Column<Account>[] = [
  { header: t('record.user'), cell: ({ externalUserId }) => <UserLink userId={externalUserId} /> },
  { header: t('record.chain'), cell: ({ chainId }) => <ChainName chainId={chainId} /> },
  {
    header: t('record.address'),
    cell: ({ chainId, properties }) => (
      <OnChain
        chainId={chainId}
        kind="address"
        value={properties.address}
        what={t('record.address')}
      />
    ),
  },
  {
    header: t('accounts.tag'),
    cell: ({ properties }) => properties.destinationTag ?? t('record.none'),
  },
  { header: t('record.created'), cell: ({ createdAt }) => <Time iso={createdAt} /> },
]
