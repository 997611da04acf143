import { assert } from '../../base/assert.ts'
import { nonceOf } from '../reservation.ts'
import type { Reservation, WindowReservation } from '../port.ts'
import { TRON_WINDOW_MS } from '../spending.ts'
import type { TronRate, TronTerms } from '../spending.ts'
import { readPrices } from './prices.ts'
import { readHeader } from './node.ts'
import { demand } from './rpc.ts'
import type { RpcHeader } from './rpc.ts'
import type { TronNode } from './tron-node.ts'

/** The period in which a transaction can be included, and the block that it names. */
type Window = Pick<TronTerms, 'reference' | 'since' | 'headTime' | 'expiration'>

const WINDOW_MS = BigInt(TRON_WINDOW_MS)
/**
 * The solid block is about a minute behind the head; more means that the chain does not advance.
 */
const SOLID_LAG_MAX_MS = 3_600_000
const TICKS = 1_000

/** The block that a new transaction names: a solid block, so that it is valid on every fork. */
export async function readWindow(node: TronNode): Promise<Window> {
  const [head, solid] = await Promise.all([
    readHeader(node, 'newest'),
    readHeader(node, 'newest', 'walletsolidity'),
  ])
  demand(head !== null && solid !== null, 'a node without blocks')
  return windowOf({ head, solid })
}

/** The price of energy, and the current window. */
export async function readRate(node: TronNode): Promise<TronRate> {
  const [{ energy }, window] = await Promise.all([readPrices(node), readWindow(node)])
  const { reference, since, headTime } = window
  return { family: 'tron', energyPrice: energy, reference, since, headTime }
}

/**
 * Terms for the same payment in a new window; null while the last one is open, in the time of solid
 * blocks: two transactions of one payment must never both be valid (engineering, 4). Pure.
 */
export function windowAfter(previous: TronTerms, rate: TronRate): TronTerms | null {
  if (rate.since <= previous.expiration) return null
  const { reference, since, headTime } = rate
  return { ...previous, reference, since, headTime, expiration: headTime + WINDOW_MS }
}

/**
 * The timestamp of a transaction. The chain does not interpret it; it distinguishes two payments
 * that are otherwise equal. One sender makes fewer than a thousand in a second.
 */
export function timestampOf({ headTime }: Window, reservation: Reservation): bigint {
  const number = nonceOf(reservation)
  assert(Number.isSafeInteger(number) && number >= 0, 'the number is invalid', { number })
  return headTime - (headTime % BigInt(TICKS)) + BigInt(number % TICKS)
}

/** The end of a window. Another kind of reservation is a Bug. */
export function expirationOf(reservation: Reservation): WindowReservation['expiration'] {
  assert(reservation.kind === 'window', 'a reservation of another family of chains')
  return reservation.expiration
}

/** The reference to a block: two bytes of its height, eight of the rest of its id. */
export function referenceTo({ reference }: Window): { bytes: Uint8Array; hash: Uint8Array } {
  const id = reference.toString(16).padStart(64, '0')
  assert(id.length === 64, 'no block of TRON', { id })
  return { bytes: fromHex(id.slice(12, 16)), hash: fromHex(id.slice(16, 32)) }
}

function windowOf({ head, solid }: { head: RpcHeader; solid: RpcHeader }): Window {
  const isNear = solid.time <= head.time && head.time - solid.time <= SOLID_LAG_MAX_MS
  demand(isNear, 'a solid block that is not near the head')
  const headTime = BigInt(head.time)
  return {
    reference: BigInt(`0x${solid.id}`),
    since: BigInt(solid.time),
    headTime,
    expiration: headTime + WINDOW_MS,
  }
}

function fromHex(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'))
}
