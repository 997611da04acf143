import type { WebhookEndpoint } from '@sluice/client'
import { Link, useParams } from 'wouter'
import { useMay } from '../../data/profile.ts'
import { conditionOf, hostOf } from '../../data/endpoints.ts'
import { useEndpoint } from '../../data/webhooks.ts'
import { Short } from '../../parts/address.tsx'
import { LinkButton } from '../../parts/button.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card, Columns, Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { ConditionChip } from './condition-chip.tsx'
import { EndpointActions } from './endpoint-actions.tsx'
import { EventList } from './event-list.tsx'
import { TestSetting } from './test-dialog.tsx'
import styles from './webhooks.module.css'

const BACK = { href: '/webhooks', text: t('webhooks.title') }

/** One endpoint: its settings, the state of its deliveries, a test and its changes. */
export function EndpointPage() {
  const { id = '' } = useParams()
  const query = useEndpoint(id)
  const { data } = query
  const title = data ? hostOf(data.url) : t('webhooks.one')
  return (
    <Page title={title} back={BACK}>
      <Loaded query={query}>
        {(endpoint) =>
          endpoint === null ? (
            <Empty title={t('webhooks.notFound')}>{t('webhooks.notFoundWhy')}</Empty>
          ) : (
            <Endpoint key={endpoint.id} endpoint={endpoint} />
          )
        }
      </Loaded>
    </Page>
  )
}

function Endpoint({ endpoint }: { endpoint: WebhookEndpoint }) {
  const mayConfigure = useMay('configure')
  const maySend = useMay('sendEvents')
  return (
    <>
      <Warning endpoint={endpoint} />
      <Columns>
        <div className={styles['stack']}>
          <Card title={t('webhooks.one')}>
            <EndpointFacts endpoint={endpoint} />
          </Card>
          <Card title={t('webhooks.deliveries')}>
            <Deliveries endpoint={endpoint} />
          </Card>
        </div>
        <Card title={t('webhooks.changes')}>
          {maySend && endpoint.url !== '' && <TestSetting endpoint={endpoint} />}
          {mayConfigure ? <EndpointActions endpoint={endpoint} /> : <p>{t('webhooks.readOnly')}</p>}
        </Card>
      </Columns>
    </>
  )
}

function Warning({ endpoint }: { endpoint: WebhookEndpoint }) {
  const condition = conditionOf(endpoint)
  if (condition === 'active') return null
  const tone = condition === 'paused' || condition === 'unset' ? 'warning' : 'danger'
  const waiting = `/events?endpointId=${encodeURIComponent(endpoint.id)}&delivery=pending`
  return (
    <Notice tone={tone} title={t(`webhooks.${condition}Title`)}>
      {t(`webhooks.${condition}Why`)}{' '}
      {condition === 'failing' && endpoint.pendingDeliveries > 0 && (
        <Link href={waiting}>
          {t('webhooks.pendingCount', { count: endpoint.pendingDeliveries })}
        </Link>
      )}
    </Notice>
  )
}

function EndpointFacts({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, url, isDefault, eventTypes, pausedAt, createdAt, updatedAt } = endpoint
  return (
    <Facts
      facts={[
        [t('webhooks.state'), <ConditionChip key="state" endpoint={endpoint} />],
        [t('webhooks.url'), <Address key="url" url={url} />],
        isDefault ? [t('webhooks.kind'), t('webhooks.isDefault')] : null,
        [t('webhooks.filter'), <EventList key="types" types={eventTypes} />],
        pausedAt === null ? null : [t('webhooks.pausedAt'), <Time key="paused" iso={pausedAt} />],
        [t('webhooks.createdAt'), <Time key="created" iso={createdAt} />],
        [t('webhooks.updatedAt'), <Time key="updated" iso={updatedAt} />],
        [t('webhooks.id'), <Short key="id" value={id} what={t('webhooks.thisId')} />],
      ]}
    />
  )
}

function Address({ url }: { url: string }) {
  if (url === '') return t('webhooks.noUrl')
  return (
    <>
      <code>{url}</code> <Copy value={url} what={t('webhooks.thisUrl')} />
    </>
  )
}

function Deliveries({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, pendingDeliveries, lastSuccessAt, lastFailureAt, failingSince } = endpoint
  const log = `/events?endpointId=${encodeURIComponent(id)}`
  return (
    <>
      <Facts
        facts={[
          [
            t('webhooks.pending'),
            <Link key="pending" href={`${log}&delivery=pending`}>
              {t('webhooks.pendingCount', { count: pendingDeliveries })}
            </Link>,
          ],
          [t('webhooks.lastSuccess'), <At key="success" iso={lastSuccessAt} />],
          [t('webhooks.lastFailure'), <At key="failure" iso={lastFailureAt} />],
          failingSince === null
            ? null
            : [t('webhooks.failingSince'), <Time key="since" iso={failingSince} />],
        ]}
      />
      <div className={styles['links']}>
        <LinkButton href={log}>{t('webhooks.allDeliveries')}</LinkButton>
        <LinkButton href={`${log}&delivery=failed`}>{t('webhooks.failedDeliveries')}</LinkButton>
      </div>
    </>
  )
}

function At({ iso }: { iso: string | null }) {
  return iso === null ? t('webhooks.never') : <Time iso={iso} />
}
