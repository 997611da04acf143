import type { ChainId, TokenId } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import type { Address, BlockRef } from '../chains/port.ts'

/** `Proposed`: one person has said whose it is, and a second one has to say the same. */
export type UnattributedState = 'Waiting' | 'Proposed' | 'Assigned'

/** What reached a base account and names nobody whom we know (X03, X04). */
export interface Unattributed {
  orgId: string
  id: string
  chainId: ChainId
  txnHash: string
  position: string
  tokenId: TokenId
  address: Address
  /** Null where none was given: that is not the tag 0. */
  tag: number | null
  /** As people read it; "" where the chain names no sender. */
  senderAddress: string
  /** Base units. */
  amount: bigint
  netMovement: bigint
  block: BlockRef
  state: UnattributedState
  /** Whose it is, as the first of the two says; "" before. */
  externalUserId: string
  /** Who said so: ids of users; "" before. */
  proposedBy: string
  assignedBy: string
  /** The deposit that it has become; null before. */
  depositId: string | null
  createdAt: Millis
}
