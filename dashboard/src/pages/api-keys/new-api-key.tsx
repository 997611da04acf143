import { useState } from 'react'
import { useLocation } from 'wouter'
import { refreshApiKeys } from '../../data/api-keys.ts'
import { client } from '../../data/client.ts'
import { useMay, useProfile } from '../../data/profile.ts'
import { LinkButton } from '../../parts/button.tsx'
import { CodeDialog } from '../../parts/code-dialog.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Forbidden, Skeleton } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'
import styles from './api-keys.module.css'
import { isAboutKeyField, KeyForm, type KeyTerms } from './key-form.tsx'
import { type NewKey, NewKeyDialog } from './new-key-dialog.tsx'
import { Terms } from './terms.tsx'

const BACK = { href: '/api-keys', text: t('apiKeys.title') }

/** A new API key: its terms, then a code, then the key itself, once. */
export function NewApiKey() {
  const { data: profile } = useProfile()
  const mayManage = useMay('manageApiKeys')
  return (
    <Page title={t('apiKeys.create')} lead={t('apiKeys.createLead')} back={BACK}>
      {profile === undefined && <Skeleton />}
      {profile !== undefined && !mayManage && (
        <Card>
          <Forbidden needed="manageApiKeys" />
        </Card>
      )}
      {mayManage && <Creation />}
    </Page>
  )
}

function Creation() {
  const [, navigate] = useLocation()
  const [terms, setTerms] = useState<KeyTerms | null>(null)
  const [refusal, setRefusal] = useState<unknown>(null)
  const [created, setCreated] = useState<NewKey | null>(null)
  const review = (next: KeyTerms) => {
    setRefusal(null)
    setTerms(next)
  }
  const note = (error: unknown) => {
    if (!isAboutKeyField(error)) return
    setRefusal(error)
    setTerms(null)
  }
  return (
    <div className={styles['narrow']}>
      <Card>
        <KeyForm action={t('apiKeys.review')} refusal={refusal} onSubmit={review}>
          <LinkButton href="/api-keys">{t('cancel')}</LinkButton>
        </KeyForm>
      </Card>
      {terms !== null && (
        <CodeDialog
          title={t('apiKeys.create')}
          action={t('apiKeys.createAction', { name: terms.name })}
          isOpen
          onClose={() => setTerms(null)}
          perform={(totpCode) => client.apiKeys.create({ ...terms, totpCode })}
          onDone={(result) => {
            refreshApiKeys()
            setCreated(result)
          }}
          onRefused={note}
        >
          <Terms terms={terms} />
        </CodeDialog>
      )}
      {created !== null && (
        <NewKeyDialog created={created} onDone={() => navigate(`/api-keys/${created.apiKey.id}`)} />
      )}
    </div>
  )
}
