import { assert } from '../base/assert.ts'
import { Refusal } from '../base/fault.ts'
import { readChainState } from '../catalogue/chain-state.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import { watchScope } from '../catalogue/scope.ts'
import type { Tx } from '../store/database.ts'
import { appendEvent } from '../webhooks/outbox.ts'
import { type Account, type AccountOwner, parseExternalUserId } from './account.ts'
import { findAccount } from './find.ts'
import { accountPayload } from './payload.ts'
import { macOfAccount } from './row-mac.ts'
import { insertAccount } from './rows.ts'
import { lockBase, openTagged } from './tagged.ts'
import { type AccountKeys, lockWallet, receiveAddresses, requireIndexes } from './wallet.ts'
import { advanceIndex } from './wallet-rows.ts'
import { watchAddress } from './watch.ts'

export interface Opened {
  account: Account
  /** False if the account existed before. */
  created: boolean
}

/** Whether the caller may create an account; existing accounts are only read. */
export type BeforeMaking = (tx: Tx) => Promise<void>

/**
 * Returns the deposit account of an end user on a chain, and creates it if it does not exist
 * (section
 * 4.4): wallet, index, address, watch and the event `account.created` in the caller's commit.
 * Concurrent calls create one account and lose no index. Open one account per transaction, because
 * wallets of two chains could deadlock. `beforeMaking` runs before any lock if there is no account,
 * and may refuse. The caller checks whether the chain is enabled.
 * Refuses with INVALID_USER_ID, SERVICE_UNAVAILABLE (no cursor yet, engineering, 13, or the wallet
 * must be created by a process with the seed), FAILED_TO_CREATE_DEPOSIT_ACCOUNT, and INTERNAL_ERROR
 * (TamperedAccount) if the row of the account was changed in the database.
 */
export async function openAccount(
  tx: Tx,
  options: {
    keys: AccountKeys
    entry: ChainEntry
    orgId: string
    externalUserId: string
    beforeMaking?: BeforeMaking
  },
): Promise<Opened> {
  const { entry, orgId, keys } = options
  const { serviceKey } = keys
  const externalUserId = parseExternalUserId(options.externalUserId)
  const whose = { orgId, chainId: entry.id, externalUserId }
  const standing = await findAccount(tx, serviceKey, whose)
  if (standing !== null) return { account: standing, created: false }
  await options.beforeMaking?.(tx)
  await requireCursor(tx, entry)
  if (entry.sharesAddresses) return openShared(tx, options, whose)
  const wallet = await lockWallet(tx, options)
  // The previous holder of the lock may have opened this account.
  const raced = await findAccount(tx, serviceKey, whose)
  if (raced !== null) return { account: raced, created: false }
  requireIndexes(wallet, 1)
  const index = wallet.nextIndex
  // The index is in the database before a key is derived from it (K06).
  await advanceIndex(tx, wallet, index)
  const [address] = receiveAddresses(options, wallet, [index])
  assert(address !== undefined, 'an index without its address')
  const path = { wallet: wallet.number, index }
  const made = { ...whose, id: tx.ids.next(), address, destinationTag: null, ...path }
  const mac = macOfAccount(serviceKey, made)
  const account = await insertAccount(tx, { ...made, mac })
  assert(account !== null, 'an address is given out twice', { orgId, index })
  const watch = { ...whose, scope: watchScope(entry), address, purpose: 'deposit' } as const
  await watchAddress(tx, serviceKey, { ...watch, accountId: account.id, ...path })
  return told(tx, account)
}

/** Opens an account on a chain where all users share one address and each has a tag. */
async function openShared(
  tx: Tx,
  options: { keys: AccountKeys; entry: ChainEntry; orgId: string },
  whose: AccountOwner,
): Promise<Opened> {
  const base = await lockBase(tx, options)
  // The previous holder of the lock may have opened this account.
  const { serviceKey } = options.keys
  const raced = await findAccount(tx, serviceKey, whose)
  if (raced !== null) return { account: raced, created: false }
  return told(tx, await openTagged(tx, serviceKey, whose, base))
}

function told(tx: Tx, account: Account): Opened {
  const { orgId, id: subjectId } = account
  appendEvent(tx, { orgId, type: 'account.created', subjectId, payload: accountPayload(account) })
  return { account, created: true }
}

/**
 * Refuses with SERVICE_UNAVAILABLE before the first contact with a chain: without a cursor a
 * payment could be missed.
 */
export async function requireCursor(tx: Tx, { id, name }: ChainEntry): Promise<void> {
  if ((await readChainState(tx, id)) !== null) return
  const says = `${name} has not been reached since it was configured. Try again shortly.`
  throw new Refusal('SERVICE_UNAVAILABLE', { chainId: id }, says)
}
