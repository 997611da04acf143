import type { DepositEvent, TokenSummary } from '@sluice/wire'
import { type Deposit, confirmationsAt, positionIndex } from './deposit.ts'

/** What every `deposit.*` event tells (section 6.3), seen from a tip. */
export function depositPayload(
  deposit: Deposit,
  { token, tipHeight }: { token: TokenSummary; tipHeight: number },
): DepositEvent {
  return {
    id: deposit.id,
    index: positionIndex(deposit.position),
    status: deposit.status,
    chainId: deposit.chainId,
    txnHash: deposit.txnHash,
    tokenId: deposit.tokenId,
    amount: deposit.amount.toString(),
    externalUserId: deposit.externalUserId,
    accountChainId: deposit.accountChainId,
    senderAddress: deposit.senderAddress,
    blockNumber: deposit.block.height,
    confirmations: confirmationsAt(deposit, tipHeight),
    Token: token,
  }
}
