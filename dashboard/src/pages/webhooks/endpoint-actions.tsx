import type { WebhookEndpoint } from '@sluice/client'
import { useState } from 'react'
import { useMay } from '../../data/profile.ts'
import { Button } from '../../parts/button.tsx'
import { Setting } from '../../parts/setting.tsx'
import { t } from '../../text/text.ts'
import { DeleteDialog, PauseDialog, RotateDialog } from './change-dialogs.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { TestDialog } from './test-dialog.tsx'

/** A dialog of a change. */
type Open = 'edit' | 'pause' | 'rotate' | 'delete'

/** The changes of an endpoint that an admin may make, each with its effect. */
export function EndpointActions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [open, setOpen] = useState<Open | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const [moved, setMoved] = useState<WebhookEndpoint | null>(null)
  const maySend = useMay('sendEvents')
  const close = () => setOpen(null)
  const move = (changed: WebhookEndpoint) => {
    close()
    if (maySend) setMoved(changed)
  }
  return (
    <>
      <Offers endpoint={endpoint} onOpen={setOpen} />
      {open === 'edit' && <EditDialog endpoint={endpoint} onClose={close} onMoved={move} />}
      {open === 'pause' && <PauseDialog endpoint={endpoint} onClose={close} />}
      {open === 'rotate' && (
        <RotateDialog endpoint={endpoint} onClose={close} onRotated={setSecret} />
      )}
      {open === 'delete' && <DeleteDialog endpoint={endpoint} onClose={close} />}
      {secret !== null && (
        <SecretDialog
          url={endpoint.url}
          secret={secret}
          text={t('webhooks.rotatedUse')}
          onDone={() => setSecret(null)}
        />
      )}
      {moved !== null && (
        <TestDialog
          endpoint={moved}
          text={t('webhooks.testOffer')}
          onClose={() => setMoved(null)}
        />
      )}
    </>
  )
}

function Offers({
  endpoint: { state, isDefault },
  onOpen,
}: {
  endpoint: WebhookEndpoint
  onOpen: (open: Open) => void
}) {
  const isPaused = state === 'paused'
  return (
    <>
      <Setting text={t('webhooks.editText')}>
        <Button onClick={() => onOpen('edit')}>{t('webhooks.edit')}</Button>
      </Setting>
      {state !== 'tampered' && (
        <Setting text={t(isPaused ? 'webhooks.resumeText' : 'webhooks.pauseText')}>
          <Button onClick={() => onOpen('pause')}>
            {t(isPaused ? 'webhooks.resume' : 'webhooks.pause')}
          </Button>
        </Setting>
      )}
      <Setting text={t('webhooks.rotateText')}>
        <Button onClick={() => onOpen('rotate')}>{t('webhooks.rotate')}</Button>
      </Setting>
      {!isDefault && (
        <Setting text={t('webhooks.deleteText')}>
          <Button look="danger" onClick={() => onOpen('delete')}>
            {t('webhooks.delete')}
          </Button>
        </Setting>
      )}
    </>
  )
}
