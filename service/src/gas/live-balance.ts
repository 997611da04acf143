import type { TokenId } from '@sluice/wire'
import { type Clock, inTime } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import type { ChainAdapter } from '../chains/chain-adapter.ts'
import type { Address } from '../chains/port.ts'

/** A user waits for the answer. */
const PATIENCE_MS = 3_000

/** Balance of an address at the head, in base units; null if no node answers in time. */
export async function liveBalance(
  adapter: Pick<ChainAdapter, 'balanceOf'>,
  { address, native, clock }: { address: Address; native: TokenId; clock: Clock },
): Promise<bigint | null> {
  const work = ask(adapter, { address, native })
  return inTime(clock, { ms: PATIENCE_MS, work, late: () => null })
}

async function ask(
  adapter: Pick<ChainAdapter, 'balanceOf'>,
  { address, native }: { address: Address; native: TokenId },
): Promise<bigint | null> {
  try {
    return await adapter.balanceOf(address, native, 'head')
  } catch (error) {
    if (error instanceof Outage) return null
    throw error
  }
}
