import type { RecordedEvent } from '@sluice/client'
import { Link } from 'wouter'
import { subjectOf, userOf } from '../../data/event-facts.ts'
import { ChainName } from '../../parts/chain-name.tsx'
import { endsOf } from '../../parts/copy.tsx'
import { UserLink } from '../../parts/user-link.tsx'
import { t } from '../../text/text.ts'
import styles from './events.module.css'

/** The record that an event is about, with a link to its page if it has one. */
export function SubjectLink({ event }: { event: RecordedEvent }) {
  const { kind, href } = subjectOf(event)
  const { subjectId, payload } = event
  const name = t(`events.subjects.${kind}`)
  const userId = userOf(payload)
  if (kind === 'account' && userId !== null) return <UserLink userId={userId} />
  if (kind === 'chain')
    return (
      <Link href="/chains">
        <ChainName chainId={subjectId} />
      </Link>
    )
  if (kind === 'settings' || kind === 'webhook') return <Link href={href ?? '/'}>{name}</Link>
  const text = (
    <>
      {name} <code>{endsOf(subjectId)}</code>
    </>
  )
  return (
    <span className={styles['subject']} title={subjectId}>
      {href === null ? text : <Link href={href}>{text}</Link>}
    </span>
  )
}
