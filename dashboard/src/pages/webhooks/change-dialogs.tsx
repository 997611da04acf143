import type { WebhookEndpoint } from '@sluice/client'
import { useLocation } from 'wouter'
import { client } from '../../data/client.ts'
import { hostOf } from '../../data/endpoints.ts'
import { refreshEndpoints } from '../../data/webhooks.ts'
import { CodeDialog } from '../../parts/code-dialog.tsx'
import { Notice } from '../../parts/notice.tsx'
import { t } from '../../text/text.ts'

interface ChangeProps {
  endpoint: WebhookEndpoint
  onClose: () => void
}

/** Pauses an active endpoint, or resumes a paused one. */
export function PauseDialog({ endpoint: { id, url, state }, onClose }: ChangeProps) {
  const isPaused = state !== 'paused'
  const host = hostOf(url)
  return (
    <CodeDialog
      title={t(isPaused ? 'webhooks.pauseTitle' : 'webhooks.resumeTitle', { host })}
      description={t(isPaused ? 'webhooks.pauseText' : 'webhooks.resumeText')}
      action={t(isPaused ? 'webhooks.pauseAction' : 'webhooks.resumeAction', { host })}
      isOpen
      onClose={onClose}
      perform={(totpCode) => client.webhookEndpoints.update(id, { isPaused }, { totpCode })}
      onDone={refreshEndpoints}
      done={t(isPaused ? 'webhooks.paused' : 'webhooks.resumed')}
    />
  )
}

/** Replaces the secret of an endpoint; `onRotated` gets the new one. */
export function RotateDialog({
  endpoint: { id, url },
  onClose,
  onRotated,
}: ChangeProps & { onRotated: (secret: string) => void }) {
  const host = hostOf(url)
  return (
    <CodeDialog
      title={t('webhooks.rotateTitle', { host })}
      description={t('webhooks.rotateText')}
      action={t('webhooks.rotateAction', { host })}
      isOpen
      onClose={onClose}
      perform={(totpCode) => client.webhookEndpoints.rotateSecret(id, { totpCode })}
      onDone={(secret) => {
        refreshEndpoints()
        onRotated(secret)
      }}
    >
      <p>{t('webhooks.rotateWhy')}</p>
    </CodeDialog>
  )
}

/** Deletes an endpoint, and returns to the list. */
export function DeleteDialog({ endpoint, onClose }: ChangeProps) {
  const [, navigate] = useLocation()
  const { id, url, pendingDeliveries } = endpoint
  const host = hostOf(url)
  return (
    <CodeDialog
      title={t('webhooks.deleteTitle', { host })}
      description={t('webhooks.deleteText')}
      action={t('webhooks.deleteAction', { host })}
      isDangerous
      isOpen
      onClose={onClose}
      perform={(totpCode) => client.webhookEndpoints.delete(id, { totpCode })}
      onDone={() => {
        refreshEndpoints()
        navigate('/webhooks')
      }}
      done={t('webhooks.deleted')}
    >
      {pendingDeliveries > 0 && (
        <Notice tone="warning" title={t('webhooks.deletePending', { count: pendingDeliveries })}>
          {t('webhooks.deletePendingWhy')}
        </Notice>
      )}
    </CodeDialog>
  )
}
