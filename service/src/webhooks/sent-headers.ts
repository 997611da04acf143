import { assert } from '../base/assert.ts'
import type { SignatureHeaders } from './signature.ts'

/** The headers of a request as a form puts them together, of its event's id and its signature. */
type Form = (eventId: string, signature: SignatureHeaders) => Record<string, string>

/** All forms there ever were: attempts are kept by the number of theirs. */
const FORMS: ReadonlyMap<string, Form> = new Map([['1', firstForm]])
const NEWEST = '1'

/** The headers of a request that is to be sent now. */
export const headersOf: Form = firstForm

/**
 * What is kept of a request's headers: the number of their form and what differs from attempt to
 * attempt. The rest follows from them, and would be more than that.
 */
export function keptSignature(signature: SignatureHeaders): string {
  const { 'webhook-timestamp': seconds, 'x-webhook-signature': ours } = signature
  return `${NEWEST} ${seconds} ${ours} ${signature['webhook-signature']}`
}

/** The headers as they were sent to deliver an event, from what is kept of them. */
export function headersAsSent(eventId: string, kept: string): Record<string, string> {
  const [number = '', seconds = '', ours = '', ...standard] = kept.split(' ')
  const form = FORMS.get(number)
  assert(form, 'headers of a form that never was', { eventId, number })
  return form(eventId, {
    'x-webhook-signature': ours,
    'webhook-id': eventId,
    'webhook-timestamp': seconds,
    'webhook-signature': standard.join(' '),
  })
}

/**
 * Name by name: put together of spread parts, an object of so many names is a table of its own for
 * each request.
 */
function firstForm(eventId: string, signature: SignatureHeaders): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Sluice-Webhooks',
    'accept-encoding': 'identity',
    'x-webhook-signature': signature['x-webhook-signature'],
    'webhook-id': eventId,
    'webhook-timestamp': signature['webhook-timestamp'],
    'webhook-signature': signature['webhook-signature'],
  }
}
