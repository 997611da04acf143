import type { ChainId, TokenId } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import type { Address, BlockRef } from '../chains/port.ts'

/** `Proposed`: one user has named the end user, and a second one must confirm. */
export type UnattributedState = 'Waiting' | 'Proposed' | 'Assigned'

/** A transfer to a base account without a known tag (X03, X04). */
export interface Unattributed {
  orgId: string
  id: string
  chainId: ChainId
  txnHash: string
  position: string
  tokenId: TokenId
  address: Address
  /** Null without a tag, which differs from the tag 0. */
  tag: number | null
  /** Formatted for display; "" if the chain names no sender. */
  senderAddress: string
  /** Base units. */
  amount: bigint
  netMovement: bigint
  block: BlockRef
  state: UnattributedState
  /** Proposed end user; "" before. */
  externalUserId: string
  /** Ids of users; "" before. */
  proposedBy: string
  assignedBy: string
  /** Deposit that it became; null before. */
  depositId: string | null
  createdAt: Millis
}
