import { t } from '../text/text.ts'
import { Icon } from './icon.tsx'
import { say } from './toast.tsx'
import styles from './copy.module.css'

/** Copies a whole value and announces it; `what` names the value for a screen reader. */
export function Copy({ value, what }: { value: string; what: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      say(t('copy.done', { what, ends: endsOf(value) }))
    } catch {
      say(t('copy.failed'), 'danger')
    }
  }
  return (
    <button
      type="button"
      className={styles['copy']}
      title={t('copy.label', { what })}
      aria-label={t('copy.label', { what })}
      onClick={() => void copy()}
    >
      <Icon name="copy" />
    </button>
  )
}

const ENDS = 6

/** Both ends of a long value, so that a person can compare them. */
export function endsOf(value: string): string {
  return value.length <= 2 * ENDS + 2 ? value : `${value.slice(0, ENDS)}…${value.slice(-ENDS)}`
}
