import { Overdrawn } from '../ledger/post.ts'
import type { Database, Tx } from '../store/database.ts'
import type { Offers } from './check.ts'
import { type Creation, createWithdrawal, insufficient, requiredFor } from './create.ts'
import type { Vouching } from './mac.ts'
import { readAvailable } from './reserve.ts'
import type { Withdrawal } from './withdrawal.ts'

/** A balance that others keep moving is asked so often before its owner is told what it is. */
const TRIES_MAX = 3

/**
 * Creates a withdrawal in a commit of its own. Refuses as `createWithdrawal` does; where others
 * took the balance first, with INSUFFICIENT_BALANCE and what is left. A refused request leaves
 * nothing behind, its reference neither.
 */
export async function requestWithdrawal(
  database: Database,
  serviceKey: Vouching,
  given: Creation,
  offersOf: (tx: Tx) => Promise<Offers>,
): Promise<Withdrawal> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await database.forOrg(given.orgId, (tx) =>
        createWithdrawal(tx, serviceKey, given, offersOf),
      )
    } catch (error) {
      if (!(error instanceof Overdrawn)) throw error
      const required = requiredFor(given)
      const available = await availableTo(database, given)
      if (available < required || tries === TRIES_MAX) throw insufficient(available, required)
    }
  }
}

async function availableTo(database: Database, given: Creation): Promise<bigint> {
  const { catalogue, orgId, request } = given
  const token = catalogue.token(request.tokenId)
  if (token === null) return 0n
  const { id: tokenId, chainId } = token
  return database.forOrg(orgId, (tx) => readAvailable(tx, { orgId, chainId, tokenId }))
}
