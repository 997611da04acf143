import type { WebhookEndpoint } from '@sluice/client'
import { type Condition, conditionOf } from '../../data/endpoints.ts'
import { Chip, type Tone } from '../../parts/chip.tsx'
import { t } from '../../text/text.ts'

const TONES: Readonly<Record<Condition, Tone>> = {
  active: 'success',
  failing: 'danger',
  paused: 'warning',
  tampered: 'danger',
  unset: 'neutral',
}

/** Whether an endpoint receives events. */
export function ConditionChip({ endpoint }: { endpoint: WebhookEndpoint }) {
  const condition = conditionOf(endpoint)
  return <Chip tone={TONES[condition]}>{t(`webhooks.states.${condition}`)}</Chip>
}
