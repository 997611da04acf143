import type { Signer } from '@sluice/signer'
import type { ChainId } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import { watchScope } from '../catalogue/scope.ts'
import { addressOf, pathTypeOf } from '../chains/format-address.ts'
import type { Address } from '../chains/port.ts'
import type { AddressType, DerivationPath } from '../keys/paths.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { selectSignerPath } from './platform-rows.ts'
import { selectWallet } from './wallet-rows.ts'
import type { WalletPurpose } from './wallet-rows.ts'
import { isAuthentic } from './wallet.ts'

/** The key path of an address, its organization and purpose. */
export interface SignerPath {
  orgId: string
  purpose: WalletPurpose
  /** The chain of the wallet; an EVM address signs on every chain of its kind. */
  chainId: ChainId
  walletNumber: number
  pathIndex: number
  /** The derivation scheme, on chains with several address types. */
  addressType?: AddressType
}

/**
 * Finds the key path of a watched address on a chain; null if it is not watched. Throws a Bug if
 * the wallet's row was changed, or if the key of the path does not match the address: the database
 * alone does not decide which key signs (engineering, 7).
 */
export async function signerPath(
  tx: Tx,
  keys: {
    signer: Pick<Signer, 'publicKey'>
    serviceKey: Pick<ServiceKey, 'verify'>
  },
  { entry, address }: { entry: ChainEntry; address: Address },
): Promise<SignerPath | null> {
  const stored = await selectSignerPath(tx, { scope: watchScope(entry), address })
  if (stored === null) return null
  const path: SignerPath = { ...stored, ...pathTypeOf(entry.id, address) }
  const wallet = await selectWallet(tx, path)
  const authentic = wallet?.number === path.walletNumber && isAuthentic(keys.serviceKey, wallet)
  assert(authentic, 'the wallet of an address was changed in the database', { address })
  const key = await keys.signer.publicKey(path.orgId, derivationOf(entry, path))
  const isOurs = addressOf(entry.id, key, path.addressType) === address
  assert(isOurs, 'the key of an address is another', { address })
  return path
}

/** The same as the keys name it: the receiving branch of the wallet. */
export function derivationOf(
  { namespace, isTestnet }: ChainEntry,
  path: Pick<SignerPath, 'walletNumber' | 'pathIndex' | 'addressType'>,
): DerivationPath {
  const { walletNumber: wallet, pathIndex: index, addressType } = path
  const type = addressType === undefined ? {} : { addressType }
  return { namespace, isTestnet, wallet, branch: 0, index, ...type }
}

/**
 * The purpose of an address on a chain. An address of another chain's wallet is a deposit address:
 * payments to it came over the wrong network and are swept.
 */
export function roleOn(path: SignerPath, chainId: ChainId): WalletPurpose {
  return path.chainId === chainId ? path.purpose : 'deposit'
}
