import type { WebhookEndpoint } from '@sluice/client'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { client } from '../../data/client.ts'
import { useMay, useProfile } from '../../data/profile.ts'
import { hostOf } from '../../data/endpoints.ts'
import { refreshEndpoints } from '../../data/webhooks.ts'
import { LinkButton } from '../../parts/button.tsx'
import { CodeDialog } from '../../parts/code-dialog.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Forbidden, Skeleton } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'
import { EndpointForm, type EndpointTerms, isAboutUrl } from './endpoint-form.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { EndpointTermsList } from './terms.tsx'
import styles from './webhooks.module.css'

const BACK = { href: '/webhooks', text: t('webhooks.title') }

/** A new endpoint: its URL and events, then a code, then its secret, once. */
export function NewEndpoint() {
  const { data: profile } = useProfile()
  const mayConfigure = useMay('configure')
  return (
    <Page title={t('webhooks.add')} lead={t('webhooks.addLead')} back={BACK}>
      {profile === undefined && <Skeleton />}
      {profile !== undefined && !mayConfigure && (
        <Card>
          <Forbidden needed="configure" />
        </Card>
      )}
      {mayConfigure && <Creation />}
    </Page>
  )
}

function Creation() {
  const [, navigate] = useLocation()
  const [terms, setTerms] = useState<EndpointTerms | null>(null)
  const [refusal, setRefusal] = useState<unknown>(null)
  const [added, setAdded] = useState<{ endpoint: WebhookEndpoint; signingSecret: string } | null>(
    null,
  )
  const review = (next: EndpointTerms) => {
    setRefusal(null)
    setTerms(next)
  }
  const note = (error: unknown) => {
    if (!isAboutUrl(error)) return
    setRefusal(error)
    setTerms(null)
  }
  return (
    <div className={styles['narrow']}>
      <Card>
        <EndpointForm action={t('webhooks.review')} refusal={refusal} onSubmit={review}>
          <LinkButton href="/webhooks">{t('cancel')}</LinkButton>
        </EndpointForm>
      </Card>
      {terms !== null && (
        <CodeDialog
          title={t('webhooks.add')}
          action={t('webhooks.addAction', { host: hostOf(terms.url) })}
          isOpen
          onClose={() => setTerms(null)}
          perform={(totpCode) => client.webhookEndpoints.create(terms, { totpCode })}
          onDone={(result) => {
            refreshEndpoints()
            setAdded(result)
          }}
          onRefused={note}
        >
          <EndpointTermsList terms={terms} />
        </CodeDialog>
      )}
      {added !== null && (
        <SecretDialog
          url={added.endpoint.url}
          secret={added.signingSecret}
          text={t('webhooks.secretUse')}
          onDone={() => navigate(`/webhooks/${added.endpoint.id}`)}
        />
      )}
    </div>
  )
}
