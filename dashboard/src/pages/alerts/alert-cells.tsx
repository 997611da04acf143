import type { Alert } from '@sluice/client'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'wouter'
import {
  type About as Kind,
  alertDocs,
  isKnownCode,
  messageParts,
  subjectOf,
} from '../../data/alert-facts.ts'
import { acknowledge } from '../../data/alerts.ts'
import { useTokens } from '../../data/catalogue.ts'
import { useNames } from '../../data/names.ts'
import { useMay } from '../../data/profile.ts'
import { Short } from '../../parts/address.tsx'
import { Button } from '../../parts/button.tsx'
import { ChainName } from '../../parts/chain-name.tsx'
import { Chip } from '../../parts/chip.tsx'
import { endsOf } from '../../parts/copy.tsx'
import { DocsLink } from '../../parts/docs-link.tsx'
import { messageOf } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { say } from '../../parts/toast.tsx'
import { t } from '../../text/text.ts'
import styles from './alerts.module.css'

/** The kind of an alert in words; its code if it has no text. */
export function kindText({ code }: Pick<Alert, 'code'>): string {
  return isKnownCode(code) ? t(`alerts.code.${code}`) : code
}

/** The alert in words with its runbook, and a link to its page. */
export function Message({ alert }: { alert: Alert }) {
  return (
    <span className={styles['message']}>
      <Link href={`/alerts/${alert.id}`}>
        <strong>{kindText(alert)}</strong>
      </Link>
      <Explanation alert={alert} />
    </span>
  )
}

/** The message of the alert, with its code and its runbook. */
export function Explanation({ alert: { code, message } }: { alert: Alert }) {
  return (
    <>
      <span>
        {messageParts(message).map((part, index) =>
          index % 2 === 0 ? part : <code key={`${index} ${part}`}>{part}</code>,
        )}
      </span>
      <span className={styles['minor']}>
        <code>{code}</code>
        <DocsLink page={alertDocs(code)} text={t('alerts.runbook')} />
      </span>
    </>
  )
}

/** The subject of the alert, with its page. */
export function About({ alert }: { alert: Alert }) {
  const { about, value, href } = subjectOf(alert)
  return (
    <span className={styles['about']}>
      <span>{t(`alerts.subject.${about}`)}</span>
      {href === null ? (
        <Short value={alert.subject} what={t('alerts.subjectWhat')} />
      ) : (
        <Link href={href} title={alert.subject}>
          <Name about={about} value={value} />
        </Link>
      )}
    </span>
  )
}

function Name({ about, value }: { about: Kind; value: string }) {
  const token = useTokens().get(value)
  if (about === 'settings') return t('settings.title')
  if (about === 'token') return token?.symbol ?? endsOf(value)
  return value.includes(':') ? <ChainName chainId={value} /> : <code>{endsOf(value)}</code>
}

/** When it was raised, and how often. */
export function Times({ alert: { raisedAt, lastAt, times } }: { alert: Alert }) {
  return (
    <span className={styles['about']}>
      <Time iso={raisedAt} />
      {times > 1 && (
        <span className={styles['minor']}>
          {t('alerts.times', { count: times })} <Time iso={lastAt} />
        </span>
      )}
    </span>
  )
}

/** Open, acknowledged or resolved, with the person who acknowledged it. */
export function State({ alert }: { alert: Alert }) {
  const { id, resolvedAt, acknowledgedAt, acknowledgedBy } = alert
  const may = useMay('acknowledgeAlerts')
  const names = useNames()
  const isOpen = resolvedAt === null
  return (
    <span className={styles['about']}>
      {isOpen ? (
        <Chip tone={acknowledgedAt === null ? 'danger' : 'info'} icon="alert">
          {t(acknowledgedAt === null ? 'alerts.isOpen' : 'alerts.isSeen')}
        </Chip>
      ) : (
        <Chip tone="success">{t('alerts.isResolved')}</Chip>
      )}
      {!isOpen && <Time iso={resolvedAt} />}
      {acknowledgedAt !== null && (
        <span className={styles['minor']}>
          {t('alerts.seenBy')} <Person id={acknowledgedBy} names={names} />
          {', '}
          <Time iso={acknowledgedAt} />
        </span>
      )}
      {isOpen && acknowledgedAt === null && may && <Acknowledge id={id} />}
    </span>
  )
}

function Person({
  id,
  names,
}: {
  id: string | null
  names: ReadonlyMap<string, string> | undefined
}) {
  if (id === null) return null
  const name = names?.get(id)
  if (name === undefined) return names === undefined ? endsOf(id) : t('auditLog.apiKey')
  return (
    <Link href={`/people/${id}`}>
      <bdi>{name}</bdi>
    </Link>
  )
}

function Acknowledge({ id }: { id: string }) {
  const seen = useMutation({
    mutationFn: () => acknowledge(id),
    onSuccess: () => say(t('alerts.acknowledged')),
    onError: (error) => say(messageOf(error), 'danger'),
  })
  return (
    <Button onClick={() => seen.mutate()} isBusy={seen.isPending}>
      {t('alerts.acknowledge')}
    </Button>
  )
}
