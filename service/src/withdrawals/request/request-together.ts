import type { Database, Tx } from '../../store/database.ts'
import { Grouping, type Outcome } from '../../store/grouping.ts'
import type { Offers } from './check.ts'
import { createWithdrawals } from './create-many.ts'
import type { Creation } from './create.ts'
import type { Vouching } from '../mac.ts'
import { requestWithdrawal } from './request.ts'
import type { Withdrawal } from '../withdrawal.ts'

/** A few at a time: so that more calls of one organization share a commit. */
const GROUPS = { groupsMax: 4, sizeMax: 100 }
const groupings = new WeakMap<Database, Grouping<Creation, Withdrawal>>()

/** What every request of a process is done with. */
interface RequestMeans {
  database: Database
  serviceKey: Vouching
  offersOf: (tx: Tx, given: Creation) => Promise<Offers>
}

/**
 * Creates a withdrawal as `requestWithdrawal` does, one commit for the requests of an organization
 * that come at about the same time: they all want the same balance, and the same counter of events.
 * Refuses as `requestWithdrawal` does.
 */
export function requestTogether(means: RequestMeans, given: Creation): Promise<Withdrawal> {
  const { database } = means
  const grouping = groupings.get(database) ?? openGrouping(means)
  groupings.set(database, grouping)
  return grouping.do(given.orgId, given)
}

function openGrouping(means: RequestMeans): Grouping<Creation, Withdrawal> {
  return new Grouping((group) => requestGroup(means, group), GROUPS)
}

async function requestGroup(
  means: RequestMeans,
  group: readonly Creation[],
): Promise<Outcome<Withdrawal>[]> {
  const made = await makeTogether(means, group)
  return Promise.all(
    group.map(async (given, at) => {
      const value = made[at] ?? null
      return value === null ? requestAlone(means, given) : { value }
    }),
  )
}

/** Alone, it is done in the plain way; what fails as a group comes back here one by one. */
async function makeTogether(
  { database, serviceKey, offersOf }: RequestMeans,
  group: readonly Creation[],
): Promise<(Withdrawal | null)[]> {
  const [first] = group
  if (first === undefined || group.length === 1) return []
  return database.forOrg(first.orgId, (tx) =>
    createWithdrawals(tx, serviceKey, group, (step) => offersOf(step, first)),
  )
}

async function requestAlone(
  { database, serviceKey, offersOf }: RequestMeans,
  given: Creation,
): Promise<Outcome<Withdrawal>> {
  try {
    const value = await requestWithdrawal(database, serviceKey, given, (tx) => offersOf(tx, given))
    return { value }
  } catch (error) {
    // Others of its group may be committed by now: what befell this one is told to this one alone.
    return { refusal: error }
  }
}
