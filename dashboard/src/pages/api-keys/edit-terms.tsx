import type { ApiKey } from '@sluice/client'
import { useState } from 'react'
import { refreshApiKeys } from '../../data/api-keys.ts'
import { client } from '../../data/client.ts'
import { Button } from '../../parts/button.tsx'
import { CodeDialog } from '../../parts/code-dialog.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { t } from '../../text/text.ts'
import { isAboutKeyField, KeyForm, type KeyTerms } from './key-form.tsx'
import { Terms } from './terms.tsx'

/** Changes the terms of a key: the form first, then a review with a one-time code. */
export function EditTerms({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { id, name } = apiKey
  const [terms, setTerms] = useState<KeyTerms>(apiKey)
  const [isReview, setReview] = useState(false)
  const [refusal, setRefusal] = useState<unknown>(null)
  const note = (error: unknown) => {
    if (!isAboutKeyField(error)) return
    setRefusal(error)
    setReview(false)
  }
  const review = (next: KeyTerms) => {
    setRefusal(null)
    setTerms(next)
    setReview(true)
  }
  if (!isReview)
    return (
      <Dialog title={t('apiKeys.editTitle', { name })} isOpen onClose={onClose}>
        <KeyForm initial={terms} action={t('apiKeys.review')} refusal={refusal} onSubmit={review}>
          <Button onClick={onClose}>{t('cancel')}</Button>
        </KeyForm>
      </Dialog>
    )
  return (
    <CodeDialog
      title={t('apiKeys.editTitle', { name })}
      description={t('apiKeys.editText')}
      action={t('apiKeys.editAction', { name })}
      isOpen
      onClose={() => setReview(false)}
      perform={(totpCode) => client.apiKeys.update(id, { ...terms, totpCode })}
      onDone={() => {
        refreshApiKeys()
        onClose()
      }}
      onRefused={note}
      done={t('apiKeys.edited', { name })}
    >
      <Terms terms={terms} />
    </CodeDialog>
  )
}
