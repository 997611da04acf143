import { parseAmount } from '../../base/amount.ts'
import { Overdrawn } from '../../ledger/post.ts'
import { orRaiseForged } from '../../orgs/thresholds.ts'
import type { Database, Tx } from '../../store/database.ts'
import { Grouping, type Outcome } from '../../store/grouping.ts'
import type { MacKey } from '../mac.ts'
import type { Withdrawal } from '../withdrawal.ts'
import { type Creation, heldFor, type Offers, refusalOfShort } from './check.ts'
import { createWithdrawal, createWithdrawals } from './create.ts'
import { readStanding } from './picture.ts'

/** Attempts before a request is refused for a balance that others keep moving. */
const TRIES_MAX = 3
/** Few groups at once, so that more calls of one organization share a commit. */
const GROUPS = { groupsMax: 4, sizeMax: 100 }
const groupings = new WeakMap<Database, Grouping<Creation, Withdrawal>>()

/** Dependencies of every request of a process. */
interface RequestDeps {
  database: Database
  serviceKey: MacKey
  offersOf: (tx: Tx, creation: Creation) => Promise<Offers>
}

/**
 * Creates a withdrawal as `requestWithdrawal` does, in one commit with the requests of the
 * organization that arrive at about the same time: all of them lock the same balance and the same
 * event counter.
 */
export function requestTogether(deps: RequestDeps, creation: Creation): Promise<Withdrawal> {
  const { database } = deps
  const grouping =
    groupings.get(database) ?? new Grouping((group) => requestGroup(deps, group), GROUPS)
  groupings.set(database, grouping)
  return grouping.do(creation.orgId, creation)
}

/**
 * Creates a withdrawal in its own commit. Refuses as `createWithdrawal` does, and as for a
 * short balance if others took it first. A refused request leaves nothing behind, not even its
 * reference.
 */
export async function requestWithdrawal(
  database: Database,
  serviceKey: MacKey,
  creation: Creation,
  offersOf: (tx: Tx) => Promise<Offers>,
): Promise<Withdrawal> {
  const { catalogue, orgId, request, fee } = creation
  for (let tries = 1; ; tries += 1) {
    try {
      return await orRaiseForged(database, () =>
        database.forOrg(orgId, (tx) => createWithdrawal(tx, serviceKey, creation, offersOf)),
      )
    } catch (error) {
      const [token, entry] = [catalogue.token(request.tokenId), catalogue.chain(request.chainId)]
      if (!(error instanceof Overdrawn) || token === null || entry === null) throw error
      const whose = { orgId, chainId: entry.id, tokenId: token.id }
      const standing = await database.forOrg(orgId, (tx) => readStanding(tx, entry, whose))
      const required = parseAmount(request.amount) + heldFor(entry, fee)
      const isShort = standing.available < required
      if (isShort || tries === TRIES_MAX) throw refusalOfShort(entry.id, standing, required)
    }
  }
}

async function requestGroup(
  deps: RequestDeps,
  group: readonly Creation[],
): Promise<Outcome<Withdrawal>[]> {
  const { database, serviceKey, offersOf } = deps
  const [first] = group
  const isGroup = first !== undefined && group.length > 1
  const outcomes = isGroup
    ? await database.forOrg(first.orgId, (tx) =>
        createWithdrawals(tx, serviceKey, group, (step) => offersOf(step, first)),
      )
    : []
  return Promise.all(group.map(async (one, at) => outcomes[at] ?? requestAlone(deps, one)))
}

async function requestAlone(
  { database, serviceKey, offersOf }: RequestDeps,
  creation: Creation,
): Promise<Outcome<Withdrawal>> {
  try {
    const offers = (tx: Tx) => offersOf(tx, creation)
    return { value: await requestWithdrawal(database, serviceKey, creation, offers) }
  } catch (error) {
    // Others of its group may be committed: what was thrown concerns this request alone.
    return { refusal: error }
  }
}
