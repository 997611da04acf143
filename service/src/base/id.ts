import type { Clock } from './clock.ts'
import type { Random } from './random.ts'

/** Creates public ids. */
export interface Ids {
  next(): string
}

/** Random bytes in an id, and ids for each call of the generator, which is expensive. */
const ID_BYTES = 10
const DRAWN_AT_ONCE = 128

/**
 * UUIDv7 (RFC 9562 section 5.7): 48 bits of milliseconds, then 74 random bits, so ids sort by
 * creation.
 */
export function uuids(clock: Clock, random: Random): Ids {
  let drawn = Buffer.alloc(0)
  let used = 0
  const next = () => {
    if (used >= drawn.length) {
      drawn = Buffer.from(random.bytes(ID_BYTES * DRAWN_AT_ONCE))
      used = 0
    }
    used += ID_BYTES
    return uuidV7(clock.now(), drawn.toString('hex', used - ID_BYTES, used))
  }
  return { next }
}

function uuidV7(at: number, tail: string): string {
  const time = at.toString(16).padStart(12, '0')
  const variant = VARIANTS[Number.parseInt(tail.charAt(3), 16) & 0x3] ?? '8'
  const [high, low] = [time.slice(0, 8), time.slice(8)]
  return `${high}-${low}-7${tail.slice(0, 3)}-${variant}${tail.slice(4, 7)}-${tail.slice(7, 19)}`
}

/** The four digits whose first two bits are 10. */
const VARIANTS = ['8', '9', 'a', 'b']

const UUID_SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether a text has the form of an id. If not, no row can have it. */
export function isId(text: string): boolean {
  return UUID_SHAPE.test(text)
}
