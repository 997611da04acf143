import { isSluiceError } from '@sluice/client'
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import { docsUrl } from '../../data/client.ts'
import { typeName } from '../../data/event-types.ts'
import type { WholeEvent } from '../../data/event-facts.ts'
import { useEvent } from '../../data/events.ts'
import { useMay } from '../../data/profile.ts'
import { Short } from '../../parts/address.tsx'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Stale } from '../../parts/list.tsx'
import { Card, Columns, Page } from '../../parts/page.tsx'
import { Empty, Failure, Skeleton } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { Attempts } from './attempts.tsx'
import { Deliveries } from './deliveries.tsx'
import { Payload } from './payload.tsx'
import { Resend } from './resend.tsx'
import { Signature } from './signature.tsx'
import { SubjectLink } from './subject-link.tsx'

const BACK = { href: '/events', text: t('events.title') }

/** One event: its payload, its deliveries, and each attempt with its answer. */
export function EventPage() {
  const { id = '' } = useParams()
  const query = useEvent(id)
  const maySend = useMay('sendEvents')
  const [isOpen, setOpen] = useState(false)
  const { data: event, error } = query
  const retry = () => void query.refetch()
  if (event === undefined)
    return (
      <Page title={t('events.one')} back={BACK}>
        {error === null ? <Skeleton /> : <Unread error={error} onRetry={retry} />}
      </Page>
    )
  const resend = maySend && (
    <Button look="primary" onClick={() => setOpen(true)}>
      <Icon name="refresh" />
      {t('events.resend')}
    </Button>
  )
  return (
    <Page title={typeName(event.type)} back={BACK} actions={resend}>
      {error !== null && <Stale error={error} onRetry={retry} />}
      <Columns>
        <Card title={t('events.facts')}>
          <EventFacts event={event} />
        </Card>
        <Card title={t('events.signature')}>
          <Signature attempt={event.attempts.at(-1)} />
        </Card>
      </Columns>
      <Card title={t('events.deliveries')} isFlush>
        <Deliveries event={event} />
      </Card>
      <Card title={t('events.payload')}>
        <Payload event={event} />
      </Card>
      <Card title={t('events.attemptList')}>
        <Attempts attempts={event.attempts} />
      </Card>
      {isOpen && <Resend event={event} onClose={() => setOpen(false)} />}
    </Page>
  )
}

function Unread({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (!isSluiceError(error, 'NOT_FOUND')) return <Failure error={error} onRetry={onRetry} />
  return <Empty title={t('events.notFound')}>{t('events.notFoundWhy')}</Empty>
}

function EventFacts({ event }: { event: WholeEvent }) {
  const { id, type, timestamp, sequence, subjectId } = event
  // The headings of the catalogue are types; an anchor has no points.
  const anchor = type.replaceAll('.', '')
  return (
    <Facts
      facts={[
        [
          t('events.type'),
          <span key="type">
            <code>{type}</code> · <a href={docsUrl(`events#${anchor}`)}>{t('events.about')}</a>
          </span>,
        ],
        [t('events.subject'), <SubjectLink key="subject" event={event} />],
        [
          t('events.subjectId'),
          <span key="subjectId">
            <Short value={subjectId} what={t('events.thisSubject')} /> ·{' '}
            <Link href={`/events?subjectId=${encodeURIComponent(subjectId)}`}>
              {t('events.ofSubject')}
            </Link>
          </span>,
        ],
        [t('events.created'), <Time key="created" iso={timestamp} />],
        [t('events.sequence'), sequence],
        [t('events.id'), <Short key="id" value={id} what={t('events.thisId')} />],
      ]}
    />
  )
}
