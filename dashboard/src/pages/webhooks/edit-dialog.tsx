import type { WebhookEndpoint } from '@sluice/client'
import { useState } from 'react'
import { client } from '../../data/client.ts'
import { changeOf, hostOf } from '../../data/endpoints.ts'
import { refreshEndpoints } from '../../data/webhooks.ts'
import { Button } from '../../parts/button.tsx'
import { CodeDialog } from '../../parts/code-dialog.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { say } from '../../parts/toast.tsx'
import { t } from '../../text/text.ts'
import { EndpointForm, type EndpointTerms, isAboutUrl } from './endpoint-form.tsx'
import { EndpointTermsList } from './terms.tsx'

interface EditDialogProps {
  endpoint: WebhookEndpoint
  onClose: () => void
  /** Called after the URL was changed, instead of `onClose`. */
  onMoved: (endpoint: WebhookEndpoint) => void
}

/** Changes an endpoint: the form first, then a review with a one-time code. */
export function EditDialog({ endpoint, onClose, onMoved }: EditDialogProps) {
  const [terms, setTerms] = useState<EndpointTerms | null>(null)
  const [isReview, setReview] = useState(false)
  const [refusal, setRefusal] = useState<unknown>(null)
  const host = hostOf(endpoint.url)
  const change = terms === null ? {} : changeOf(endpoint, terms)
  const review = (next: EndpointTerms) => {
    setRefusal(null)
    setTerms(next)
    if (Object.keys(changeOf(endpoint, next)).length === 0) say(t('webhooks.unchanged'))
    else setReview(true)
  }
  const note = (error: unknown) => {
    if (!isAboutUrl(error)) return
    setRefusal(error)
    setReview(false)
  }
  const title = t('webhooks.editTitle', { host })
  if (!isReview || terms === null)
    return (
      <Dialog title={title} description={t('webhooks.editText')} isOpen onClose={onClose}>
        <EndpointForm
          initial={terms ?? endpoint}
          action={t('webhooks.review')}
          refusal={refusal}
          onSubmit={review}
        >
          <Button onClick={onClose}>{t('cancel')}</Button>
        </EndpointForm>
      </Dialog>
    )
  return (
    <CodeDialog
      title={title}
      description={t('webhooks.editText')}
      action={t('webhooks.editAction', { host })}
      isOpen
      onClose={() => setReview(false)}
      perform={(totpCode) => client.webhookEndpoints.update(endpoint.id, change, { totpCode })}
      onDone={(changed) => {
        refreshEndpoints()
        if (change.url === undefined) onClose()
        else onMoved(changed)
      }}
      onRefused={note}
      done={t('webhooks.edited')}
    >
      <EndpointTermsList terms={terms} />
    </CodeDialog>
  )
}
