import {
  type Duplicate,
  type HoldersOf,
  describeDuplicate,
  findDuplicates,
} from '../catalogue/find-duplicates.ts'
import { openSubjects, raiseIfNews, resolveAlerts } from '../alerts/raise-alert.ts'
import { holdersAmong } from '../ledger/places.ts'
import type { Database } from '../store/database.ts'
import type { ChainWorld } from './chain-world.ts'

const DUPLICATE = 'token.duplicate'
/** The addresses whose balances are compared if the contracts do not report a supply. */
const HOLDERS_MAX = 5

/** The holders of two tokens, according to the ledger. */
export function openHolders(database: Database): HoldersOf {
  return (chainId, tokenIds) =>
    database.transaction((tx) => holdersAmong(tx, { chainId, tokenIds, limit: HOLDERS_MAX }))
}

/** Raises alerts for pairs of listed contracts that seem to be one token, and resolves others. */
export async function watchDuplicates({
  database,
  chains,
  catalogue,
}: Pick<ChainWorld, 'database' | 'chains' | 'catalogue'>): Promise<void> {
  const holdersOf = openHolders(database)
  const { found, unknown } = await findDuplicates({ chains, holdersOf }, catalogue)
  const open = [...found, ...unknown].map(subjectOf)
  await database.transaction(async (tx) => {
    const told = await openSubjects(tx, DUPLICATE)
    const over = told.filter((subject) => !open.includes(subject))
    await resolveAlerts(tx, { code: DUPLICATE, subjects: over })
    for (const pair of found) {
      const message = describeDuplicate(pair)
      await raiseIfNews(tx, { code: DUPLICATE, subject: subjectOf(pair), message })
    }
  })
}

function subjectOf(pair: Duplicate): string {
  return pair.join(' ')
}
