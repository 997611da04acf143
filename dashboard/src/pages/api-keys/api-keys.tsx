import type { ApiKey } from '@sluice/client'
import { Link } from 'wouter'
import {
  exportApiKeys,
  KEY_FILTERS,
  KEY_STATUSES,
  SCOPES,
  useApiKeysPage,
} from '../../data/api-keys.ts'
import { useFilters } from '../../data/filters.ts'
import { useMay } from '../../data/profile.ts'
import { LinkButton } from '../../parts/button.tsx'
import { ExportButton } from '../../parts/export-button.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Icon } from '../../parts/icon.tsx'
import { List } from '../../parts/list.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import styles from './api-keys.module.css'
import { Credentials } from './credentials.tsx'
import { KeyStatus } from './key-status.tsx'

/** The API keys of the organization's servers. */
export function ApiKeys() {
  const filters = useFilters(KEY_FILTERS)
  const query = useApiKeysPage(filters.values, filters.cursor)
  const mayManage = useMay('manageApiKeys')
  const create = (
    <LinkButton href="/api-keys/new" look="primary">
      <Icon name="plus" />
      {t('apiKeys.create')}
    </LinkButton>
  )
  return (
    <Page title={t('apiKeys.title')} lead={t('apiKeys.lead')} actions={mayManage && create}>
      <Card isFlush>
        {mayManage && (
          <FilterBar
            filters={filters}
            fields={[
              { name: 'q', label: t('apiKeys.search'), kind: 'search' },
              {
                name: 'status',
                label: t('apiKeys.status'),
                options: KEY_STATUSES.map((status) => [status, t(`apiKeys.statuses.${status}`)]),
              },
              {
                name: 'scope',
                label: t('apiKeys.scope'),
                options: SCOPES.map((scope) => [scope, t(`scopes.${scope}.name`)]),
              },
            ]}
          >
            <ExportButton fileName="api-keys" start={exportApiKeys(filters.values)} />
          </FilterBar>
        )}
        <List
          caption={t('apiKeys.caption')}
          query={query}
          filters={filters}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          empty={
            <Empty title={t('apiKeys.empty')} action={create}>
              {t('apiKeys.emptyWhy')}
            </Empty>
          }
        />
      </Card>
      <Credentials />
    </Page>
  )
}

const COLUMNS: readonly Column<ApiKey>[] = [
  {
    header: t('apiKeys.name'),
    cell: ({ id, name, isDefault }) => (
      <>
        <Link href={`/api-keys/${id}`}>
          <bdi>{name}</bdi>
        </Link>
        {isDefault && ` (${t('apiKeys.default')})`}
      </>
    ),
  },
  {
    header: t('apiKeys.key'),
    cell: ({ lastFour }) => <code className={styles['key']}>…{lastFour}</code>,
  },
  {
    header: t('apiKeys.scopes'),
    cell: ({ scopes }) => (
      <ul className={styles['scopes']}>
        {scopes.map((scope) => (
          <li key={scope}>{t(`scopes.${scope}.name`)}</li>
        ))}
      </ul>
    ),
  },
  {
    header: t('apiKeys.networks'),
    cell: ({ allowedCidrs: [first, ...rest] }) =>
      first === undefined ? t('apiKeys.everywhere') : networksText(first, rest.length),
  },
  { header: t('apiKeys.lastUsed'), cell: ({ lastUsedAt }) => <At iso={lastUsedAt} /> },
  { header: t('apiKeys.expires'), cell: ({ expiresAt }) => <At iso={expiresAt} /> },
  { header: t('apiKeys.status'), cell: ({ status }) => <KeyStatus status={status} /> },
]

function networksText(first: string, others: number): string {
  return others === 0 ? first : t('apiKeys.networksMore', { first, count: others })
}

function At({ iso }: { iso: string | null }) {
  return iso === null ? t('apiKeys.never') : <Time iso={iso} />
}
