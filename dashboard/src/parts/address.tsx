import { t } from '../text/text.ts'
import { Copy, endsOf } from './copy.tsx'
import styles from './address.module.css'

const GROUP = 4
const ENDS = 6

/** An address, hash or id that is shortened to its ends, with a button that copies all of it. */
export function Short({ value, what = t('copy.value') }: { value: string; what?: string }) {
  return (
    <span className={styles['short']}>
      <code title={value}>{endsOf(value)}</code>
      <Copy value={value} what={what} />
    </span>
  )
}

/**
 * A whole address in groups of four, with both ends bold, so that it cannot be misread. A screen
 * reader and a selection get it in one piece.
 */
export function FullAddress({ value, what }: { value: string; what: string }) {
  const last = value.length - ENDS
  const groups = Array.from({ length: Math.ceil(value.length / GROUP) }, (_, index) => {
    const from = index * GROUP
    return { from, text: value.slice(from, from + GROUP) }
  })
  return (
    <span className={styles['full']}>
      <code>
        {groups.map(({ from, text }) => (
          <span key={from} className={styles['group']}>
            {Array.from(text, (letter, at) => {
              const isEnd = from + at < ENDS || from + at >= last
              return isEnd ? <b key={from + at}>{letter}</b> : letter
            })}
          </span>
        ))}
      </code>
      <Copy value={value} what={what} />
    </span>
  )
}
