import { namesOf } from '../../data/event-types.ts'
import { t } from '../../text/text.ts'
import styles from './webhooks.module.css'

/** All types of an event filter; a subject that is chosen whole is one entry. */
export function EventList({ types }: { types: readonly string[] | null }) {
  if (types === null) return t('eventTypes.all')
  return (
    <ul className={styles['types']}>
      {namesOf(types).map((name) => (
        <li key={name}>{name}</li>
      ))}
    </ul>
  )
}
