import type { ChainId } from '@sluice/wire'
import type { Address } from '../chains/port.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { WalletPurpose } from './wallet-rows.ts'

/** The part of the service key that authenticates rows. */
export type RowSigner = Pick<ServiceKey, 'mac'>
/** The part of the service key that checks the MAC of a row. */
export type RowVerifier = Pick<ServiceKey, 'verify'>

/** Everything that decides whose an address is, and which key signs for it. */
export interface AccountIdentity {
  orgId: string
  id: string
  chainId: ChainId
  externalUserId: string
  /** As it is stored, not as it is displayed. */
  address: Address
  destinationTag: number | null
  wallet: number
  index: number
}

/** The authenticated fields of a watched address: owner, purpose and key path. */
export interface WatchIdentity {
  scope: string
  address: Address
  orgId: string
  chainId: ChainId
  purpose: WalletPurpose
  accountId: string | null
  externalUserId: string
  wallet: number
  index: number
}

const ACCOUNT = 'account'
const WATCHED = 'watched-address'

/** The MAC of an account row. It covers the primary key: a copy under another key is not valid. */
export function macOfAccount(serviceKey: RowSigner, account: AccountIdentity): Uint8Array {
  return serviceKey.mac(ACCOUNT, accountFields(account))
}

/** Whether an account row is as the service wrote it. */
export function isAuthenticAccount(
  serviceKey: RowVerifier,
  account: AccountIdentity & { mac: Uint8Array },
): boolean {
  return serviceKey.verify(ACCOUNT, accountFields(account), account.mac)
}

/** The MAC of a watched address. */
export function macOfWatch(serviceKey: RowSigner, watch: WatchIdentity): Uint8Array {
  return serviceKey.mac(WATCHED, watchFields(watch))
}

/** Whether the row of a watched address is as the service wrote it. */
export function isAuthenticWatch(
  serviceKey: RowVerifier,
  watch: WatchIdentity & { mac: Uint8Array },
): boolean {
  return serviceKey.verify(WATCHED, watchFields(watch), watch.mac)
}

function accountFields(account: AccountIdentity) {
  const { orgId, id, chainId, externalUserId, address, destinationTag, wallet, index } = account
  return [orgId, id, chainId, externalUserId, address, destinationTag, wallet, index]
}

function watchFields(watch: WatchIdentity) {
  const { scope, address, orgId, chainId, purpose, accountId, externalUserId } = watch
  const { wallet, index } = watch
  return [scope, address, orgId, chainId, purpose, accountId, externalUserId, wallet, index]
}
