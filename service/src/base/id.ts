import type { Clock } from './clock.ts'
import type { Dice } from './dice.ts'

/** Makes public ids. */
export interface Ids {
  next(): string
}

/**
 * UUIDv7 (RFC 9562 section 5.7): 48 bits of milliseconds, then 74 random bits, so ids sort by
 * creation.
 */
export function uuids(clock: Clock, dice: Dice): Ids {
  return { next: () => uuidV7(clock.now(), dice.bytes(10)) }
}

function uuidV7(at: number, random: Uint8Array): string {
  const time = at.toString(16).padStart(12, '0')
  const tail = [...random].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const variant = ((Number.parseInt(tail.slice(3, 4), 16) & 0x3) | 0x8).toString(16)
  return [
    time.slice(0, 8),
    time.slice(8, 12),
    `7${tail.slice(0, 3)}`,
    `${variant}${tail.slice(4, 7)}`,
    tail.slice(7, 19),
  ].join('-')
}

const UUID_SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether a text has the form of our ids; what has not cannot be found and needs no query. */
export function isId(text: string): boolean {
  return UUID_SHAPE.test(text)
}
