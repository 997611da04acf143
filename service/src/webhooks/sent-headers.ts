import { assert } from '../base/assert.ts'
import type { SignatureHeaders } from './signature.ts'

/** The headers of a form, from an event id and a signature. */
type Form = (eventId: string, signature: SignatureHeaders) => Record<string, string>

/** All forms so far: attempts store the number of their form. */
const FORMS: ReadonlyMap<string, Form> = new Map([['1', firstForm]])
const NEWEST = '1'

/** The headers of a new request. */
export const headersOf: Form = firstForm

/**
 * The stored part of a request's headers: the number of their form and the values that differ by
 * attempt. The rest is derived, which saves most of the space.
 */
export function keptSignature(signature: SignatureHeaders): string {
  const { 'webhook-timestamp': seconds, 'x-webhook-signature': ours } = signature
  return `${NEWEST} ${seconds} ${ours} ${signature['webhook-signature']}`
}

/** The headers as sent, from their stored part. */
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
 * Field by field: with spread syntax, an object of this many fields becomes a dictionary per
 * request.
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
