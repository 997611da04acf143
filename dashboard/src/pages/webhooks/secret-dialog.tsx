import { hostOf } from '../../data/endpoints.ts'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { t } from '../../text/text.ts'

/** Shows the signing secret of an endpoint, once. */
export function SecretDialog({
  url,
  secret,
  text,
  onDone,
}: {
  url: string
  secret: string
  text: string
  onDone: () => void
}) {
  return (
    <ShownOnce
      title={t('webhooks.newSecret', { host: hostOf(url) })}
      what={t('webhooks.secret')}
      value={secret}
      why={t('webhooks.secretWhy')}
      confirm={t('webhooks.secretStored')}
      onDone={onDone}
    >
      <p>{text}</p>
    </ShownOnce>
  )
}
