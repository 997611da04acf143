import type { DeliveryStep } from '@sluice/wire'
import { isAccepted } from './delivery.ts'
import type { Attempt } from './delivery.ts'

/** The beginning of an error by the step that it names (`connector.ts`, `resolve.ts`). */
const STEP_OF: readonly (readonly [string, DeliveryStep])[] = [
  ['name service: ', 'nameResolution'],
  ['connect: ', 'connection'],
  ['TLS: ', 'tls'],
  ['receiver: ', 'connection'],
  // The addresses of a name are checked after its resolution.
  ['The webhook URL ', 'check'],
]

/** The step in which an attempt failed; null if it was accepted. */
export function failedStepOf({
  signature,
  answer,
}: Pick<Attempt, 'signature' | 'answer'>): DeliveryStep | null {
  if (isAccepted(answer)) return null
  if (signature === null) return 'check'
  const { status, error } = answer
  if (status === null)
    return STEP_OF.find(([beginning]) => error.startsWith(beginning))?.[1] ?? 'response'
  return error === '' ? 'status' : 'response'
}
