import { t } from '../../text/text.ts'
import { differencesOf, lookAlikesIn } from './differences.ts'
import styles from './warnings.module.css'

/** The recipient and the known addresses that it resembles, below each other. */
export function LookAlikes({
  details,
  recipient,
}: {
  details: Readonly<Record<string, unknown>>
  recipient: string
}) {
  return (
    <dl className={styles['compare']}>
      {lookAlikesIn(details).map(({ address, known }) => (
        <div key={address}>
          <dt>{t('warning.thisRecipient')}</dt>
          <dd>
            <Marked address={recipient} other={address} />
          </dd>
          <dt>{t(`warning.known.${known}`)}</dt>
          <dd>
            <Marked address={address} other={recipient} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** An address in groups of four; letters that differ from the other one are marked. */
function Marked({ address, other }: { address: string; other: string }) {
  return (
    <code>
      {differencesOf(address, other).map((group) => (
        <span key={group.from} className={styles['group']}>
          {group.letters.map(({ at, letter, isDifferent }) =>
            isDifferent ? <mark key={at}>{letter}</mark> : letter,
          )}
        </span>
      ))}
    </code>
  )
}
