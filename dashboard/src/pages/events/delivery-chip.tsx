import type { DeliveryState } from '../../data/webhook-days.ts'
import { Chip, type Tone } from '../../parts/chip.tsx'
import { t } from '../../text/text.ts'

const TONES: Readonly<Record<DeliveryState, Tone>> = {
  delivered: 'success',
  pending: 'info',
  failed: 'danger',
  none: 'neutral',
}

/** The state of a delivery. */
export function DeliveryChip({ state }: { state: DeliveryState }) {
  return <Chip tone={TONES[state]}>{t(`deliveryStates.${state}`)}</Chip>
}
