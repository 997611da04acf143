import type { EvmChain, TronChain } from '@sluice/simulator'
import type { ChainId } from '@sluice/wire'
import type { BlockRef } from '../../src/chains/port.ts'
import { ETHER } from '../support/opened-world.ts'
import { SHASTA } from '../support/tron-harness.ts'
import { SEPOLIA } from '../support/world-life.ts'

/** A payment to an address, in base units of the native coin. */
interface Payment {
  to: string
  amount: bigint
}

/** A chain of any family, controlled by a test that scans it. */
export interface ScanStand {
  readonly id: ChainId
  /** The native coin. */
  readonly coin: string
  pay(payment: Payment): string
  /** By a contract; answers the hash of its transaction. */
  payInternal(payment: Payment): string
  mine(blocks: number): void
  /** Replaces the highest blocks by others with the same in them. */
  reorg(depth: number): void
  /** Makes the head final, without a new block. */
  finalize(): void
  /** Reports no final block from now on, on chains that allow it. */
  forgetFinal(): void
  head(): BlockRef
}

export function evmScanStand(chain: EvmChain): ScanStand {
  return {
    id: SEPOLIA,
    coin: ETHER,
    pay: (payment) => chain.pay(payment),
    payInternal: (payment) => chain.payInternal(payment),
    mine: (blocks) => chain.mine(blocks),
    reorg: (depth) => chain.reorg({ depth, keep: 'same' }),
    finalize: () => chain.finalize(chain.head().height),
    forgetFinal: () => chain.setFinalizedDistance(null),
    head: () => chain.head(),
  }
}

/** Solid blocks stay; the solid height advances only when a test moves it. */
export function tronScanStand(chain: TronChain): ScanStand {
  let solid = chain.head().height
  const keepSolid = () => {
    chain.solidLag = chain.head().height - solid
  }
  keepSolid()
  return {
    id: SHASTA,
    coin: `${SHASTA}/slip44:195`,
    pay: (payment) => chain.pay(payment),
    payInternal: (payment) => chain.payInternal(payment),
    mine: (blocks) => {
      chain.mine(blocks)
      keepSolid()
    },
    reorg: (depth) => chain.reorg({ depth, keep: inBlocks(chain, depth) }),
    finalize: () => {
      solid = chain.head().height
      keepSolid()
    },
    forgetFinal: () => undefined,
    head: () => ({ height: chain.head().height, hash: chain.head().id }),
  }
}

/** The transactions of the highest blocks, each with the height that it is at. */
export function inBlocks(chain: TronChain, depth: number): Map<string, number> {
  const found = new Map<string, number>()
  const { height: head } = chain.head()
  for (let height = head - depth + 1; height <= head; height += 1) {
    for (const { transaction } of chain.at(height)?.executed ?? []) {
      found.set(transaction.id, height)
    }
  }
  return found
}
