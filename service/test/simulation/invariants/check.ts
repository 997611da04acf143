import type { SimWorld } from '../world.ts'
import { checkBroadcasts } from './broadcasts.ts'
import { checkClaims } from './claims.ts'
import { checkDeposits } from './deposits.ts'
import { checkFencing } from './fencing.ts'
import { checkFunds } from './funds.ts'
import { checkGas } from './gas.ts'
import { checkHoldings } from './holdings.ts'
import { takeSigned } from './signed.ts'
import { View } from './view.ts'
import { checkWithdrawals } from './withdrawals.ts'
import { checkEvents } from './events.ts'
import { checkRecords } from './records.ts'
import { checkStopped } from './stopped.ts'
import { checkTenants } from './tenants.ts'
import { checkTold } from './told.ts'

const HEAVY_EVERY = 10

/** Checks all invariants after an event; returns violations, one line each. */
export async function checkWorld(world: SimWorld, isLast = false): Promise<string[]> {
  const { books } = world
  const wrongs = heardOf(books)
  const heard = world.heard.splice(0)
  const isNews =
    world.commits > 0 ||
    heard.length > 0 ||
    isLast ||
    books.picture === null ||
    books.withoutGas.length > 0
  const { woken, picture: before } = books
  books.woken = null
  if (!isNews) return wrongs
  world.commits = 0
  const picture = await world.looker.look()
  wrongs.push(...(await checkFencing(world, { woken, before, now: picture })))
  wrongs.push(...checkStopped(books, { woken, before, now: picture, heard }))
  for (const { txnHash } of heard) books.sent.add(txnHash)
  books.picture = picture
  books.standing = {
    withdrawals: new Set(picture.withdrawals.map(({ status }) => status)),
    deposits: new Set(picture.deposits.map(({ status }) => status)),
  }
  const view = new View(world, picture)
  wrongs.push(...checkBroadcasts(view, [...(await takeSigned(world)), ...heard]))
  wrongs.push(...checkClaims(view))
  wrongs.push(...checkFunds(view))
  wrongs.push(...checkGas(view, before))
  wrongs.push(...checkHoldings(view))
  wrongs.push(...checkDeposits(view))
  wrongs.push(...checkWithdrawals(view))
  if (isLast || books.event % HEAVY_EVERY === 0) {
    wrongs.push(...(await checkEvents(world)))
    wrongs.push(...(await checkTenants(world)))
    wrongs.push(...(await checkRecords(world)))
  }
  if (isLast) wrongs.push(...(await checkTold(world)))
  return wrongs
}

/** Violations noticed at once; with a planted bug, without the errors of processes. */
function heardOf({ wrongs, said, goesOn }: SimWorld['books']): string[] {
  const lines = wrongs.splice(0)
  if (!goesOn) return lines
  said.push(...lines.filter((line) => !NAMED.test(line)))
  return lines.filter((line) => NAMED.test(line))
}

const NAMED = /^[A-Z]+\d+:/
