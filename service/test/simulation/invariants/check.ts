import type { SimWorld } from '../world.ts'
import { checkBroadcasts } from './broadcasts.ts'
import { checkClaims } from './claims.ts'
import { checkDeposits } from './deposits.ts'
import { checkHoldings } from './holdings.ts'
import { View } from './view.ts'
import { checkWithdrawals } from './withdrawals.ts'
import { checkEvents } from './events.ts'
import { checkTenants } from './tenants.ts'

const HEAVY_EVERY = 10

/** Looks at everything after an event; what is wrong, one line each. */
export async function checkWorld(world: SimWorld, isLast = false): Promise<string[]> {
  const { books } = world
  const wrongs = books.wrongs.splice(0)
  const heard = world.chains.flatMap((chain) => chain.takeHeard())
  const isNews = world.commits > 0 || heard.length > 0 || isLast || books.picture === null
  if (!isNews) return wrongs
  world.commits = 0
  const picture = await world.looker.look()
  books.picture = picture
  books.standing = {
    withdrawals: new Set(picture.withdrawals.map(({ status }) => status)),
    deposits: new Set(picture.deposits.map(({ status }) => status)),
  }
  const view = new View(world, picture)
  wrongs.push(...checkBroadcasts(view, heard))
  wrongs.push(...checkClaims(view))
  wrongs.push(...checkHoldings(view))
  wrongs.push(...checkDeposits(view))
  wrongs.push(...checkWithdrawals(view))
  if (isLast || books.event % HEAVY_EVERY === 0) {
    wrongs.push(...(await checkEvents(world)))
    wrongs.push(...(await checkTenants(world)))
  }
  return wrongs
}
