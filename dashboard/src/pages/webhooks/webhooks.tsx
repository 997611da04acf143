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
import { Stack } from '../../parts/stack.tsx'
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
    cell: ({ id, url, isDefault, eventTypes }) => (
      <Stack minor={filterText(eventTypes)}>
        <Link href={`/webhooks/${id}`}>
          <bdi>{url === '' ? t('webhooks.noUrl') : url}</bdi>
        </Link>
        {isDefault && ` (${t('webhooks.default')})`}
      </Stack>
    ),
  },
  { header: t('webhooks.state'), cell: (endpoint) => <State endpoint={endpoint} /> },
  {
    header: t('webhooks.waiting'),
    cell: ({ pendingDeliveries }) => pendingDeliveries,
    isNumber: true,
  },
  { header: t('webhooks.lastSuccess'), cell: ({ lastSuccessAt }) => <At iso={lastSuccessAt} /> },
  { header: t('webhooks.lastFailure'), cell: ({ lastFailureAt }) => <At iso={lastFailureAt} /> },
]

function State({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { failingSince } = endpoint
  const since =
    failingSince === null ? undefined : (
      <>
        {t('webhooks.since')} <Time iso={failingSince} />
      </>
    )
  return (
    <Stack minor={since}>
      <ConditionChip endpoint={endpoint} />
    </Stack>
  )
}

function At({ iso }: { iso: string | null }) {
  return iso === null ? t('webhooks.never') : <Time iso={iso} />
}
