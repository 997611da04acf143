import type { ChainId } from '@sluice/wire'
import type { WalletPurpose } from '../../accounts/wallet-rows.ts'
import type { Millis } from '../../base/clock.ts'
import type { Address } from '../../chains/port.ts'
import type { PlaceKind } from '../../ledger/account.ts'

/** An address of ours that signs on a chain. Each signing step locks its row first. */
export interface Sender {
  chainId: ChainId
  address: Address
  orgId: string
  purpose: WalletPurpose
  walletNumber: number
  pathIndex: number
  /** The nonce that the next spend takes. */
  nextNonce: number
  /** Since when it signs nothing; null while it does. */
  haltedAt: Millis | null
  /** "" while it signs. */
  haltedCause: string
}

/** The kind of ledger place of a sender. */
export function placeKindOf({ purpose }: Pick<Sender, 'purpose'>): PlaceKind {
  return purpose === 'deposit' ? 'deposits' : purpose
}

/** Unmined spends of one sender at most: what a reorg or an empty node pool can cost at once. */
export const UNMINED_MAX = 16

/** Why a sender may be halted: also the code of the alert. */
export const HALT_CODES = ['spend.foreign', 'spend.forgotten', 'spend.mismatch'] as const

export type HaltCode = (typeof HALT_CODES)[number]
