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
  /**
   * All nodes of the chain, including those set aside: each may keep states that another has
   * pruned.
   */
  nodes: readonly JsonRpc[]
  failover: Failover<JsonRpc>
}

/** A node, with its record for old states. */
interface Door {
  rpc: JsonRpc
  /** Refusals with unclear words. */
  refusals: Refusals
  /** Failures to answer. */
  absences: Refusals
}

/**
 * Reads balances from any node that serves them. A state counts as pruned once each node has said
 * so. A node that is down, or refuses for an unknown reason, is waited for, with a limit. The
 * Outage is the chain's own, so a node with a usable head is not set aside.
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
      // The absence of each node is noted, even if another one is waited for.
      return !answered.has(rpc) && !doors.get(rpc)?.absences.haveLasted(ref.height)
    })
    const awaited = [
      ...[...unclear.values()].map(({ refusal }) => refusal.message),
      ...absent.map(({ name }) => `${name} is down`),
    ]
    if (awaited.length === 0) return null
    throw new Outage(chainId, `a node may still have the state: ${awaited.join(', ')}`)
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

/** Failures of one node for old states. */
function openRefusals(clock: Clock): Refusals {
  let lasting: Lasting | null = null
  let upTo = 0
  return {
    haveLasted: (height) => {
      upTo = lasting === null ? height : Math.max(upTo, height)
      lasting = metAgain(lasting, clock.now())
      return hasLasted(lasting)
    },
    // A younger block proves nothing: a node keeps states down to some height.
    told: (height) => {
      if (height <= upTo) lasting = null
    },
  }
}
