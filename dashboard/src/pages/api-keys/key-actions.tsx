import type { ApiKey } from '@sluice/client'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { OVERLAPS, refreshApiKeys } from '../../data/api-keys.ts'
import { client } from '../../data/client.ts'
import { formatDuration } from '../../data/times.ts'
import { Button } from '../../parts/button.tsx'
import { CodeDialog } from '../../parts/code-dialog.tsx'
import { SelectField } from '../../parts/field.tsx'
import { Notice } from '../../parts/notice.tsx'
import { t } from '../../text/text.ts'
import { EditTerms } from './edit-terms.tsx'
import { type NewKey, NewKeyDialog } from './new-key-dialog.tsx'
import { Setting } from '../../parts/setting.tsx'

interface ActionProps {
  apiKey: ApiKey
  onClose: () => void
}

type Change = 'edit' | 'rotate' | 'revoke'

/**
 * The changes of a key that an admin may make. A new key is shown until the admin has it, also if
 * the rotation has revoked this one.
 */
export function KeyActions({ apiKey }: { apiKey: ApiKey }) {
  const [, navigate] = useLocation()
  const [open, setOpen] = useState<Change | null>(null)
  const [created, setCreated] = useState<NewKey | null>(null)
  const close = () => setOpen(null)
  const props = { apiKey, onClose: close }
  return (
    <>
      {apiKey.status === 'revoked' ? (
        <p>{t('apiKeys.revokedText')}</p>
      ) : (
        <Changes isActive={apiKey.status === 'active'} onOpen={setOpen} />
      )}
      {open === 'edit' && <EditTerms {...props} />}
      {open === 'rotate' && <Rotate {...props} onCreated={setCreated} />}
      {open === 'revoke' && <Revoke {...props} />}
      {created !== null && (
        <NewKeyDialog created={created} onDone={() => navigate(`/api-keys/${created.apiKey.id}`)} />
      )}
    </>
  )
}

function Changes({ isActive, onOpen }: { isActive: boolean; onOpen: (change: Change) => void }) {
  return (
    <>
      {isActive && (
        <>
          <Setting text={t('apiKeys.editText')}>
            <Button onClick={() => onOpen('edit')}>{t('apiKeys.edit')}</Button>
          </Setting>
          <Setting text={t('apiKeys.rotateText')}>
            <Button onClick={() => onOpen('rotate')}>{t('apiKeys.rotate')}</Button>
          </Setting>
        </>
      )}
      <Setting text={t('apiKeys.revokeText')}>
        <Button look="danger" onClick={() => onOpen('revoke')}>
          {t('apiKeys.revoke')}
        </Button>
      </Setting>
    </>
  )
}

function Rotate({
  apiKey,
  onClose,
  onCreated,
}: ActionProps & { onCreated: (created: NewKey) => void }) {
  const [overlap, setOverlap] = useState('3600')
  const overlapSeconds = OVERLAPS.find((seconds) => String(seconds) === overlap) ?? 0
  return (
    <CodeDialog
      title={t('apiKeys.rotateTitle', { name: apiKey.name })}
      description={t('apiKeys.rotateText')}
      action={t('apiKeys.rotateAction', { name: apiKey.name })}
      isOpen
      onClose={onClose}
      perform={(totpCode) => client.apiKeys.rotate(apiKey.id, { overlapSeconds, totpCode })}
      onDone={(created) => {
        refreshApiKeys()
        onCreated(created)
      }}
    >
      <SelectField
        label={t('apiKeys.overlap')}
        hint={t('apiKeys.overlapHint')}
        value={overlap}
        onChange={(event) => setOverlap(event.target.value)}
        options={OVERLAPS.map((seconds) => [
          String(seconds),
          seconds === 0
            ? t('apiKeys.atOnce')
            : t('apiKeys.after', { time: formatDuration(seconds) }),
        ])}
      />
    </CodeDialog>
  )
}

function Revoke({ apiKey, onClose }: ActionProps) {
  const { id, name, isDefault } = apiKey
  return (
    <CodeDialog
      title={t('apiKeys.revokeTitle', { name })}
      description={t('apiKeys.revokeText')}
      action={t('apiKeys.revokeAction', { name })}
      isDangerous
      isOpen
      onClose={onClose}
      perform={(totpCode) => client.apiKeys.revoke(id, totpCode)}
      onDone={refreshApiKeys}
      done={t('apiKeys.revoked', { name })}
    >
      {isDefault && (
        <Notice tone="warning" title={t('apiKeys.revokeDefault')}>
          {t('apiKeys.revokeDefaultWhy')}
        </Notice>
      )}
    </CodeDialog>
  )
}
