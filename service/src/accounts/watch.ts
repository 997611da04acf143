import type { ChainId } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import { chainsOfScope } from '../catalogue/scope.ts'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import {
  type RowSigner,
  type RowVerifier,
  type WatchIdentity,
  isAuthenticAccount,
  isAuthenticWatch,
  macOfWatch,
} from './row-mac.ts'
import { selectAccountsAt } from './rows.ts'
import type { WalletPurpose } from './wallet-rows.ts'
import { type StoredWatch, insertWatched, selectWatched } from './watch-rows.ts'

/** The owner of an address. */
export interface Watched {
  orgId: string
  /** The chain it was issued on; in its scope it is watched on others too. */
  chainId: ChainId
  purpose: WalletPurpose
  /** Null for what is no end user's. */
  accountId: string | null
  /** "" for what is no end user's. */
  externalUserId: string
  /**
   * How far the row is trusted. `authentic`: its MAC matches. `account`: it was changed in the
   * database, and the fields are those of the authentic account with this address. `claimed`: no
   * authentic row has this address, but both rows name the same account of it. `none`: nothing
   * supports the fields.
   */
  proof: 'authentic' | 'account' | 'claimed' | 'none'
}

const MATCH_BATCH_MAX = 10_000

/**
 * Finds the watched addresses among these in a scope, with their owners. Queries the database
 * within the caller's step, so that every address issued before is found (engineering, 15), and
 * verifies the MAC of each row. Results are cached for the step.
 */
export async function matchAddresses(
  tx: Tx,
  serviceKey: RowVerifier,
  { scope, addresses }: { scope: string; addresses: readonly Address[] },
): Promise<Map<Address, Watched>> {
  const answers = answersOf(tx, scope)
  const unasked = [...new Set(addresses)].filter((address) => !answers.has(address))
  for (let from = 0; from < unasked.length; from += MATCH_BATCH_MAX) {
    const batch = unasked.slice(from, from + MATCH_BATCH_MAX)
    for (const address of batch) answers.set(address, null)
    for (const [address, watched] of await selectProved(tx, serviceKey, scope, batch))
      answers.set(address, watched)
  }
  const found = new Map<Address, Watched>()
  for (const address of addresses) {
    const watched = answers.get(address) ?? null
    if (watched !== null) found.set(address, watched)
  }
  return found
}

async function selectProved(
  tx: Tx,
  serviceKey: RowVerifier,
  scope: string,
  addresses: readonly Address[],
): Promise<Map<Address, Watched>> {
  const rows = await selectWatched(tx, scope, addresses)
  const found = new Map<Address, Watched>()
  const forged: StoredWatch[] = []
  for (const row of rows) {
    const isAuthentic = isAuthenticWatch(serviceKey, row)
    if (!isAuthentic) forged.push(row)
    found.set(row.address, { ...watchedOf(row), proof: isAuthentic ? 'authentic' : 'none' })
  }
  if (forged.length === 0) return found
  const chainIds = chainsOfScope(scope).map(({ id }) => id)
  const suspects = forged.map(({ address }) => address)
  for (const { identity } of await selectAccountsAt(tx, { chainIds, addresses: suspects })) {
    // A shared address does not identify a user.
    if (identity.destinationTag !== null) continue
    const { orgId, chainId, id: accountId, externalUserId, address } = identity
    const claim = found.get(address)
    const owner = { orgId, chainId, purpose: 'deposit', accountId, externalUserId } as const
    if (isAuthenticAccount(serviceKey, identity)) found.set(address, { ...owner, proof: 'account' })
    else if (claim?.accountId === accountId && claim.orgId === orgId && claim.proof === 'none')
      found.set(address, { ...owner, proof: 'claimed' })
  }
  return found
}

const ANSWERS = Symbol('the addresses that this transaction has asked for')

/** Cache of a transaction by scope: the owner of an address, or null if it is not watched. */
class Answers {
  readonly byScope = new Map<string, Map<Address, Watched | null>>()
}

function answersOf(tx: Tx, scope: string): Map<Address, Watched | null> {
  const kept = tx.local.get(ANSWERS)
  const { byScope } = kept instanceof Answers ? kept : keep(tx)
  const answers = byScope.get(scope) ?? new Map<Address, Watched | null>()
  byScope.set(scope, answers)
  return answers
}

function keep(tx: Tx): Answers {
  const made = new Answers()
  tx.local.set(ANSWERS, made)
  return made
}

/**
 * Watches an address from this commit on. It belongs to one organization permanently; an address of
 * another organization is a Bug.
 */
export async function watchAddress(
  tx: Tx,
  serviceKey: RowSigner,
  watch: WatchIdentity,
): Promise<void> {
  const { scope, address } = watch
  const isNew = await insertWatched(tx, { ...watch, mac: macOfWatch(serviceKey, watch) })
  assert(isNew, 'an address is given out twice', { scope, address })
  tx.local.delete(ANSWERS)
}

function watchedOf(row: StoredWatch): Omit<Watched, 'proof'> {
  const { orgId, chainId, purpose, accountId, externalUserId } = row
  return { orgId, chainId, purpose, accountId, externalUserId }
}
