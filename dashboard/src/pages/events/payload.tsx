import { useState } from 'react'
import { bytesOf, prettyOf, type WholeEvent } from '../../data/event-facts.ts'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { t } from '../../text/text.ts'
import styles from './events.module.css'

/** The payload of an event, indented or in the exact text that was signed. */
export function Payload({ event: { payload, attempts } }: { event: WholeEvent }) {
  const [isRaw, setRaw] = useState(false)
  const raw = attempts.at(-1)?.request.body
  return (
    <>
      <div className={styles['choice']} role="group" aria-label={t('events.view')}>
        <Button aria-pressed={!isRaw} onClick={() => setRaw(false)}>
          {t('events.pretty')}
        </Button>
        <Button aria-pressed={isRaw} onClick={() => setRaw(true)}>
          {t('events.raw')}
        </Button>
        {isRaw && raw !== undefined && (
          <span className={styles['muted']}>
            {t('events.bytes', { count: bytesOf(raw) })}. {t('events.rawWhy')}
          </span>
        )}
      </div>
      {isRaw ? (
        <Raw body={raw} />
      ) : (
        <CodeBlock text={prettyOf(JSON.stringify(payload))} what={t('events.thePayload')} />
      )}
    </>
  )
}

function Raw({ body }: { body: string | undefined }) {
  if (body === undefined) return <p>{t('events.noRaw')}</p>
  return <CodeBlock text={body} what={t('events.theBody')} />
}
