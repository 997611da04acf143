import type { Use } from '../data/decisions.ts'
import { t } from '../text/text.ts'
import { Chip, type Tone } from './chip.tsx'

const TONES: Readonly<Record<Use, Tone>> = {
  on: 'success',
  offByOrganization: 'warning',
  offByOperator: 'neutral',
}

/** Whether the organization uses a chain or a token, and otherwise whose decision it is. */
export function UseChip({ use }: { use: Use }) {
  return <Chip tone={TONES[use]}>{t(`use.${use}`)}</Chip>
}
