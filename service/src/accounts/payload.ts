import type { AccountEvent } from '@sluice/wire'
import { iso } from '../base/clock.ts'
import type { Account } from './account.ts'

/**
 * What `account.created` tells (section 6.3); the account of section 2.4 is this with `updatedAt`.
 */
export function accountPayload(account: Account): AccountEvent {
  const { orgId, chainId, externalUserId, address, destinationTag } = account
  const tag = destinationTag === null ? {} : { destinationTag: String(destinationTag) }
  return {
    orgId,
    chainId,
    externalUserId,
    orgDepositAccountId: account.id,
    properties: { address, ...tag },
    createdAt: iso(account.createdAt),
  }
}
