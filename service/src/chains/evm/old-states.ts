import type { ChainId, TokenId } from '@sluice/wire'
import type { Clock } from '../../base/clock.ts'
import { Outage } from '../../base/fault.ts'
import { openBatching } from '../batching.ts'
import type { Failover } from '../failover.ts'
import type { JsonRpc } from '../json-rpc.ts'
import type { Address, BlockRef } from '../port.ts'
import { GONE, readBalance } from './balance.ts'
import type { Refusals, Unclear } from './balance.ts'
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

/** A node, and what is known of the old states that it does not tell. */
interface Door {
  rpc: JsonRpc
  /** In words that say nothing of them. */
  refusals: Refusals
  /** Because it is away, or fails. */
  absences: Refusals
}

/**
 * Balances, as whichever node tells them. That no node has a state any more is believed once each
 * has said so: one that is away, or refuses for reasons that nobody knows, is waited for, but not
 * for ever. That Outage is the chain's own: a node that is good for the head is not set aside.
 */
export function openBalances({ chainId, clock, nodes, failover }: Options): BalanceOf {
  const doors = new Map(nodes.map((rpc) => [rpc, openDoor(rpc, clock)]))
  return async (holder, tokenId, ref) => {
    const gone = new Set<JsonRpc>()
    const unclear = new Map<JsonRpc, Unclear>()
    const answered = new Set<JsonRpc>()
    const balance = await failover.find(async (rpc) => {
      const door = doors.get(rpc) ?? openDoor(rpc, clock)
      const told = await readBalance(door.rpc, { holder, tokenId, ref }, door.refusals)
      answered.add(rpc)
      if (told === GONE) gone.add(rpc)
      else if (isUnclear(told)) unclear.set(rpc, told)
      else {
        if (ref !== 'head') door.absences.told(ref.height)
        return told
      }
      return null
    })
    if (balance !== null || ref === 'head' || gone.size + unclear.size === 0) return balance
    const absent = nodes.filter((rpc) => {
      // Each is noted, whether or not another one is waited for.
      return !answered.has(rpc) && !doors.get(rpc)?.absences.haveLasted(ref.height)
    })
    const awaited = [
      ...[...unclear.values()].map(({ refusal }) => refusal.message),
      ...absent.map(({ name }) => `${name} is away`),
    ]
    if (awaited.length === 0) return null
    throw new Outage(
      chainId,
      `a state that others have let go of may be there: ${awaited.join(', ')}`,
    )
  }
}

function isUnclear(told: bigint | null | Unclear): told is Unclear {
  return typeof told === 'object' && told !== null
}

function openDoor(rpc: JsonRpc, clock: Clock): Door {
  return {
    rpc: openBatching(rpc),
    refusals: openRefusals(clock),
    absences: openRefusals(clock),
  }
}

/** What one node does not tell of old states. */
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
