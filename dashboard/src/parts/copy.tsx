import { t } from '../text/text.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { say } from './toast.tsx'
import styles from './copy.module.css'

/** Copies a whole value and announces it; `what` names the value for a screen reader. */
export function Copy({ value, what }: { value: string; what: string }) {
  return (
    <button
      type="button"
      className={styles['copy']}
      title={t('copy.label', { what })}
      aria-label={t('copy.label', { what })}
      onClick={() => void copy(value, t('copy.done', { what, ends: endsOf(value) }))}
    >
      <Icon name="copy" />
    </button>
  )
}

/** A button that copies a secret; the announcement does not show any of it. */
export function CopySecret({ value, what }: { value: string; what: string }) {
  return (
    <Button onClick={() => void copy(value, t('copy.doneSecret', { what }))}>
      <Icon name="copy" />
      {t('copy.label', { what })}
    </Button>
  )
}

async function copy(value: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(value)
    say(done)
  } catch {
    say(t('copy.failed'), 'danger')
  }
}

const ENDS = 6

/** Both ends of a long value, so that a person can compare them. */
export function endsOf(value: string): string {
  return value.length <= 2 * ENDS + 2 ? value : `${value.slice(0, ENDS)}…${value.slice(-ENDS)}`
}
