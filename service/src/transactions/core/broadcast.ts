import type { ChainId } from '@sluice/wire'
import { Outage } from '../../base/fault.ts'
import { maySpend, readChainState } from '../../catalogue/chain-state.ts'
import type { SpendDeps } from './payment-request.ts'
import { noteRow } from './transaction-rows.ts'

/** Of what nodes say at most this much is kept. */
const ANSWER_MAX = 500

/**
 * Broadcasts stored bytes and records the nodes' answers. The answers decide nothing: nodes that
 * are unreachable, refuse, or accept twice do not change the state, only a block does (W13, W14).
 * Skipped if the lease is known to be lost (W23) or the chain was frozen in the meantime
 * (engineering, 9); the bytes are then sent after the resume. Returns whether a node was called.
 */
export async function broadcastStored(
  deps: SpendDeps,
  stored: { chainId: ChainId; txnHash: string; raw: Uint8Array; height: number },
  step: 'send' | 'resend' | 'bump',
): Promise<boolean> {
  const { chainId, txnHash, raw, height } = stored
  if (deps.term?.aborted) return false
  let isHandedOver = false
  try {
    const state = await deps.database.transaction((tx) => readChainState(tx, chainId))
    if (!maySpend(state)) return false
    isHandedOver = true
    const { answer, isUnheard } = await handOver(deps, raw)
    deps.crash?.(`${step}.broadcast`)
    // Without a height the bytes are broadcast again in the next round.
    const noted = { answer: answer.slice(0, ANSWER_MAX), height: isUnheard ? null : height }
    await deps.database.transaction((tx) => noteRow(tx, { chainId, txnHash, ...noted }))
    deps.crash?.(`${step}.noted`)
  } catch (error) {
    if (!(error instanceof Outage)) throw error
    const what = isHandedOver ? 'be recorded' : 'be made'
    deps.log.warn({ chainId, txnHash, err: error }, `broadcast could not ${what}`)
  }
  return isHandedOver
}

async function handOver(
  { adapter }: SpendDeps,
  raw: Uint8Array,
): Promise<{ answer: string; isUnheard: boolean }> {
  try {
    return await adapter.broadcast(raw)
  } catch (error) {
    if (!(error instanceof Outage)) throw error
    return { answer: error.message, isUnheard: true }
  }
}
