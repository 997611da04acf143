import type { Clock, Millis } from '../base/clock.ts'
import type { Answer, Attempt, Delivery } from './delivery.ts'
import type { Post, Poster } from './post.ts'
import { headersOf } from './sent-headers.ts'
import { signDelivery } from './signature.ts'
import type { SignatureHeaders } from './signature.ts'
import type { TargetOf } from './targets.ts'

export interface AttemptDeps {
  clock: Clock
  poster: Poster
  targetOf: TargetOf
}

/**
 * Attempts a delivery once: checks its URL again, signs, sends. External failures are returned as
 * the answer; null if the loop closed before an answer, so that the attempt does not count.
 */
export async function attemptDelivery(
  { clock, poster, targetOf }: AttemptDeps,
  delivery: Delivery,
): Promise<Attempt | null> {
  const startedAt = clock.now()
  const request = prepare(delivery, startedAt, targetOf)
  const isReady = typeof request !== 'string'
  const answer = isReady ? await poster.send(request.post) : unsent(request)
  if (answer === null) return null
  const number = delivery.attempts + 1
  const url = isReady ? (delivery.url ?? '') : withoutCredentials(delivery.url ?? '')
  const signature = isReady ? request.signature : null
  return { delivery, number, url, signature, answer, startedAt, endedAt: clock.now() }
}

interface Request {
  post: Post
  signature: SignatureHeaders
}

/** The signed request, or why there is no request. */
function prepare(delivery: Delivery, at: Millis, targetOf: TargetOf): Request | string {
  const { eventId, url, keys, problem } = delivery
  if (url === null || keys === null) return problem
  const target = targetOf(url)
  if (typeof target === 'string') return target
  const body = Buffer.from(delivery.body, 'utf8')
  delivery.body = ''
  const signature = signDelivery({ eventId, body, at, keys })
  return { post: { url: target, headers: headersOf(eventId, signature), body }, signature }
}

function unsent(error: string): Answer {
  return { status: null, headers: {}, body: '', error }
}

/**
 * A URL with credentials is refused and stored without them, as not called: readers of the log must
 * not see the credentials.
 */
function withoutCredentials(text: string): string {
  if (!URL.canParse(text)) return text.replace(/[^/?#]*@/, '')
  const url = new URL(text)
  url.username = ''
  url.password = ''
  return url.href
}
