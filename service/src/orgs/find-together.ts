import type { Database } from '../store/database.ts'
import { Grouping } from '../store/grouping.ts'
import { type KeyCaller, findCaller, findCallers } from './api-key.ts'

type Found = KeyCaller | 'unknown' | 'revoked'

const GROUPS = { groupsMax: 1, sizeMax: 200 }
const groupings = new WeakMap<Database, Grouping<string, Found>>()

/**
 * Whose key was presented, as `findCaller` says; keys that come at about the same time are looked
 * up in one statement, none of which began before its request came.
 */
export function findCallerTogether(database: Database, presented: string): Promise<Found> {
  const grouping = groupings.get(database) ?? openGrouping(database)
  groupings.set(database, grouping)
  return grouping.do('', presented)
}

function openGrouping(database: Database): Grouping<string, Found> {
  return new Grouping(async (keys) => {
    const [first = ''] = keys
    const found = await database.asApi(async (tx) =>
      keys.length === 1 ? [await findCaller(tx, first)] : findCallers(tx, keys),
    )
    return found.map((value) => ({ value }))
  }, GROUPS)
}
