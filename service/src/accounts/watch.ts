import type { ChainId } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import type { WalletPurpose } from './wallet-rows.ts'
import { type WatchedRow, insertWatched, selectWatched } from './watch-rows.ts'

/** Whose an address is. */
export interface Watched {
  orgId: string
  /** The chain it was issued on; in its scope it is watched on others too. */
  chainId: ChainId
  purpose: WalletPurpose
  /** Null for what is no end user's. */
  accountId: string | null
  /** "" for what is no end user's. */
  externalUserId: string
}

const MATCH_BATCH_MAX = 10_000

/**
 * Which of these addresses are ours in a scope, and whose. It asks the database, inside the
 * caller's step: an address that was shown to anybody before is found (engineering, 15). What a
 * step asked once it is not asked again.
 */
export async function matchAddresses(
  tx: Tx,
  scope: string,
  addresses: readonly Address[],
): Promise<Map<Address, Watched>> {
  const answers = answersOf(tx, scope)
  const unasked = [...new Set(addresses)].filter((address) => !answers.has(address))
  for (let from = 0; from < unasked.length; from += MATCH_BATCH_MAX) {
    const batch = unasked.slice(from, from + MATCH_BATCH_MAX)
    for (const address of batch) answers.set(address, null)
    for (const row of await selectWatched(tx, scope, batch)) answers.set(row.address, fromRow(row))
  }
  const found = new Map<Address, Watched>()
  for (const address of addresses) {
    const watched = answers.get(address) ?? null
    if (watched !== null) found.set(address, watched)
  }
  return found
}

const ANSWERS = Symbol('the addresses that this transaction has asked for')

/** What a transaction has learnt: whose an address is, or null for nobody's of ours; by scope. */
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
 * Watches an address of ours from this commit on. It belongs to one organization, for ever;
 * another's is a Bug.
 */
export async function watchAddress(
  tx: Tx,
  watch: Watched & { scope: string; address: Address },
): Promise<void> {
  const { scope, address } = watch
  assert(await insertWatched(tx, watch), 'an address is given out twice', { scope, address })
  tx.local.delete(ANSWERS)
}

function fromRow(row: WatchedRow): Watched {
  return {
    orgId: row.org_id,
    chainId: row.chain_id,
    purpose: row.purpose,
    accountId: row.account_id,
    externalUserId: row.external_user_id,
  }
}
