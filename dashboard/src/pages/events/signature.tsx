import type { DeliveryAttempt } from '@sluice/client'
import { docsUrl } from '../../data/client.ts'
import { SIGNATURE_HEADERS } from '../../data/event-facts.ts'
import { Copy } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { t } from '../../text/text.ts'
import styles from './events.module.css'

/** The headers of an attempt that a receiver checks. */
export function Signature({ attempt }: { attempt: DeliveryAttempt | undefined }) {
  const headers = attempt?.request.headers ?? {}
  const sent = SIGNATURE_HEADERS.flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [{ name, value }]
  })
  if (sent.length === 0) return <p>{t('events.noAttempts')}</p>
  return (
    <>
      <p className={styles['muted']}>
        {t('events.signatureWhy')}{' '}
        <a href={docsUrl('guides/verify-webhooks')}>{t('events.howToVerify')}</a>
      </p>
      <Facts
        facts={sent.map(({ name, value }) => [
          name,
          <span key={name}>
            <code>{value}</code> <Copy value={value} what={t('events.theHeader', { name })} />
          </span>,
        ])}
      />
    </>
  )
}
