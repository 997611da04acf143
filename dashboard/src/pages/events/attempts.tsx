import type { DeliveryAttempt } from '@sluice/client'
import { failedStepOf } from '../../data/event-facts.ts'
import { Chip } from '../../parts/chip.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { type Fact, Facts } from '../../parts/facts.tsx'
import { Time } from '../../parts/time.tsx'
import { sentence, t } from '../../text/text.ts'
import styles from './events.module.css'

/** The attempts to deliver an event, the newest first. */
export function Attempts({ attempts }: { attempts: readonly DeliveryAttempt[] }) {
  if (attempts.length === 0) return <p>{t('events.noAttempts')}</p>
  return (
    <ol className={styles['attempts']} reversed>
      {attempts.toReversed().map((attempt) => (
        <li key={`${attempt.endpointId} ${attempt.startedAt}`} className={styles['attempt']}>
          <Attempt attempt={attempt} />
        </li>
      ))}
    </ol>
  )
}

function Attempt({ attempt }: { attempt: DeliveryAttempt }) {
  const { number, startedAt, durationMs, request, response, error } = attempt
  const step = failedStepOf(attempt)
  const failure: Fact[] =
    step === null
      ? []
      : [
          [t('events.failedStep'), t(`deliverySteps.${step}.name`)],
          [t('events.error'), `${t(`deliverySteps.${step}.why`)} ${sentence(error)}`],
        ]
  return (
    <>
      <div className={styles['attemptHead']}>
        <h3>{t('events.attempt', { number })}</h3>
        <Chip tone={step === null ? 'success' : 'danger'}>
          {t(step === null ? 'events.accepted' : 'events.refused')}
        </Chip>
      </div>
      <Facts
        facts={[
          [t('events.startedAt'), <Time key="at" iso={startedAt} />],
          [t('events.duration'), t('webhooks.milliseconds', { count: durationMs })],
          [t('events.answer'), response?.status ?? t('events.noAnswer')],
          ...failure,
          [t('events.sentTo'), <code key="url">{request.url}</code>],
        ]}
      />
      <details className={styles['more']}>
        <summary>{t('events.request')}</summary>
        <div className={styles['parts']}>
          <Headers headers={request.headers} />
          <CodeBlock text={request.body} what={t('events.requestBody')} />
        </div>
      </details>
      {response !== null && (
        <details className={styles['more']}>
          <summary>{t('events.response')}</summary>
          <div className={styles['parts']}>
            <Headers headers={response.headers} />
            {response.body === '' ? (
              <p>{t('events.noBody')}</p>
            ) : (
              <CodeBlock text={response.body} what={t('events.responseBody')} />
            )}
          </div>
        </details>
      )}
    </>
  )
}

function Headers({ headers }: { headers: Readonly<Record<string, string>> }) {
  const entries = Object.entries(headers)
  if (entries.length === 0) return <p>{t('events.noHeaders')}</p>
  return (
    <Facts
      facts={entries.map(([name, value]) => [
        name,
        <code key={name} className={styles['value']}>
          {value}
        </code>,
      ])}
    />
  )
}
