import { t } from '../text/text.ts'
import { Copy, endsOf } from './copy.tsx'
import styles from './address.module.css'

const GROUP = 4
/** Groups at each end that are bold. */
const ENDS = 2

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
  const count = Math.ceil(value.length / GROUP)
  const groups = Array.from({ length: count }, (_, index) => ({
    from: index * GROUP,
    Part: index < ENDS || index >= count - ENDS ? ('b' as const) : ('span' as const),
  }))
  return (
    <span className={styles['full']}>
      <code>
        {groups.map(({ from, Part }) => (
          <Part key={from} className={styles['group']}>
            {value.slice(from, from + GROUP)}
          </Part>
        ))}
      </code>
      <Copy value={value} what={what} />
    </span>
  )
}
