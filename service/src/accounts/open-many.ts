import { assert } from '../base/assert.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import { watchScope } from '../catalogue/scope.ts'
import type { Tx } from '../store/database.ts'
import { appendEvent } from '../webhooks/outbox.ts'
import type { Account, ExternalUserId } from './account.ts'
import { advanceIndexes, insertGroup, insertWatchedGroup, selectGroup } from './group-rows.ts'
import { requireAuthentic } from './find.ts'
import { type BeforeMaking, type Opened, openAccount, requireCursor } from './open.ts'
import { accountPayload } from './payload.ts'
import { macOfAccount, macOfWatch } from './row-mac.ts'
import { type AccountKeys, lockWallet, receiveAddresses, requireIndexes } from './wallet.ts'
import type { StoredWallet } from './wallet-rows.ts'

interface Group {
  keys: AccountKeys
  entry: ChainEntry
  orgId: string
}

/**
 * Returns the deposit accounts of end users of one organization on one chain, in the given order,
 * like `openAccount` for each but in one commit and with one statement for all. `created` is true
 * only for the first occurrence. Refuses with SERVICE_UNAVAILABLE as `openAccount` does, with
 * FAILED_TO_CREATE_DEPOSIT_ACCOUNT if the wallet lacks indexes, and with INTERNAL_ERROR if the row
 * of an account was changed; then stores nothing.
 */
export async function openAccounts(
  tx: Tx,
  options: Group & { externalUserIds: readonly ExternalUserId[]; beforeMaking?: BeforeMaking },
): Promise<Opened[]> {
  const { externalUserIds, beforeMaking, ...group } = options
  const standing = await findGroup(tx, group, externalUserIds)
  const absent = [...new Set(externalUserIds)].filter((user) => !standing.has(user))
  if (absent.length > 0) await beforeMaking?.(tx)
  const made = await makeAbsent(tx, group, absent, standing)
  const fresh = new Set(made.keys())
  return externalUserIds.map((user) => {
    const created = fresh.delete(user)
    const account = made.get(user) ?? standing.get(user)
    assert(account, 'an end user of a group was left out')
    return { account, created }
  })
}

/** Creates the missing accounts and adds existing ones to `standing`. */
async function makeAbsent(
  tx: Tx,
  group: Group,
  absent: readonly ExternalUserId[],
  standing: Map<string, Account>,
): Promise<Map<string, Account>> {
  if (absent.length === 0) return new Map()
  await requireCursor(tx, group.entry)
  if (group.entry.sharesAddresses) return makeShared(tx, group, absent, standing)
  const wallet = await lockWallet(tx, group)
  // The previous holder of the lock may have opened these accounts.
  const raced = await findGroup(tx, group, absent)
  for (const [user, account] of raced) standing.set(user, account)
  const users = absent.filter((user) => !raced.has(user))
  return users.length === 0 ? new Map() : make(tx, group, wallet, users)
}

/** The accounts that there are, by external user id. Throws TamperedAccount. */
async function findGroup(
  tx: Tx,
  group: Group,
  users: readonly ExternalUserId[],
): Promise<Map<string, Account>> {
  const stored = await selectGroup(tx, whoseOf(group), users)
  return new Map(
    stored.map((one) => [
      one.identity.externalUserId,
      requireAuthentic(group.keys.serviceKey, one),
    ]),
  )
}

/** Creates each under its own tag, one after the other. */
async function makeShared(
  tx: Tx,
  group: Group,
  absent: readonly ExternalUserId[],
  standing: Map<string, Account>,
): Promise<Map<string, Account>> {
  const made = new Map<string, Account>()
  for (const externalUserId of absent) {
    const { account, created } = await openAccount(tx, { ...group, externalUserId })
    ;(created ? made : standing).set(externalUserId, account)
  }
  return made
}

async function make(
  tx: Tx,
  group: Group,
  wallet: StoredWallet,
  users: readonly ExternalUserId[],
): Promise<Map<string, Account>> {
  const { entry, orgId, keys } = group
  const first = wallet.nextIndex
  requireIndexes(wallet, users.length)
  // The indexes are in the database before a key is derived from them (K06).
  await advanceIndexes(tx, wallet, { from: first, count: users.length })
  const indexes = users.map((_user, at) => first + at)
  const addresses = receiveAddresses(group, wallet, indexes)
  const whose = { ...whoseOf(group), wallet: wallet.number }
  const scope = watchScope(entry)
  const drafts = users.map((externalUserId, at) => {
    const address = addresses[at]
    assert(address !== undefined, 'an index without its address')
    const draft = { id: tx.ids.next(), externalUserId, address, index: first + at }
    const mac = macOfAccount(keys.serviceKey, { ...whose, ...draft, destinationTag: null })
    const watch = { ...whose, ...draft, scope, purpose: 'deposit', accountId: draft.id } as const
    return { ...draft, mac, watchMac: macOfWatch(keys.serviceKey, watch) }
  })
  const [accounts, watched] = await Promise.all([
    insertGroup(tx, whose, drafts),
    insertWatchedGroup(tx, { ...whose, scope }, drafts),
  ])
  assert(watched === users.length, 'an address is given out twice', { orgId })
  for (const user of users) tell(tx, accounts.get(user))
  return accounts
}

function tell(tx: Tx, account: Account | undefined): void {
  assert(account, 'an account that was inserted did not come back')
  const { orgId, id: subjectId } = account
  appendEvent(tx, { orgId, type: 'account.created', subjectId, payload: accountPayload(account) })
}

function whoseOf({ orgId, entry }: Group) {
  return { orgId, chainId: entry.id }
}
