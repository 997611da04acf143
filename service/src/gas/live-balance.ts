import type { TokenId } from '@sluice/wire'
import { type Clock, inTime } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import type { ChainAdapter } from '../chains/chain-adapter.ts'
import type { Address } from '../chains/port.ts'

/** Somebody is waiting for the answer. */
const PATIENCE_MS = 3_000

/** Base units that an address holds at the head; null where no node says so in time. */
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
