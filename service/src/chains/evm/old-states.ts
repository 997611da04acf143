import type { ChainId, TokenId } from '@sluice/wire'
import type { Clock } from '../../base/clock.ts'
import { Outage } from '../../base/fault.ts'
import { openBatching } from '../batching.ts'
import type { Failover } from '../failover.ts'
import type { JsonRpc } from '../json-rpc.ts'
import type { Address, BlockRef } from '../port.ts'
import { GONE, readBalance } from './balance.ts'
import type { Refusals } from './balance.ts'
import { hasLasted, type Lasting, metAgain } from './lasting.ts'

type BalanceOf = (
  holder: Address,
  tokenId: TokenId,
  ref: BlockRef | 'head',
) => Promise<bigint | null>

interface Options {
  chainId: ChainId
  clock: Clock
  /** All nodes of the chain, those that are away too: each may have kept what another let go of. */
  nodes: readonly JsonRpc[]
  failover: Failover<JsonRpc>
}

/**
 * Balances, as whichever node tells them. That no node has a state any more is believed once each
 * has said so: one that is away is waited for, but not for ever.
 */
export function openBalances({ chainId, clock, nodes, failover }: Options): BalanceOf {
  const doors = new Map(
    nodes.map((rpc) => [rpc, { rpc: openBatching(rpc), refusals: openRefusals(clock) }]),
  )
  const absences = new Map<JsonRpc, Lasting>()
  return async (holder, tokenId, ref) => {
    const answered = new Set<JsonRpc>()
    let isGone = false
    const balance = await failover.find(async (rpc) => {
      const door = doors.get(rpc) ?? { rpc, refusals: openRefusals(clock) }
      const told = await readBalance(door.rpc, { holder, tokenId, ref }, door.refusals)
      answered.add(rpc)
      absences.delete(rpc)
      isGone ||= told === GONE
      return told === GONE ? null : told
    })
    if (balance !== null || !isGone) return balance
    const missing = nodes.filter((rpc) => !answered.has(rpc))
    for (const rpc of missing) {
      absences.set(rpc, metAgain(absences.get(rpc) ?? null, clock.now()))
    }
    const awaited = missing.filter((rpc) => !hasLasted(absences.get(rpc) ?? metNow(clock)))
    if (awaited.length === 0) return null
    const names = awaited.map(({ name }) => name).join(', ')
    throw new Outage(chainId, `a state that others have let go of may be on ${names}`)
  }
}

function metNow(clock: Clock): Lasting {
  return metAgain(null, clock.now())
}

/** What one node refuses of old states in words that say nothing of them. */
function openRefusals(clock: Clock): Refusals {
  let lasting: Lasting | null = null
  let upTo = 0
  return {
    haveLasted: (height) => {
      upTo = lasting === null ? height : Math.max(upTo, height)
      lasting = metAgain(lasting, clock.now())
      return hasLasted(lasting)
    },
    // Of a younger block it says nothing: a node has the states down to some height.
    told: (height) => {
      if (height <= upTo) lasting = null
    },
  }
}
