import type { User } from '@sluice/client'
import { type Standing, standingOf } from '../../data/standing.ts'
import { Chip, type Tone } from '../../parts/chip.tsx'
import { t } from '../../text/text.ts'

const TONES: Readonly<Record<Standing, Tone>> = {
  active: 'success',
  invited: 'info',
  expired: 'warning',
  withdrawn: 'neutral',
  reset: 'warning',
  disabled: 'neutral',
  tampered: 'danger',
}

/** The state of a person. */
export function StandingChip({ person }: { person: User }) {
  const standing = standingOf(person, Date.now())
  return <Chip tone={TONES[standing]}>{t(`people.standing.${standing}`)}</Chip>
}
