import type { ServiceKey } from '../keys/service-key.ts'
import type { Database } from '../store/database.ts'
import { Grouping } from '../store/grouping.ts'
import { type FoundKey, findCaller, findCallers } from './api-key.ts'

/** The dependencies of a key lookup. */
interface Deps {
  database: Database
  serviceKey: Pick<ServiceKey, 'verify'>
}

const GROUPS = { groupsMax: 1, sizeMax: 200 }
const groupings = new WeakMap<Database, Grouping<string, FoundKey>>()

/**
 * Like `findCaller`, but looks up keys that arrive at about the same time in one statement. A
 * statement never begins before the requests that it serves arrived.
 */
export function findCallerTogether(deps: Deps, presented: string): Promise<FoundKey> {
  const { database } = deps
  const grouping = groupings.get(database) ?? openGrouping(deps)
  groupings.set(database, grouping)
  return grouping.do('', presented)
}

function openGrouping({ database, serviceKey }: Deps): Grouping<string, FoundKey> {
  return new Grouping(async (keys) => {
    const [first = ''] = keys
    const found = await database.asApi(async (tx) =>
      keys.length === 1
        ? [await findCaller(tx, serviceKey, first)]
        : findCallers(tx, serviceKey, keys),
    )
    return found.map((value) => ({ value }))
  }, GROUPS)
}
