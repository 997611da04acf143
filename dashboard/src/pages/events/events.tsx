import type { RecordedEvent } from '@sluice/client'
import { useState } from 'react'
import { Link } from 'wouter'
import { docsUrl } from '../../data/client.ts'
import { EVENT_TYPES, typeName } from '../../data/event-types.ts'
import { EVENT_FILTERS } from '../../data/event-facts.ts'
import { exportEvents, useEvents } from '../../data/events.ts'
import { useFilters } from '../../data/filters.ts'
import { useMay } from '../../data/profile.ts'
import { DELIVERY_STATES } from '../../data/webhook-days.ts'
import { hostOf } from '../../data/endpoints.ts'
import { useEndpoints } from '../../data/webhooks.ts'
import { Button, LinkButton } from '../../parts/button.tsx'
import { ExportButton } from '../../parts/export-button.tsx'
import { FilterBar, type FilterField } from '../../parts/filter-bar.tsx'
import { Icon } from '../../parts/icon.tsx'
import { List } from '../../parts/list.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { sentence, t } from '../../text/text.ts'
import { DeliveryChip } from './delivery-chip.tsx'
import styles from './events.module.css'
import { ResendAll } from './resend-all.tsx'
import { SubjectLink } from './subject-link.tsx'

/** The delivery log: every event, and its delivery to an endpoint. */
export function Events() {
  const filters = useFilters(EVENT_FILTERS)
  const query = useEvents(filters.values, filters.cursor)
  const maySend = useMay('sendEvents')
  const fields = useFields()
  const [isOpen, setOpen] = useState(false)
  return (
    <Page
      title={t('events.title')}
      lead={t('events.lead')}
      actions={<a href={docsUrl('events')}>{t('events.catalogue')}</a>}
    >
      <Card isFlush>
        <FilterBar filters={filters} fields={fields}>
          {maySend && (
            <Button onClick={() => setOpen(true)}>
              <Icon name="refresh" />
              {t('events.resendAll')}
            </Button>
          )}
          <ExportButton fileName="events" start={exportEvents(filters.values)} />
        </FilterBar>
        <List
          caption={t('events.caption')}
          query={query}
          filters={filters}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          empty={
            <Empty
              title={t('events.empty')}
              action={<LinkButton href="/webhooks">{t('events.emptyAction')}</LinkButton>}
            >
              {t('events.emptyWhy')}
            </Empty>
          }
        />
      </Card>
      {isOpen && (
        <ResendAll filters={filters.values} fields={fields} onClose={() => setOpen(false)} />
      )}
    </Page>
  )
}

function useFields(): readonly FilterField<(typeof EVENT_FILTERS)[number]>[] {
  const { data: endpoints = [] } = useEndpoints()
  const others = endpoints.filter(({ isDefault }) => !isDefault)
  return [
    {
      name: 'type',
      label: t('events.type'),
      options: EVENT_TYPES.map((type) => [type, typeName(type)]),
    },
    {
      name: 'delivery',
      label: t('events.state'),
      options: DELIVERY_STATES.map((state) => [state, t(`deliveryStates.${state}`)]),
    },
    {
      name: 'endpointId',
      label: t('events.endpoint'),
      empty: t('events.defaultEndpoint'),
      options: endpoints.map(({ id, url, isDefault }) => [
        id,
        isDefault ? `${hostOf(url)} (${t('webhooks.default')})` : optionOf(url, others),
      ]),
    },
    { name: 'subjectId', label: t('events.subjectId'), kind: 'search' },
    { name: 'from', label: t('events.from'), kind: 'date' },
    { name: 'to', label: t('events.to'), kind: 'date' },
  ]
}

/** The host of an endpoint; its whole URL if another one has the same host. */
function optionOf(url: string, others: readonly { url: string }[]): string {
  const isAlone = others.filter((one) => hostOf(one.url) === hostOf(url)).length < 2
  return isAlone ? hostOf(url) : url
}

const COLUMNS: readonly Column<RecordedEvent>[] = [
  {
    header: t('events.type'),
    cell: ({ id, type }) => (
      <Link href={`/events/${id}`} className={styles['type']} title={type}>
        {typeName(type)}
      </Link>
    ),
  },
  { header: t('events.subject'), cell: (event) => <SubjectLink event={event} /> },
  { header: t('events.created'), cell: ({ timestamp }) => <Time iso={timestamp} /> },
  {
    header: t('events.state'),
    cell: ({ delivery: { state, nextAttemptAt, finishedAt } }) => (
      <span className={styles['delivery']}>
        <DeliveryChip state={state} />
        <span className={styles['muted']}>
          {nextAttemptAt !== null && t('events.nextRetry')} <At iso={nextAttemptAt ?? finishedAt} />
        </span>
      </span>
    ),
  },
  {
    header: t('events.attempts'),
    cell: ({ delivery }) => delivery.attemptCount,
    isNumber: true,
  },
  {
    header: t('events.lastStatus'),
    cell: ({ delivery: { lastStatus, lastError, attemptCount } }) => (
      <span title={lastError === '' ? undefined : sentence(lastError)}>
        {lastStatus ?? (attemptCount === 0 ? t('events.none') : t('events.noAnswer'))}
      </span>
    ),
    isNumber: true,
  },
]

function At({ iso }: { iso: string | null }) {
  return iso !== null && <Time iso={iso} />
}
