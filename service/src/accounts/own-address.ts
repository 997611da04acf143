import type { Signer } from '@sluice/signer'
import type { ChainId } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import { watchScope } from '../catalogue/scope.ts'
import { addressOf } from '../chains/format-address.ts'
import type { Address } from '../chains/port.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import {
  selectPlatform,
  selectPlatformAddress,
  selectPlatformAmong,
  selectPlatformRows,
} from './platform-rows.ts'
import { type RowVerifier, isAuthenticWatch } from './row-mac.ts'
import { signerPath } from './signer-path.ts'
import { TamperedAccount, type TamperedRow, tamperedWatch } from './tampered.ts'
import { advanceIndex } from './wallet-rows.ts'
import { type AccountKeys, lockWalletOf, requireSigner, type XpubSource } from './wallet.ts'
import { watchAddress } from './watch.ts'

/** Purpose of a platform address: paying withdrawals or fees. */
export type PlatformPurpose = 'settlement' | 'gas'

/** An address of an organization's own, and the key that signs for it: branch 0 of a wallet. */
export interface OwnKey {
  address: Address
  walletNumber: number
  pathIndex: number
}

/** Which address of an organization's own. */
export interface PlatformAddressQuery {
  orgId: string
  chainId: ChainId
  purpose: PlatformPurpose
}

/** An organization has one of each purpose on a chain: index 0 of the wallet. */
const INDEX = 0

/**
 * Returns the settlement or gas address of an organization on a chain, and creates and watches it
 * if it does not exist, in the caller's commit. Idempotent. Throws a Bug if the wallet was changed
 * in the database (engineering, 7). Refuses with SERVICE_UNAVAILABLE in a process that does not use
 * the signer.
 */
export async function openOwnAddress(
  tx: Tx,
  options: { keys: AccountKeys; entry: ChainEntry; orgId: string; purpose: PlatformPurpose },
): Promise<OwnKey> {
  const { keys, entry, orgId, purpose } = options
  const wallet = await lockWalletOf(tx, options)
  const own = await deriveOwn(requireSigner(options), options, wallet.number)
  if (wallet.nextIndex > INDEX) return own
  await advanceIndex(tx, wallet, INDEX)
  await watchAddress(tx, keys.serviceKey, {
    scope: watchScope(entry),
    address: own.address,
    orgId,
    chainId: entry.id,
    purpose,
    accountId: null,
    externalUserId: '',
    wallet: own.walletNumber,
    index: own.pathIndex,
  })
  return own
}

/**
 * The settlement or gas address of an organization as the database says it; null while it has none
 * on the chain. Only for what is proved before it is signed (`proveOwnAddress`): to show it, use
 * `showOwnAddress`.
 */
export function readOwnAddress(tx: Tx, question: PlatformAddressQuery): Promise<Address | null> {
  return selectPlatformAddress(tx, question)
}

/**
 * The settlement or gas address of an organization, to be shown to people who send money there.
 * Null while it has none on the chain. Throws TamperedAccount if its row was changed.
 */
export async function showOwnAddress(
  tx: Tx,
  serviceKey: RowVerifier,
  { purpose, ...whose }: PlatformAddressQuery,
): Promise<Address | null> {
  const own = await requireOwnAddresses(tx, serviceKey, whose)
  return own.find((one) => one.purpose === purpose)?.address ?? null
}

/** Both, of one organization. Throws TamperedAccount if the row of one of them was changed. */
export async function requireOwnAddresses(
  tx: Tx,
  serviceKey: RowVerifier,
  whose: { chainId: ChainId; orgId: string },
): Promise<{ purpose: PlatformPurpose; address: Address }[]> {
  const { own, tampered } = await showOwnAddresses(tx, serviceKey, whose)
  const [forged] = tampered
  if (forged !== undefined) throw new TamperedAccount(forged)
  return own
}

/** The same of a chain, of one organization or of all, without the rows that were changed. */
export async function showOwnAddresses(
  tx: Tx,
  serviceKey: RowVerifier,
  whose: { chainId: ChainId; orgId?: string },
): Promise<{
  own: { orgId: string; purpose: PlatformPurpose; address: Address }[]
  tampered: TamperedRow[]
}> {
  const rows = await selectPlatformRows(tx, whose)
  const authentic = rows.filter((row) => isAuthenticWatch(serviceKey, row))
  const own = authentic.flatMap(({ orgId, purpose, address }) =>
    purpose === 'deposit' ? [] : [{ orgId, purpose, address }],
  )
  const tampered = rows.filter((row) => !authentic.includes(row)).map(tamperedWatch)
  return { own, tampered }
}

/** The settlement and gas addresses of a chain, of one organization or of all, not checked. */
export function listOwnAddresses(
  tx: Tx,
  options: { chainId: ChainId; orgId?: string },
): Promise<{ orgId: string; purpose: PlatformPurpose; address: Address }[]> {
  return selectPlatform(tx, options)
}

/**
 * Derives the settlement or gas address of an organization from the seed, for payments to it,
 * because an address in the database may be forged. Null if there is none. Throws a Bug if the
 * wallet or the address was changed in the database (engineering, 7).
 */
export async function proveOwnAddress(
  tx: Tx,
  options: {
    keys: {
      signer: Pick<Signer, 'publicKey'>
      serviceKey: Pick<ServiceKey, 'verify'>
    }
    entry: ChainEntry
    orgId: string
    purpose: PlatformPurpose
  },
): Promise<OwnKey | null> {
  const { keys, entry, orgId, purpose } = options
  const address = await selectPlatformAddress(tx, { orgId, chainId: entry.id, purpose })
  if (address === null) return null
  const path = await signerPath(tx, keys, { entry, address })
  const isOurs = path?.orgId === orgId && path.chainId === entry.id && path.purpose === purpose
  assert(isOurs, 'an own address was changed in the database', { orgId, purpose, address })
  return { address, walletNumber: path.walletNumber, pathIndex: path.pathIndex }
}

/**
 * The addresses among these of a scope that are settlement or gas addresses of any organization.
 * Withdrawals to them are refused (engineering, 8).
 */
export function listPlatformAmong(
  tx: Tx,
  question: { scope: string; addresses: readonly Address[] },
): Promise<Address[]> {
  return selectPlatformAmong(tx, question)
}

async function deriveOwn(
  signer: XpubSource,
  { entry, orgId }: { entry: ChainEntry; orgId: string },
  wallet: number,
): Promise<OwnKey> {
  const { id, namespace, isTestnet } = entry
  const at = { namespace, isTestnet, wallet, branch: 0, index: INDEX } as const
  const key = await signer.publicKey(orgId, at)
  return { address: addressOf(id, key), walletNumber: wallet, pathIndex: INDEX }
}
