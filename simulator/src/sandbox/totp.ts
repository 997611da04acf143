import { createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'

const STEP_MS = 30_000
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code of a time step (RFC 6238: SHA-1, 6 digits, 30 s) for a secret in base32. */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (digest[digest.length - 1] ?? 0) & 0xf
  const number = digest.readUInt32BE(offset) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

/** The code of the step before the current one, which is accepted too. */
export function codeBefore(secret: string, now: number): string {
  return totpCode(secret, Math.floor(now / STEP_MS) - 1)
}

/** The time of day, and a way to wait for a later one, in milliseconds. */
export interface Time {
  now(): number
  wait(ms: number): Promise<unknown>
}

/** The time of this machine; waiting does not keep the process running. */
export const SYSTEM_TIME: Time = {
  now: () => Date.now(),
  wait: (ms: number) => setTimeout(ms, undefined, { ref: false }),
}

/**
 * Hands out each user's codes, none twice: after the current step's comes the next step's, which is
 * accepted too.
 */
export class TotpCodes {
  readonly #used = new Map<string, number>()

  /** The next unused code; null while only codes too far in the future are left. */
  next(username: string, secret: string, now: number): string | null {
    const current = Math.floor(now / STEP_MS)
    const step = Math.max(current, (this.#used.get(username) ?? 0) + 1)
    if (step > current + 1) return null
    this.#used.set(username, step)
    return totpCode(secret, step)
  }

  /** The next unused code, as soon as the service accepts it: after 30 s at most for each asker. */
  async take(username: string, secret: string, time: Time): Promise<string> {
    for (;;) {
      const code = this.next(username, secret, time.now())
      if (code !== null) return code
      await time.wait(STEP_MS - (time.now() % STEP_MS))
    }
  }
}

function fromBase32(text: string): Buffer {
  let bits = 0
  let value = 0
  const bytes: number[] = []
  for (const letter of text.replace(/=+$/, '').toUpperCase()) {
    value = (value << 5) | ALPHABET.indexOf(letter)
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((value >>> bits) & 0xff)
    value &= (1 << bits) - 1
  }
  return Buffer.from(bytes)
}
