import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import { assert } from '../base/assert.ts'
import { iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'

/** Purpose of a wallet's addresses. */
export type WalletPurpose = 'deposit' | 'settlement' | 'gas'

export interface WalletKey {
  orgId: string
  chainId: ChainId
  purpose: WalletPurpose
}

/** A wallet as it is stored; `xpub` and its MAC are to be checked against each other before use. */
export interface StoredWallet extends WalletKey {
  number: number
  xpub: string
  /** Of the tree of P2TR (BIP-86); "" on chains without it. */
  xpubTaproot: string
  xpubMac: Uint8Array
  nextIndex: number
}

export interface WalletRow {
  org_id: string
  chain_id: ChainId
  purpose: WalletPurpose
  number: number
  xpub: string
  xpub_p2tr: string
  xpub_mac: Uint8Array
  next_index: number
}

/** Locks a wallet; null if it does not exist. */
export function selectWalletForUpdate(tx: Tx, key: WalletKey): Promise<StoredWallet | null> {
  return selectWallet(tx, key, sql`for update`)
}

/** Reads a wallet, with a lock if requested; null if it does not exist. */
export async function selectWallet(
  tx: Tx,
  key: WalletKey,
  lock = sql``,
): Promise<StoredWallet | null> {
  const row = await tx.maybe(sql<WalletRow>`
    select org_id, chain_id, purpose, number, xpub, xpub_p2tr, xpub_mac, next_index
      from wallets
     where org_id = ${key.orgId}
       and chain_id = ${key.chainId}
       and purpose = ${key.purpose}
       ${lock}`)
  return row === null ? null : walletFromRow(row)
}

/** Locks the counter of wallets, and gives the number that the next one takes. */
export async function lockCounter(tx: Tx): Promise<number> {
  const row = await tx.one(sql<{ next_number: number }>`
    select next_number
      from wallet_counter
       for update`)
  return row.next_number
}

/** Inserts a wallet under the number of the locked counter, and moves the counter on. */
export async function insertWallet(
  tx: Tx,
  wallet: Omit<StoredWallet, 'nextIndex'>,
): Promise<StoredWallet> {
  await tx.run(sql`
    update wallet_counter
       set next_number = ${wallet.number + 1}`)
  const row = await tx.one(sql<WalletRow>`
    insert into wallets (
           org_id, chain_id, purpose, number, xpub, xpub_p2tr, xpub_mac, created_at)
    values (${wallet.orgId}, ${wallet.chainId}, ${wallet.purpose}, ${wallet.number},
            ${wallet.xpub}, ${wallet.xpubTaproot}, ${wallet.xpubMac},
            ${iso(tx.clock.now())}::timestamptz)
    returning org_id, chain_id, purpose, number, xpub, xpub_p2tr, xpub_mac, next_index`)
  return walletFromRow(row)
}

/** Stores the xpub of P2TR beside that of a locked wallet that has none yet. */
export async function updateTaproot(
  tx: Tx,
  wallet: WalletKey & { xpubTaproot: string; xpubMac: Uint8Array },
): Promise<void> {
  const moved = await tx.run(sql`
    update wallets
       set xpub_p2tr = ${wallet.xpubTaproot},
           xpub_mac = ${wallet.xpubMac}
     where org_id = ${wallet.orgId}
       and chain_id = ${wallet.chainId}
       and purpose = ${wallet.purpose}
       and xpub_p2tr = ''`)
  assert(moved === 1, 'a locked wallet changed', { orgId: wallet.orgId, chainId: wallet.chainId })
}

/** The organizations whose deposit wallet on a chain has every xpub that is needed. */
export async function selectCompleteWallets(
  tx: Tx,
  query: { chainId: ChainId; needsTaproot: boolean },
): Promise<string[]> {
  const rows = await tx.many(sql<{ org_id: string }>`
    select org_id
      from wallets
     where chain_id = ${query.chainId}
       and purpose = 'deposit'
       and (not ${query.needsTaproot} or xpub_p2tr <> '')`)
  return rows.map((row) => row.org_id)
}

/** Moves the index of a locked wallet on by one. */
export async function advanceIndex(tx: Tx, key: WalletKey, from: number): Promise<void> {
  const row = await tx.maybe(sql<{ next_index: number }>`
    update wallets
       set next_index = next_index + 1
     where org_id = ${key.orgId}
       and chain_id = ${key.chainId}
       and purpose = ${key.purpose}
       and next_index = ${from}
    returning next_index`)
  assert(row?.next_index === from + 1, 'a wallet moved on although it was locked', { key, from })
}

/** The organizations that have issued an address of this purpose on the chain. */
export async function selectWalletOwners(
  tx: Tx,
  { chainIds, purpose }: { chainIds: readonly ChainId[]; purpose: WalletPurpose },
): Promise<string[]> {
  const rows = await tx.many(sql<{ org_id: string }>`
    select distinct org_id
      from wallets
     where chain_id = any(${chainIds}::text[])
       and purpose = ${purpose}
       and next_index > 0
     order by org_id`)
  return rows.map((row) => row.org_id)
}

/** One row with the module's types. */
export function walletFromRow(row: WalletRow): StoredWallet {
  return {
    orgId: row.org_id,
    chainId: row.chain_id,
    purpose: row.purpose,
    number: row.number,
    xpub: row.xpub,
    xpubTaproot: row.xpub_p2tr,
    xpubMac: row.xpub_mac,
    nextIndex: row.next_index,
  }
}
