import { Outage } from '../../base/fault.ts'
import { Doubt } from '../doubt.ts'
import { RpcRefusal } from '../json-rpc.ts'
import type { JsonRpc } from '../json-rpc.ts'
import type { Intent } from '../port.ts'
import { refuseQuote, tooLittle } from '../refuse-quote.ts'
import type { Refused } from '../refuse-quote.ts'
import { priceOf } from '../spending.ts'
import type { FeeCaps } from '../spending.ts'
import { decodeUint } from './abi.ts'
import { GRAVE } from './address.ts'
import { hasCallFailed, lacksState, OUT_OF_GAS, readBalanceAt } from './balance.ts'
import { contractOf } from './block.ts'
import { rateOf } from './fees.ts'
import type { Prices } from './fees.ts'
import { isMissingMethod, readHeader, saysNoBlock, type StateAt, toQuantity } from './node.ts'
import { estimateGas, simulateCall, type Trial } from './spending-node.ts'
import { simulateGain } from './simulate-gain.ts'
import { callOf } from './transaction.ts'

/** The facts about a payment before it is made. */
export interface Prospect {
  intent: Intent
  caps: FeeCaps
  prices: Prices
  /** Native base units of the sender. */
  native: bigint
  /** Whether code runs: a token's, or the recipient's of native coins. */
  runsCode: boolean
}

/** Gas of a plain native send, and the limit of a token transfer that was not simulated. */
export const PLAIN_GAS = 21_000n
export const TOKEN_GAS = 100_000n
const REVERT_CODE = 3
/** The reason for refusing a transfer that succeeds without an effect. */
const NOT_MOVED = 'the token returns that it would not move, and no simulation shows that it would'
/** The reason for refusing a payment that needs more gas than the caps allow. */
export const TOO_MUCH_GAS = 'the payment would take more gas than one is given'

/**
 * The gas of a payment at a node's head, or why it would fail. The recipient may cause the node's
 * refusal, so it ends only this payment: an unknown refusal is a Doubt while the node simulates a
 * plain payment correctly, and its Outage otherwise.
 */
export async function tryPayment(rpc: JsonRpc, prospect: Prospect): Promise<bigint | Refused> {
  const tried = await tryAtHead(rpc, prospect)
  if (typeof tried === 'bigint' || tried.code !== 'RECIPIENT_REFUSES') return tried
  return confirmRefusal(rpc, prospect, tried)
}

async function tryAtHead(rpc: JsonRpc, prospect: Prospect): Promise<bigint | Refused> {
  const { intent } = prospect
  const trial = trialOf(prospect)
  try {
    const gas = await estimateGas(rpc, intent.from, trial)
    if (contractOf(intent.tokenId) === null) return gas
    if (await wouldMove(rpc, intent, { trial, at: 'latest' })) return gas
    return refuseQuote('RECIPIENT_REFUSES', NOT_MOVED, {})
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error
    return reasonOf(rpc, prospect, error)
  }
}

/**
 * The recipient's code may be hostile: it gets no more gas than the payment would give it, so no
 * call takes long or fills an answer.
 */
function trialOf({ intent, caps, runsCode }: Prospect): Trial {
  const isStrange = contractOf(intent.tokenId) === null && runsCode
  return { ...callOf(intent), ...(isStrange && { gas: caps.gasLimit }) }
}

/**
 * The balance was read earlier, perhaps from another machine behind the same URL, perhaps before
 * another payment of ours. A failure counts only if one block shows both the money and the failure;
 * otherwise it is a Doubt, since contracts can distinguish the two calls.
 */
async function confirmRefusal(
  rpc: JsonRpc,
  prospect: Prospect,
  refused: Refused,
): Promise<Refused> {
  const { intent } = prospect
  const { from, tokenId, amount } = intent
  const head = await readHeader(rpc, 'latest')
  if (head === null) throw new Outage(rpc.name, 'has no head')
  const at = toQuantity(head.height)
  const [held, goes] = await Promise.all([
    readBalanceAt(rpc, from, tokenId, at),
    wouldGo(rpc, prospect, at),
  ])
  const available = held ?? 0n
  if (available < amount) return tooLittle(intent, available)
  if (goes) throw new Doubt(rpc.name, 'a payment fails at its head, and not in the block there')
  return refused
}

/** Whether the payment succeeds at the state of a block. */
async function wouldGo(rpc: JsonRpc, prospect: Prospect, at: StateAt): Promise<boolean> {
  const { intent } = prospect
  try {
    const trial = trialOf(prospect)
    if (contractOf(intent.tokenId) !== null) return await wouldMove(rpc, intent, { trial, at })
    await simulateCall(rpc, intent.from, { trial, at })
    return true
  } catch (error) {
    if (hasCallFailed(error)) return false
    if (!(error instanceof RpcRefusal)) throw error
    throw await blameOf(rpc, intent, error)
  }
}

/**
 * Whether a token's transfer would move its amount. Tokens return true, or nothing like the oldest
 * ones. Any other return value decides nothing, as with deposits: the recipient's balance must then
 * grow by the amount in the simulation.
 */
async function wouldMove(
  rpc: JsonRpc,
  intent: Intent,
  { trial, at }: { trial: Trial; at: StateAt },
): Promise<boolean> {
  const answer = await simulateCall(rpc, intent.from, { trial, at })
  if (answer === '0x' || decodeUint(answer) === 1n) return true
  return (await simulateGain(rpc, intent, at)) === intent.amount
}

/**
 * A node may require the fee in the sender's balance before it simulates, so only a revert proves
 * that the payment fails while the fee is missing.
 */
async function reasonOf(
  rpc: JsonRpc,
  { intent, prices, native }: Prospect,
  error: RpcRefusal,
): Promise<Refused> {
  const isNative = contractOf(intent.tokenId) === null
  const gas = isNative ? PLAIN_GAS : TOKEN_GAS
  const required = gas * priceOf(rateOf(prices)) + (isNative ? intent.amount : 0n)
  const hasReverted = error.code === REVERT_CODE || /revert/i.test(error.said)
  if (!hasReverted && native < required) {
    const numbers = { available: native, required }
    return refuseQuote('NO_GAS_FOR_ESTIMATE', 'the sender has no gas to try it with', numbers)
  }
  if (!hasReverted && !hasCallFailed(error)) throw await blameOf(rpc, intent, error)
  const isGreedy = isNative && OUT_OF_GAS.test(error.said)
  return refuseQuote('RECIPIENT_REFUSES', isGreedy ? TOO_MUCH_GAS : 'the payment would fail', {})
}

/**
 * Decides who causes an unknown refusal: the node if it is busy, lacks data, or refuses a plain
 * payment too; else the payment. The payment does not fail for it: a node in trouble can affect one
 * payment and not another.
 */
async function blameOf(rpc: JsonRpc, intent: Intent, refusal: RpcRefusal): Promise<Outage> {
  if (isOfNode(refusal)) return refusal
  const isNative = contractOf(intent.tokenId) === null
  const plain = { to: GRAVE, value: isNative ? intent.amount : 0n, data: '0x' }
  try {
    await estimateGas(rpc, intent.from, plain)
  } catch (error) {
    if (error instanceof Outage) return refusal
    throw error
  }
  const says = `tries other payments, and of this one says: ${refusal.message}`
  return new Doubt(rpc.name, says, { cause: refusal })
}

/** Whether a refusal says that it is not caused by the payment. */
function isOfNode(refusal: RpcRefusal): boolean {
  if (refusal.retryAfterMs !== null || isMissingMethod(refusal)) return true
  return saysNoBlock(refusal) || lacksState(refusal)
}
