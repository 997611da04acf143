import { assert } from '../base/assert.ts'
import { Refusal } from '../base/fault.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import { addressOf } from '../chains/format-address.ts'
import type { Address } from '../chains/port.ts'
import { deriveReceiveKey } from '../keys/derive.ts'
import type { Keyring } from '../keys/keyring.ts'
import { type AccountPath, isTaproot } from '../keys/paths.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import {
  type StoredWallet,
  type WalletKey,
  type WalletPurpose,
  advanceIndex,
  insertWallet,
  lockCounter,
  selectWalletForUpdate,
} from './wallet-rows.ts'

/**
 * What an address takes of the keys: the seed makes a wallet's xpub, the service key knows it
 * again.
 */
export interface AccountKeys {
  keyring: Pick<Keyring, 'accountXpub' | 'publicKey'>
  serviceKey: Pick<ServiceKey, 'mac' | 'verify'>
}

/** Whose deposit wallet, on which chain (engineering, 18). */
export interface WalletOwner {
  keys: AccountKeys
  entry: ChainEntry
  orgId: string
}

const INDEX_MAX = 2 ** 31 - 1
const MAC_PURPOSE = 'wallet-xpub'

/**
 * Locks the deposit wallet of an organization on a chain until the transaction ends; makes it where
 * there is none.
 * Throws a Bug where the xpub is not the one we stored: somebody else wrote into the database
 * (engineering, 7).
 */
export function lockWallet(tx: Tx, owner: WalletOwner): Promise<StoredWallet> {
  return lockWalletOf(tx, { ...owner, purpose: 'deposit' })
}

/**
 * Locks a wallet of any purpose, and makes it where there is none. Only deposit wallets show their
 * xpub (engineering, 18): of the others it is "".
 */
export async function lockWalletOf(
  tx: Tx,
  owner: WalletOwner & { purpose: WalletPurpose },
): Promise<StoredWallet> {
  const wallet = (await selectWalletForUpdate(tx, keyOf(owner))) ?? (await makeWallet(tx, owner))
  const genuine = isGenuine(owner.keys.serviceKey, wallet)
  assert(genuine, 'a wallet was changed in the database', { wallet: wallet.number })
  return wallet
}

/** Whether a stored wallet is the one that we stored (engineering, 7). */
export function isGenuine(
  serviceKey: Pick<ServiceKey, 'verify'>,
  wallet: Omit<StoredWallet, 'nextIndex'>,
): boolean {
  return serviceKey.verify(MAC_PURPOSE, macFields(wallet), wallet.xpubMac)
}

/** Numbers have no gaps: the counter stays locked until the wallet that took one commits. */
async function makeWallet(
  tx: Tx,
  owner: WalletOwner & { purpose: WalletPurpose },
): Promise<StoredWallet> {
  const { keyring, serviceKey } = owner.keys
  const number = await lockCounter(tx)
  // Whoever held the counter before us may have made this very wallet.
  const raced = await selectWalletForUpdate(tx, keyOf(owner))
  if (raced !== null) return raced
  const { namespace, isTestnet } = owner.entry
  const at = { namespace, isTestnet, wallet: number }
  // Of the usual tree of keys, whatever new accounts get: it proves whose seed it is.
  const xpub = owner.purpose === 'deposit' ? keyring.accountXpub(at) : ''
  const wallet = { ...keyOf(owner), number, xpub }
  const xpubMac = serviceKey.mac(MAC_PURPOSE, macFields(wallet))
  return insertWallet(tx, { ...wallet, xpubMac })
}

/**
 * Takes the next index of a locked wallet: it is in the database before a key is derived from it
 * (K06).
 * Refuses with FAILED_TO_CREATE_DEPOSIT_ACCOUNT when all 2^31 are taken.
 */
export async function takeIndex(tx: Tx, wallet: StoredWallet): Promise<number> {
  const { chainId, nextIndex } = wallet
  if (nextIndex > INDEX_MAX) throw new Refusal('FAILED_TO_CREATE_DEPOSIT_ACCOUNT', { chainId })
  await advanceIndex(tx, wallet, nextIndex)
  return nextIndex
}

/**
 * The receiving address of an index, from the wallet's xpub; derived once more from the seed, and
 * compared, before anybody is shown it (K06). Throws a Bug where the two differ.
 */
export function receiveAddress(owner: WalletOwner, wallet: StoredWallet, index: number): Address {
  const { keys, entry } = owner
  const { at, xpub } = receiveTree(owner, wallet)
  const address = addressOf(entry.id, deriveReceiveKey(xpub, index), entry.addressType)
  const key = keys.keyring.publicKey({ ...at, branch: 0, index })
  const again = addressOf(entry.id, key, entry.addressType)
  assert(address === again, 'the seed does not confirm an address', { ...at, index, address })
  return address
}

/**
 * Where the keys of a wallet's new addresses lie, and the xpub that they follow from. That of P2TR
 * (BIP-86) is in no row: the seed makes it anew, once it has shown with the stored one that it is
 * the wallet's own. Throws a Bug where it is not.
 */
export function receiveTree(
  { keys, entry }: Pick<WalletOwner, 'keys' | 'entry'>,
  { number, xpub }: Pick<StoredWallet, 'number' | 'xpub'>,
): { at: AccountPath; xpub: string } {
  const { namespace, isTestnet, addressType } = entry
  const usual = { namespace, isTestnet, wallet: number }
  if (addressType === undefined || !isTaproot({ addressType })) return { at: usual, xpub }
  const isOurs = keys.keyring.accountXpub(usual) === xpub
  assert(isOurs, 'the seed does not confirm a wallet', { number })
  const at = { ...usual, addressType }
  return { at, xpub: keys.keyring.accountXpub(at) }
}

function keyOf({
  orgId,
  entry,
  purpose,
}: Pick<WalletOwner, 'orgId' | 'entry'> & { purpose: WalletPurpose }): WalletKey {
  return { orgId, chainId: entry.id, purpose }
}

function macFields({
  orgId,
  chainId,
  purpose,
  number,
  xpub,
}: Omit<StoredWallet, 'xpubMac' | 'nextIndex'>) {
  return [orgId, chainId, purpose, number, xpub]
}
