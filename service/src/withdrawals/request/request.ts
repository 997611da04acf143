import { Overdrawn } from '../../ledger/post.ts'
import { orTellForged } from '../../orgs/thresholds.ts'
import type { Database, Tx } from '../../store/database.ts'
import type { Offers } from './check.ts'
import {
  type Creation,
  createWithdrawal,
  readStanding,
  refusalOfShort,
  requiredFor,
} from './create.ts'
import type { Vouching } from '../mac.ts'
import type { Withdrawal } from '../withdrawal.ts'

/** A balance that others keep moving is asked so often before its owner is told what it is. */
const TRIES_MAX = 3

/**
 * Creates a withdrawal in a commit of its own. Refuses as `createWithdrawal` does; where others
 * took the balance first, with what is said of a balance that is short. A refused request leaves
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
      return await orTellForged(database, () =>
        database.forOrg(given.orgId, (tx) => createWithdrawal(tx, serviceKey, given, offersOf)),
      )
    } catch (error) {
      if (!(error instanceof Overdrawn)) throw error
      const { catalogue, orgId, request } = given
      const [token, entry] = [catalogue.token(request.tokenId), catalogue.chain(request.chainId)]
      if (token === null || entry === null) throw error
      const whose = { orgId, chainId: entry.id, tokenId: token.id }
      const standing = await database.forOrg(orgId, (tx) => readStanding(tx, entry, whose))
      const required = requiredFor(given)
      const isShort = standing.available < required
      if (isShort || tries === TRIES_MAX) throw refusalOfShort(entry.id, standing, required)
    }
  }
}
