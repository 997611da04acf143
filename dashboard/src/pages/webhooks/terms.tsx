import { Facts } from '../../parts/facts.tsx'
import { t } from '../../text/text.ts'
import { EventList } from './event-list.tsx'

/** The settings of an endpoint, to be confirmed. */
export function EndpointTermsList({
  terms: { url, eventTypes },
}: {
  terms: { url: string; eventTypes: readonly string[] | null }
}) {
  return (
    <Facts
      facts={[
        [t('webhooks.url'), <code key="url">{url}</code>],
        [t('webhooks.filter'), <EventList key="types" types={eventTypes} />],
      ]}
    />
  )
}
