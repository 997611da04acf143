import { keccak_256 } from '@noble/hashes/sha3.js'
import { fromHex, type Hex, quantity, toHex } from '../hex.ts'
import { encodeTransaction } from './encodings.ts'
import type { FramePlan, TransactionPlan } from './plans.ts'
import type { TransactionJson } from './shapes.ts'

export const BASE_FEE = 1_000_000_000n
export const TIP = 1_000_000_000n
const FEE_CAP = 5_000_000_000n
const INTRINSIC_GAS = 21_000
const GAS_FOR_A_STEP = 20_000

/** A transaction on its way to a block. */
export interface PendingTransaction {
  readonly hash: Hex
  readonly plan: TransactionPlan
  readonly json: TransactionJson
  /** The signed bytes. */
  readonly raw: Uint8Array
  /** Gas limit and price; null if gas is free. */
  readonly gas: GasTerms | null
}

export interface GasTerms {
  limit: bigint
  /** wei for one gas, the base fee in it. */
  maxFee: bigint
  tip: bigint
}

/**
 * The transaction that carries the plan. Its signature consists of hashes, so any address can send:
 * node clients do not recover the sender from it.
 */
export function pendingTransaction(plan: TransactionPlan, chainId: number): PendingTransaction {
  const { type, nonce, isUnprotected, top } = plan
  const unsigned: TransactionJson = {
    type: quantity(type),
    nonce: quantity(nonce),
    from: top.from,
    to: top.type === 'CREATE' ? null : top.to,
    value: quantity(top.value),
    input: top.input,
    gas: quantity(INTRINSIC_GAS + GAS_FOR_A_STEP * stepCount(top)),
    gasPrice: quantity(BASE_FEE + TIP),
    ...(isUnprotected ? {} : { chainId: quantity(chainId) }),
    ...(type >= 1 ? { accessList: [] } : {}),
    ...(type >= 2 ? { maxFeePerGas: quantity(FEE_CAP), maxPriorityFeePerGas: quantity(TIP) } : {}),
    v: '0x0',
    r: '0x1',
    s: '0x1',
    hash: '0x',
  }
  const signed = { ...unsigned, ...seal(unsigned, { type, isUnprotected, chainId }) }
  const raw = encodeTransaction(signed)
  const hash = toHex(keccak_256(raw))
  return { hash, plan, raw, gas: null, json: { ...signed, hash } }
}

/** Orders the paying transactions of each sender by nonce. */
export function inNonceOrder(waiting: readonly PendingTransaction[]): PendingTransaction[] {
  const queues = new Map<string, PendingTransaction[]>()
  const paying = waiting.filter(({ gas }) => gas !== null)
  for (const one of paying.toSorted((a, b) => a.plan.nonce - b.plan.nonce)) {
    const queue = queues.get(one.json.from) ?? []
    queues.set(one.json.from, [...queue, one])
  }
  return waiting.map((one) => {
    return one.gas === null ? one : (queues.get(one.json.from)?.shift() ?? one)
  })
}

function seal(
  unsigned: TransactionJson,
  { type, isUnprotected, chainId }: { type: number; isUnprotected: boolean; chainId: number },
): Pick<TransactionJson, 'v' | 'r' | 's' | 'yParity'> {
  const seed = keccak_256(Buffer.concat([fromHex(unsigned.from), encodeTransaction(unsigned)]))
  const parity = (seed[0] ?? 0) & 1
  const half = (salt: number) => {
    const bytes = keccak_256(Uint8Array.of(salt, ...seed))
    return quantity(BigInt(toHex(bytes)) >> 1n)
  }
  if (type >= 1) {
    return { v: quantity(parity), r: half(0), s: half(1), yParity: quantity(parity) }
  }
  return { v: quantity(parity + (isUnprotected ? 27 : 35 + 2 * chainId)), r: half(0), s: half(1) }
}

function stepCount({ steps }: FramePlan): number {
  return steps.reduce((sum, step) => sum + 1 + (step.do === 'call' ? stepCount(step.frame) : 0), 0)
}
