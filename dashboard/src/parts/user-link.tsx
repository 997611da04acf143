import { Link } from 'wouter'
import { userHref } from '../data/user-path.ts'
import styles from './user-link.module.css'

/** The id of an end user, in one line, with a link to the page of the end user. */
export function UserLink({ userId }: { userId: string }) {
  return (
    <Link href={userHref(userId)} className={styles['user']} title={userId}>
      <bdi>{userId}</bdi>
    </Link>
  )
}
