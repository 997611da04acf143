import type { EndpointDelivery } from '@sluice/client'
import { Link } from 'wouter'
import type { WholeEvent } from '../../data/event-facts.ts'
import { useEndpoints } from '../../data/webhooks.ts'
import { Stack } from '../../parts/stack.tsx'
import { Empty } from '../../parts/states.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { sentence, t } from '../../text/text.ts'
import { DeliveryChip } from './delivery-chip.tsx'

/** The delivery of an event to each endpoint that receives it. */
export function Deliveries({ event: { deliveries } }: { event: WholeEvent }) {
  if (deliveries.length === 0) return <Empty title={t('events.noDeliveries')} />
  return (
    <Table
      caption={t('events.deliveries')}
      columns={COLUMNS}
      rows={deliveries}
      keyOf={({ endpointId }) => endpointId}
    />
  )
}

const COLUMNS: readonly Column<EndpointDelivery>[] = [
  {
    header: t('events.endpoint'),
    cell: ({ endpointId }) => <EndpointLink endpointId={endpointId} />,
  },
  { header: t('events.state'), cell: ({ state }) => <DeliveryChip state={state} /> },
  { header: t('events.attempts'), cell: ({ attemptCount }) => attemptCount, isNumber: true },
  {
    header: t('events.lastStatus'),
    cell: ({ lastStatus, lastError }) => (
      <Stack minor={sentence(lastError)}>{lastStatus ?? t('events.none')}</Stack>
    ),
  },
  { header: t('events.finishedAt'), cell: ({ finishedAt }) => <At iso={finishedAt} /> },
  { header: t('events.nextRetry'), cell: ({ nextAttemptAt }) => <At iso={nextAttemptAt} /> },
]

function At({ iso }: { iso: string | null }) {
  return iso === null ? t('events.none') : <Time iso={iso} />
}

/** The URL of an endpoint with a link to its page; a deleted one has none. */
function EndpointLink({ endpointId }: { endpointId: string }) {
  const { data: endpoints } = useEndpoints()
  const endpoint = endpoints?.find(({ id }) => id === endpointId)
  if (endpoint === undefined)
    return endpoints === undefined ? <code>{endpointId}</code> : t('events.deletedEndpoint')
  const { url, isDefault } = endpoint
  return (
    <>
      <Link href={`/webhooks/${endpointId}`}>{url === '' ? t('webhooks.noUrl') : url}</Link>
      {isDefault && ` (${t('webhooks.default')})`}
    </>
  )
}
