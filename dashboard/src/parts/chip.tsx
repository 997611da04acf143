import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import styles from './chip.module.css'
import tones from './tones.module.css'

/** The meaning of a state for a person; colour alone never shows it. */
export type Tone = 'success' | 'warning' | 'danger' | 'info' | 'neutral'

const ICONS: Readonly<Record<Tone, IconName>> = {
  success: 'check',
  warning: 'warning',
  danger: 'cross',
  info: 'clock',
  neutral: 'dot',
}

/** A state as an icon and a word. */
export function Chip({
  tone,
  icon = ICONS[tone],
  children,
}: {
  tone: Tone
  icon?: IconName
  children: ReactNode
}) {
  return (
    <span className={`${styles['chip']} ${tones[tone]}`}>
      <Icon name={icon} />
      {children}
    </span>
  )
}
