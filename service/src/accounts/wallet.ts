import { Refused, type Signer } from '@sluice/signer'
import { assert } from '../base/assert.ts'
import { Refusal } from '../base/fault.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import { addressOf } from '../chains/format-address.ts'
import type { Address } from '../chains/port.ts'
import { confirmsReceiveKeys } from '../keys/confirm.ts'
import { compressKey, deriveReceiveKey, deriveReceiveKeys } from '../keys/derive.ts'
import { type AccountPath, hasTaproot, isTaproot } from '../keys/paths.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import {
  type StoredWallet,
  type WalletKey,
  type WalletPurpose,
  insertWallet,
  lockCounter,
  selectWalletForUpdate,
  updateTaproot,
} from './wallet-rows.ts'

/**
 * The keys that issuing addresses takes. The service key authenticates rows. The signer is needed
 * for the xpub of a new wallet alone: null in a process that does not use it.
 */
export interface AccountKeys {
  signer: XpubSource | null
  serviceKey: Pick<ServiceKey, 'mac' | 'verify'>
}

/** The part of the signer that creates wallets; it cannot sign. */
export type XpubSource = Pick<Signer, 'accountXpub' | 'publicKey'>

/** Identifies a deposit wallet (engineering, 18). */
export interface WalletOwner {
  keys: AccountKeys
  entry: ChainEntry
  orgId: string
}

const MAC_PURPOSE = 'wallet-xpub'
/** Numbers in a row that other organizations may have in the signer's store. */
const TAKEN_MAX = 1_000

/**
 * Locks the deposit wallet of an organization on a chain until the transaction ends, and creates it
 * if it does not exist. Refuses with SERVICE_UNAVAILABLE if it must be created and this process
 * does not use the signer: the spender creates it. Throws a Bug if the xpub was changed in the
 * database (engineering, 7).
 */
export async function lockWallet(tx: Tx, owner: WalletOwner): Promise<StoredWallet> {
  const wallet = await lockWalletOf(tx, { ...owner, purpose: 'deposit' })
  if (!isTaproot(treeOf(owner.entry)) || wallet.xpubTaproot !== '') return wallet
  return addTaproot(tx, owner, wallet)
}

/**
 * Locks a wallet of any purpose, and creates it if it does not exist. Only deposit wallets store
 * their xpub (engineering, 18); it is "" for the others.
 */
export async function lockWalletOf(
  tx: Tx,
  owner: WalletOwner & { purpose: WalletPurpose },
): Promise<StoredWallet> {
  const wallet = (await selectWalletForUpdate(tx, keyOf(owner))) ?? (await makeWallet(tx, owner))
  const authentic = isAuthentic(owner.keys.serviceKey, wallet)
  assert(authentic, 'a wallet was changed in the database', { wallet: wallet.number })
  return wallet
}

/** Whether a stored wallet is the one that we stored (engineering, 7). */
export function isAuthentic(
  serviceKey: Pick<ServiceKey, 'verify'>,
  wallet: Omit<StoredWallet, 'nextIndex'>,
): boolean {
  return serviceKey.verify(MAC_PURPOSE, macFields(wallet), wallet.xpubMac)
}

/** The counter stays locked until the wallet that took a number commits. */
async function makeWallet(
  tx: Tx,
  owner: WalletOwner & { purpose: WalletPurpose },
): Promise<StoredWallet> {
  const signer = requireSigner(owner)
  const first = await lockCounter(tx)
  // The previous holder of the lock may have created this wallet.
  const raced = await selectWalletForUpdate(tx, keyOf(owner))
  if (raced !== null) return raced
  const number = await claimNumber(signer, { owner, first })
  const from = { signer, orgId: owner.orgId }
  const at = { ...familyOf(owner.entry), wallet: number }
  const isDeposit = owner.purpose === 'deposit'
  const xpub = isDeposit ? await provedXpub(from, at) : ''
  const xpubTaproot = isDeposit && hasTaproot(at) ? await provedXpub(from, taprootOf(at)) : ''
  const wallet = { ...keyOf(owner), number, xpub, xpubTaproot }
  const xpubMac = owner.keys.serviceKey.mac(MAC_PURPOSE, macFields(wallet))
  return insertWallet(tx, { ...wallet, xpubMac })
}

/**
 * The first number from the counter on that the signer does not know as another organization's, as
 * after a transaction that was rolled back once the signer had stored its number.
 */
async function claimNumber(
  signer: XpubSource,
  { owner, first }: { owner: WalletOwner; first: number },
): Promise<number> {
  for (let number = first; ; number += 1) {
    const at = { ...familyOf(owner.entry), wallet: number, branch: 0, index: 0 } as const
    try {
      await signer.publicKey(owner.orgId, at)
      return number
    } catch (error) {
      const isTaken = error instanceof Refused && error.code === 'other-organization'
      if (!isTaken || number - first >= TAKEN_MAX) throw error
    }
  }
}

/** A wallet that an older version made has the usual xpub alone. */
async function addTaproot(tx: Tx, owner: WalletOwner, wallet: StoredWallet): Promise<StoredWallet> {
  const signer = requireSigner(owner)
  const from = { signer, orgId: owner.orgId }
  const at = { ...familyOf(owner.entry), wallet: wallet.number }
  const isOurs = (await signer.accountXpub(owner.orgId, at)) === wallet.xpub
  assert(isOurs, 'the seed does not confirm a wallet', { number: wallet.number })
  const complete = { ...wallet, xpubTaproot: await provedXpub(from, taprootOf(at)) }
  const xpubMac = owner.keys.serviceKey.mac(MAC_PURPOSE, macFields(complete))
  await updateTaproot(tx, { ...complete, xpubMac })
  return { ...complete, xpubMac }
}

/** Refuses with SERVICE_UNAVAILABLE in a process that does not use the signer. */
export function requireSigner({ keys, entry }: Pick<WalletOwner, 'keys' | 'entry'>): XpubSource {
  if (keys.signer !== null) return keys.signer
  const says =
    `The wallet of the organization on ${entry.name} does not exist yet. A process with the role ` +
    'spender creates it within seconds of its start: check that one is running, then try again.'
  throw new Refusal('SERVICE_UNAVAILABLE', { chainId: entry.id, reason: 'wallet_not_ready' }, says)
}

/** The xpub of a new wallet; its first key is compared with the one that the seed makes (K06). */
async function provedXpub(
  { signer, orgId }: { signer: XpubSource; orgId: string },
  at: AccountPath,
): Promise<string> {
  const xpub = await signer.accountXpub(orgId, at)
  const key = await signer.publicKey(orgId, { ...at, branch: 0, index: 0 })
  const isSame = Buffer.from(key).equals(deriveReceiveKey(xpub, 0))
  assert(isSame, 'the seed does not confirm a wallet', { number: at.wallet })
  return xpub
}

/**
 * The receiving addresses of so many indexes from the next one on, from the xpub of a wallet whose
 * MAC was checked. They are computed in two ways and compared before they are shown (K06). Throws a
 * Bug if the two differ.
 */
export function receiveAddresses(
  { entry }: Pick<WalletOwner, 'entry'>,
  wallet: Pick<StoredWallet, 'number' | 'xpub' | 'xpubTaproot'>,
  indexes: readonly number[],
): Address[] {
  const xpub = isTaproot(treeOf(entry)) ? wallet.xpubTaproot : wallet.xpub
  const found = deriveReceiveKeys(xpub, indexes)
  const claimed = indexes.map((index, at) => ({ index, key: found[at] ?? new Uint8Array() }))
  const isConfirmed = confirmsReceiveKeys(xpub, claimed)
  assert(isConfirmed, 'an address is not confirmed', { number: wallet.number, indexes })
  return found.map((key) => addressOf(entry.id, compressKey(key), entry.addressType))
}

/** The receiving address of an index of a wallet's xpub, for a comparison. */
export function deriveAddress(
  entry: ChainEntry,
  wallet: Pick<StoredWallet, 'xpub' | 'xpubTaproot'>,
  { index, addressType }: Pick<AccountPath, 'addressType'> & { index: number },
): Address | null {
  const tree = addressType === undefined ? {} : { addressType }
  const xpub = isTaproot(tree) ? wallet.xpubTaproot : wallet.xpub
  return xpub === '' ? null : addressOf(entry.id, deriveReceiveKey(xpub, index), addressType)
}

/** Refuses with FAILED_TO_CREATE_DEPOSIT_ACCOUNT if a wallet has not so many indexes left. */
export function requireIndexes({ chainId, nextIndex }: StoredWallet, count: number): void {
  if (nextIndex + count <= INDEXES) return
  throw new Refusal('FAILED_TO_CREATE_DEPOSIT_ACCOUNT', { chainId })
}

const INDEXES = 2 ** 31

function treeOf({ addressType }: ChainEntry): Pick<AccountPath, 'addressType'> {
  return addressType === undefined ? {} : { addressType }
}

function taprootOf(at: AccountPath): AccountPath {
  return { ...at, addressType: 'p2tr' }
}

function familyOf({ namespace, isTestnet }: ChainEntry): Omit<AccountPath, 'wallet'> {
  return { namespace, isTestnet }
}

function keyOf({
  orgId,
  entry,
  purpose,
}: Pick<WalletOwner, 'orgId' | 'entry'> & { purpose: WalletPurpose }): WalletKey {
  return { orgId, chainId: entry.id, purpose }
}

function macFields(wallet: Omit<StoredWallet, 'xpubMac' | 'nextIndex'>) {
  const { orgId, chainId, purpose, number, xpub, xpubTaproot } = wallet
  const usual = [orgId, chainId, purpose, number, xpub]
  // Rows that have no second xpub keep the MAC that they were written with.
  return xpubTaproot === '' ? usual : [...usual, xpubTaproot]
}
