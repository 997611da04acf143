import type { ReactNode } from 'react'
import { t } from '../text/text.ts'
import { Icon, type IconName } from './icon.tsx'
import { Time } from './time.tsx'
import styles from './timeline.module.css'
import { Hidden } from './hidden.tsx'

/** A step of what happens to a record. */
export interface Step {
  title: string
  state: 'done' | 'current' | 'todo' | 'failed'
  /** When it happened. */
  at?: string | null
  detail?: ReactNode
}

const ICONS: Readonly<Record<Step['state'], IconName>> = {
  done: 'check',
  current: 'clock',
  todo: 'dot',
  failed: 'cross',
}

/** The steps of a record in order; the current one says what it waits for. */
export function Timeline({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className={styles['timeline']}>
      {steps.map(({ title, state, at, detail }) => (
        <li key={title} className={styles[state]} aria-current={state === 'current' || undefined}>
          <span className={styles['mark']}>
            <Icon name={ICONS[state]} />
          </span>
          <div>
            <strong>{title}</strong>
            <Hidden>{t(`timeline.${state}`)}</Hidden>
            {at && <Time iso={at} />}
            {detail !== undefined && <div className={styles['detail']}>{detail}</div>}
          </div>
        </li>
      ))}
    </ol>
  )
}
