import type { Client } from '@sluice/client'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { t } from '../../text/text.ts'

/** A new key and its record. */
export type NewKey = Awaited<ReturnType<Client['apiKeys']['create']>>

/** Shows a new key, once. */
export function NewKeyDialog({ created, onDone }: { created: NewKey; onDone: () => void }) {
  return (
    <ShownOnce
      title={t('apiKeys.newTitle', { name: created.apiKey.name })}
      what={t('apiKeys.what')}
      value={created.key}
      confirm={t('apiKeys.stored')}
      onDone={onDone}
    >
      <p>{t('apiKeys.use')}</p>
    </ShownOnce>
  )
}
