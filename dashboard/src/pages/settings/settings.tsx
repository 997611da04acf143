import type { Organization } from '@sluice/client'
import { Link } from 'wouter'
import { useOrganization } from '../../data/organization.ts'
import { Short } from '../../parts/address.tsx'
import { LinkButton } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Stale } from '../../parts/list.tsx'
import { Card, Columns, Page } from '../../parts/page.tsx'
import { Failure, Skeleton } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { ApprovalSettings } from './approval-settings.tsx'
import { Waiting } from './waiting.tsx'

/** The organization and the settings of its withdrawals. */
export function Settings() {
  const organization = useOrganization()
  const { data, error } = organization
  const retry = () => void organization.refetch()
  return (
    <Page title={t('settings.title')} lead={t('settings.lead')}>
      {data === undefined && error === null && <Skeleton />}
      {data === undefined && error !== null && <Failure error={error} onRetry={retry} />}
      {data !== undefined && (
        <>
          {error !== null && <Stale error={error} onRetry={retry} />}
          <Columns>
            <Card title={t('settings.approvals')}>
              <ApprovalSettings organization={data} />
            </Card>
            <div>
              <Details organization={data} />
            </div>
          </Columns>
          <Waiting />
        </>
      )}
    </Page>
  )
}

function Details({ organization }: { organization: Organization }) {
  const { id, name, webhookUrl, createdAt, updatedAt } = organization
  return (
    <Card title={t('settings.organization')}>
      <Facts
        facts={[
          [t('settings.name'), <bdi key="name">{name}</bdi>],
          [t('settings.id'), <Short key="id" value={id} what={t('settings.thisId')} />],
          [t('settings.createdAt'), <Time key="created" iso={createdAt} />],
          [t('settings.updatedAt'), <Time key="updated" iso={updatedAt} />],
          [t('settings.webhookUrl'), webhookUrl === '' ? t('settings.noWebhook') : webhookUrl],
        ]}
      />
      <div>
        <LinkButton href="/webhooks">{t('settings.webhooks')}</LinkButton>
      </div>
      <p>
        {t('settings.elsewhere')} <Link href="/chains">{t('settings.chains')}</Link>,{' '}
        <Link href="/people">{t('people.title')}</Link>,{' '}
        <Link href="/api-keys">{t('apiKeys.title')}</Link>.
      </p>
    </Card>
  )
}
