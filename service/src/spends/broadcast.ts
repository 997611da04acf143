import type { ChainId } from '@sluice/wire'
import { Outage } from '../base/fault.ts'
import type { SpendMeans } from './mandate.ts'
import { noteRow } from './transaction-rows.ts'

/** Of what nodes say at most this much is kept. */
const ANSWER_MAX = 500

/**
 * Hands stored bytes to the nodes and writes down what they said. Neither decides anything: whether
 * they are away, refuse, or take it twice, the chain will say what became of it (W13, W14). Nothing
 * is handed over once the lease is known to be lost (W23).
 */
export async function broadcastStored(
  means: SpendMeans,
  stored: { chainId: ChainId; txnHash: string; raw: Uint8Array; height: number },
  step: 'send' | 'resend' | 'bump',
): Promise<void> {
  const { chainId, txnHash, raw, height } = stored
  if (means.term?.aborted) return
  try {
    const answer = (await handOver(means, raw)).slice(0, ANSWER_MAX)
    means.crash?.(`${step}.broadcast`)
    await means.database.transaction((tx) => noteRow(tx, { chainId, txnHash, height, answer }))
    means.crash?.(`${step}.noted`)
  } catch (error) {
    if (!(error instanceof Outage)) throw error
    means.log.warn({ chainId, txnHash, err: error }, 'a broadcast could not be written down')
  }
}

async function handOver({ adapter }: SpendMeans, raw: Uint8Array): Promise<string> {
  try {
    return (await adapter.broadcast(raw)).answer
  } catch (error) {
    if (!(error instanceof Outage)) throw error
    return error.message
  }
}
