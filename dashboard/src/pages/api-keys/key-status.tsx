import type { ApiKey } from '@sluice/client'
import { Chip, type Tone } from '../../parts/chip.tsx'
import { t } from '../../text/text.ts'

const TONES: Readonly<Record<ApiKey['status'], Tone>> = {
  active: 'success',
  expired: 'warning',
  revoked: 'neutral',
}

/** Whether a key is accepted. */
export function KeyStatus({ status }: { status: ApiKey['status'] }) {
  return <Chip tone={TONES[status]}>{t(`apiKeys.statuses.${status}`)}</Chip>
}
