import type { AccountEvent } from '@sluice/wire'
import { iso } from '../base/clock.ts'
import { CHAINS } from '../catalogue/chains.ts'
import { parseAddress, taggedAddress } from '../chains/format-address.ts'
import type { Account } from './account.ts'

/** Payload of `account.created` (section 6.3); section 2.4 adds `updatedAt`. */
export function accountPayload(account: Account): AccountEvent {
  const { orgId, chainId, externalUserId, address, destinationTag } = account
  const tag =
    destinationTag === null
      ? {}
      : { destinationTag: String(destinationTag), ...xAddressOf(account, destinationTag) }
  return {
    orgId,
    chainId,
    externalUserId,
    orgDepositAccountId: account.id,
    properties: { address, ...tag },
    createdAt: iso(account.createdAt),
  }
}

/** Address and tag in one text, for wallets with one field for both. */
function xAddressOf({ chainId, address }: Account, tag: number): { xAddress?: string } {
  const entry = CHAINS.find(({ id }) => id === chainId)
  const parsed = entry === undefined ? null : parseAddress(entry.id, address)
  if (entry === undefined || parsed === null) return {}
  const xAddress = taggedAddress(entry, { address: parsed, tag })
  return xAddress === null ? {} : { xAddress }
}
