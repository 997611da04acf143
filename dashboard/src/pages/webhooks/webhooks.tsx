import type { WebhookEndpoint } from '@sluice/client'
import { Link } from 'wouter'
import { filterText } from '../../data/event-types.ts'
import { useFilters } from '../../data/filters.ts'
import { useMay } from '../../data/profile.ts'
import { CONDITIONS } from '../../data/endpoints.ts'
import { exportEndpoints, useEndpointsPage } from '../../data/webhooks.ts'
import { LinkButton } from '../../parts/button.tsx'
import { ExportButton } from '../../parts/export-button.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Icon } from '../../parts/icon.tsx'
import { List } from '../../parts/list.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Setting } from '../../parts/setting.tsx'
import { Empty } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { ConditionChip } from './condition-chip.tsx'

/** The endpoints that events are sent to, and how their deliveries fare. */
export function Webhooks() {
  const filters = useFilters(['q', 'state'])
  const query = useEndpointsPage(filters.values, filters.cursor)
  const mayConfigure = useMay('configure')
  const add = mayConfigure && (
    <LinkButton href="/webhooks/new" look="primary">
      <Icon name="plus" />
      {t('webhooks.add')}
    </LinkButton>
  )
  return (
    <Page title={t('webhooks.title')} lead={t('webhooks.lead')} actions={add}>
      <Card isFlush>
        <FilterBar
          filters={filters}
          fields={[
            { name: 'q', label: t('webhooks.search'), kind: 'search' },
            {
              name: 'state',
              label: t('webhooks.state'),
              options: CONDITIONS.map((one) => [one, t(`webhooks.states.${one}`)]),
            },
          ]}
        >
          <ExportButton fileName="webhooks" start={() => exportEndpoints(filters.values)} />
        </FilterBar>
        <List
          caption={t('webhooks.caption')}
          query={query}
          filters={filters}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          empty={
            <Empty title={t('webhooks.empty')} action={add}>
              {t('webhooks.emptyWhy')}
            </Empty>
          }
        />
      </Card>
      <Card title={t('webhooks.log')}>
        <Setting text={t('webhooks.logText')}>
          <LinkButton href="/events">{t('webhooks.allDeliveries')}</LinkButton>
        </Setting>
      </Card>
    </Page>
  )
}

const COLUMNS: readonly Column<WebhookEndpoint>[] = [
  {
    header: t('webhooks.url'),
    cell: ({ id, url, isDefault }) => (
      <>
        <Link href={`/webhooks/${id}`}>
          <bdi>{url === '' ? t('webhooks.noUrl') : url}</bdi>
        </Link>
        {isDefault && ` (${t('webhooks.default')})`}
      </>
    ),
  },
  { header: t('webhooks.filter'), cell: ({ eventTypes }) => filterText(eventTypes) },
  { header: t('webhooks.state'), cell: (endpoint) => <ConditionChip endpoint={endpoint} /> },
  {
    header: t('webhooks.pending'),
    cell: ({ pendingDeliveries }) => pendingDeliveries,
    isNumber: true,
  },
  { header: t('webhooks.lastSuccess'), cell: ({ lastSuccessAt }) => <At iso={lastSuccessAt} /> },
  { header: t('webhooks.lastFailure'), cell: ({ lastFailureAt }) => <At iso={lastFailureAt} /> },
  {
    header: t('webhooks.failingSince'),
    cell: ({ failingSince }) => (failingSince === null ? '–' : <Time iso={failingSince} />),
  },
]

function At({ iso }: { iso: string | null }) {
  return iso === null ? t('webhooks.never') : <Time iso={iso} />
}
