import type { Clock, Millis } from '../base/clock.ts'
import type { Answer, Attempt, Delivery } from './delivery.ts'
import type { Post, Poster } from './post.ts'
import { signDelivery } from './signature.ts'
import type { TargetOf } from './targets.ts'

export interface AttemptMeans {
  clock: Clock
  poster: Poster
  targetOf: TargetOf
}

/**
 * Tries a delivery once: checks its URL again, signs, sends. Whatever goes wrong outside is the
 * attempt's answer; null comes back where the loop closed before there was one, and then nothing
 * was tried.
 */
export async function attemptDelivery(
  { clock, poster, targetOf }: AttemptMeans,
  delivery: Delivery,
): Promise<Attempt | null> {
  const startedAt = clock.now()
  const post = prepare(delivery, startedAt, targetOf)
  const isReady = typeof post !== 'string'
  const answer = isReady ? await poster.send(post) : unsent(post)
  if (answer === null) return null
  const number = delivery.attempts + 1
  const url = isReady ? (delivery.url ?? '') : withoutCredentials(delivery.url ?? '')
  const headers = isReady ? post.headers : {}
  return { delivery, number, url, headers, answer, startedAt, endedAt: clock.now() }
}

/** The request, signed; or why there is none. */
function prepare(
  { eventId, url, keys, body }: Delivery,
  at: Millis,
  targetOf: TargetOf,
): Post | string {
  if (url === null) return 'no webhook URL is set'
  if (keys === null) return 'the signing secret of the organization cannot be read'
  const target = targetOf(url)
  if (typeof target === 'string') return target
  const bytes = Buffer.from(body, 'utf8')
  const signed = signDelivery({ eventId, body: bytes, at, keys })
  // Name by name, for the reason that `toDelivery` has.
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Sluice-Webhooks',
    'accept-encoding': 'identity',
    'x-webhook-signature': signed['x-webhook-signature'],
    'webhook-id': signed['webhook-id'],
    'webhook-timestamp': signed['webhook-timestamp'],
    'webhook-signature': signed['webhook-signature'],
  }
  return { url: target, headers, body: bytes }
}

function unsent(error: string): Answer {
  return { status: null, headers: {}, body: '', error }
}

/**
 * A URL that carries credentials is refused, and then written down as one that was not called; who
 * reads that must not learn them.
 */
function withoutCredentials(text: string): string {
  if (!URL.canParse(text)) return text.replace(/[^/?#]*@/, '')
  const url = new URL(text)
  url.username = ''
  url.password = ''
  return url.href
}
