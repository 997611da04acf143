import type { Clock } from '../base/clock.ts'
import { Refusal } from '../base/fault.ts'
import type { Answer, Attempt, Delivery } from './delivery.ts'
import type { Poster } from './post.ts'
import { signDelivery } from './signature.ts'
import { parseTarget } from './target.ts'
import type { TargetRules } from './target.ts'

const HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Sluice-Webhooks',
  'accept-encoding': 'identity',
}

/**
 * Tries a delivery once: checks its URL again, signs, sends. Whatever goes wrong outside is the
 * attempt's answer; null comes back where the loop closed before there was one, and then nothing
 * was tried.
 */
export async function attemptDelivery(
  { clock, poster, rules }: { clock: Clock; poster: Poster; rules: TargetRules },
  delivery: Delivery,
): Promise<Attempt | null> {
  const startedAt = clock.now()
  const { url, headers, answer } = await send({ poster, rules, startedAt }, delivery)
  if (answer === null) return null
  const number = delivery.attempts + 1
  return { delivery, number, url, headers, answer, startedAt, endedAt: clock.now() }
}

interface Sent {
  url: string
  headers: Record<string, string>
  answer: Answer | null
}

async function send(
  { poster, rules, startedAt }: { poster: Poster; rules: TargetRules; startedAt: number },
  { eventId, url, keys, body }: Delivery,
): Promise<Sent> {
  if (url === null) return unsent('', 'no webhook URL is set')
  if (keys === null) return unsent(url, 'the signing secret of the organization cannot be read')
  const target = targetOf(url, rules)
  if (typeof target === 'string') return unsent(url, target)
  const bytes = Buffer.from(body, 'utf8')
  const signatures = signDelivery({ eventId, body: bytes, at: startedAt, keys })
  const headers = { ...HEADERS, ...signatures }
  return { url, headers, answer: await poster.send({ url: target, headers, body: bytes }) }
}

/** The rules may have become stricter since the URL was set; then the reason comes back instead. */
function targetOf(url: string, rules: TargetRules): URL | string {
  try {
    return parseTarget(url, rules)
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

function unsent(url: string, error: string): Sent {
  return { url, headers: {}, answer: { status: null, body: '', error } }
}
