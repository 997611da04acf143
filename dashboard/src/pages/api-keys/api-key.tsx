import type { ApiKey } from '@sluice/client'
import { Link, useParams } from 'wouter'
import { useApiKey } from '../../data/api-keys.ts'
import { usePeople } from '../../data/people.ts'
import { Short } from '../../parts/address.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Stale } from '../../parts/list.tsx'
import { Card, Columns, Page } from '../../parts/page.tsx'
import { Empty, Failure, Skeleton } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { KeyActions } from './key-actions.tsx'
import { KeyStatus } from './key-status.tsx'
import { Terms } from './terms.tsx'

const BACK = { href: '/api-keys', text: t('apiKeys.title') }

/** One API key: its terms and its use; admins change, rotate or revoke it here. */
export function ApiKeyPage() {
  const { id = '' } = useParams()
  const query = useApiKey(id)
  const { data: apiKey, error } = query
  const retry = () => void query.refetch()
  if (apiKey === undefined || apiKey === null)
    return (
      <Page title={t('apiKeys.one')} back={BACK}>
        {apiKey === null ? (
          <Empty title={t('apiKeys.notFound')}>{t('apiKeys.notFoundWhy')}</Empty>
        ) : error === null ? (
          <Skeleton />
        ) : (
          <Failure error={error} onRetry={retry} />
        )}
      </Page>
    )
  return (
    <Page title={apiKey.name} back={BACK}>
      {error !== null && <Stale error={error} onRetry={retry} />}
      <Columns>
        <Card title={t('apiKeys.one')}>
          <KeyFacts apiKey={apiKey} />
        </Card>
        <Card title={t('apiKeys.changes')}>
          <KeyActions key={apiKey.id} apiKey={apiKey} />
        </Card>
      </Columns>
    </Page>
  )
}

function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  const { id, lastFour, status, isDefault, createdAt, lastUsedAt, revokedAt, createdBy } = apiKey
  return (
    <>
      <Facts
        facts={[
          [t('apiKeys.status'), <KeyStatus key="status" status={status} />],
          [t('apiKeys.key'), <code key="key">…{lastFour}</code>],
          isDefault ? [t('apiKeys.kind'), t('apiKeys.isDefault')] : null,
        ]}
      />
      <Terms terms={apiKey} />
      <Facts
        facts={[
          [
            t('apiKeys.lastUsed'),
            lastUsedAt === null ? t('apiKeys.never') : <Time key="used" iso={lastUsedAt} />,
          ],
          [t('apiKeys.createdAt'), <Time key="created" iso={createdAt} />],
          [t('apiKeys.createdBy'), <Creator key="by" userId={createdBy} />],
          revokedAt === null
            ? null
            : [t('apiKeys.revokedAt'), <Time key="revoked" iso={revokedAt} />],
          [t('apiKeys.id'), <Short key="id" value={id} what={t('apiKeys.thisId')} />],
        ]}
      />
    </>
  )
}

function Creator({ userId }: { userId: string | null }) {
  const { data: people = [] } = usePeople()
  if (userId === null) return t('apiKeys.operator')
  const person = people.find(({ id }) => id === userId)
  return <Link href={`/people/${userId}`}>{person?.username ?? userId}</Link>
}
