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
 * caller's step: an address that was shown to anybody before is found (engineering, 15).
 */
export async function matchAddresses(
  tx: Tx,
  scope: string,
  addresses: readonly Address[],
): Promise<Map<Address, Watched>> {
  const found = new Map<Address, Watched>()
  const distinct = [...new Set(addresses)]
  for (let from = 0; from < distinct.length; from += MATCH_BATCH_MAX) {
    const batch = distinct.slice(from, from + MATCH_BATCH_MAX)
    for (const row of await selectWatched(tx, scope, batch)) found.set(row.address, fromRow(row))
  }
  return found
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
