import { type Hex, quantity } from '../hex.ts'
import { planCall } from './call-plans.ts'
import type { ChainState } from './chain-state.ts'
import { keyOf } from './execute.ts'
import { RpcFault, SERVER_ERROR } from './params.ts'
import type { PendingTransaction } from './pending.ts'
import { readSigned, type SignedTransaction } from './raw-transaction.ts'

const INTRINSIC_GAS = 21_000n
const BYTE_GAS = 16n
const BUMP_PERCENT = 10n

/** Result of the pool for signed bytes: the new pending transaction, and the replaced one. */
export interface Admission {
  transaction: PendingTransaction
  replaces: Hex | null
}

/**
 * Checks signed bytes as geth's pool does: chain, gas, nonce, funds, and for a pending nonce 10 %
 * more on both fees. Throws with geth's words on refusal.
 */
export function admit(chain: ChainState, text: string): Admission {
  const signed = readSigned(text)
  const { hash, from, nonce } = signed
  const known = chain.pending.some((waiting) => waiting.hash === hash)
  if (known || chain.tree.placeOf(hash)) throw refusal('already known')
  checkShape(chain, signed)
  const next = BigInt(chain.tree.countOf(from))
  if (nonce < next) throw refusal(`nonce too low: next nonce ${next}, tx nonce ${nonce}`)
  checkFunds(chain, signed)
  const rival = chain.pending.find(({ json }) => json.from === from && BigInt(json.nonce) === nonce)
  if (rival !== undefined) checkReplacement(rival, signed)
  return { transaction: pendingOf(chain, signed), replaces: rival?.hash ?? null }
}

/** The sender's next nonce with what waits in the pool behind its last block. */
export function pendingNonce(chain: ChainState, sender: string): number {
  const waiting = new Set(
    chain.pending
      .filter(({ json }) => json.from === sender)
      .map(({ json }) => Number(BigInt(json.nonce))),
  )
  let next = chain.tree.countOf(sender)
  while (waiting.has(next)) next += 1
  return next
}

function checkShape(chain: ChainState, { chainId, gas, input, tip, maxFee }: SignedTransaction) {
  if (chainId !== BigInt(chain.chainId)) {
    throw refusal(`invalid chain id for signer: have ${chainId} want ${chain.chainId}`)
  }
  const intrinsic = INTRINSIC_GAS + (BigInt(input.length - 2) / 2n) * BYTE_GAS
  if (gas < intrinsic) throw refusal(`intrinsic gas too low: gas ${gas}, minimum ${intrinsic}`)
  if (tip > maxFee) throw refusal('max priority fee per gas higher than max fee per gas')
}

function checkFunds(chain: ChainState, { from, value, gas, maxFee }: SignedTransaction): void {
  const balance = chain.tree.balance(keyOf(from))
  const cost = value + gas * maxFee
  if (balance >= cost) return
  const numbers = `balance ${balance}, tx cost ${cost}, overshot ${cost - balance}`
  throw refusal(`insufficient funds for gas * price + value: ${numbers}`)
}

function checkReplacement({ gas }: PendingTransaction, { maxFee, tip }: SignedTransaction): void {
  const enough = (now: bigint, before: bigint) =>
    now > before && now * 100n >= before * (100n + BUMP_PERCENT)
  if (gas !== null && enough(maxFee, gas.maxFee) && enough(tip, gas.tip)) return
  throw refusal('replacement transaction underpriced')
}

function pendingOf(chain: ChainState, signed: SignedTransaction): PendingTransaction {
  const { hash, raw, json, gas, maxFee, tip, nonce } = signed
  const plan = {
    type: Number(json.type ?? quantity(0)),
    isUnprotected: false,
    nonce: Number(nonce),
    top: planCall(chain, signed),
  }
  return { hash, raw, json, plan, gas: { limit: gas, maxFee, tip } }
}

function refusal(message: string): RpcFault {
  return new RpcFault(SERVER_ERROR, message)
}
