import type { ReactNode } from 'react'
import type { Tone } from './chip.tsx'
import { Icon, type IconName } from './icon.tsx'
import styles from './notice.module.css'
import tones from './tones.module.css'

const ICONS: Readonly<Record<Tone, IconName>> = {
  success: 'check',
  warning: 'warning',
  danger: 'cross',
  info: 'info',
  neutral: 'dot',
}

/** A fact that a person must not overlook, beside what it is about. */
export function Notice({
  tone,
  title,
  children,
}: {
  tone: Tone
  title: string
  children?: ReactNode
}) {
  return (
    <div className={`${styles['notice']} ${tones[tone]}`}>
      <Icon name={ICONS[tone]} />
      <div>
        <strong>{title}</strong>
        {children !== undefined && <div className={styles['body']}>{children}</div>}
      </div>
    </div>
  )
}
