import type { SimWorld } from '../world.ts'
import { live } from './live.ts'
import { pickTenant } from './people-events.ts'

/** How often a delivery runs at the same moment as its request. */
const AT_ONCE = 0.3

/** H06: requests the redelivery of an event in any state. */
export async function redeliver(world: SimWorld): Promise<string> {
  const random = world.random()
  const { books, looker } = world
  const tenant = pickTenant(world, random)
  const told = await looker.rows(
    'select id, sequence from events where org_id = $1 order by sequence',
    [tenant.orgId],
  )
  if (told.length === 0) return 'nothing to send again'
  const { id, sequence } = random.pick(told)
  const before = books.received.get(String(id))?.times ?? 0
  const isBeside = random.chance(AT_ONCE)
  return live(world, isBeside ? world.instance(random.int(2)) : world.door, async (it) => {
    const path = `/events/${String(id)}/redeliver`
    const [{ status, json }, attempts] = await Promise.all([
      world.api.byKey(tenant, 'POST', path),
      isBeside ? it.deliver() : 'none',
    ])
    const isTaken = status === 200
    if (isTaken && Object(json['event']).id !== id)
      books.wrongs.push(`I13: ${String(id)} is sent again as another event`)
    if (!isTaken && status < 500)
      books.wrongs.push(`I13: ${status} for ${String(id)}, which may be sent again`)
    // An event in delivery at this moment need not come once more.
    if (isTaken) books.resent.push({ id: String(id), atLeast: isBeside ? before : before + 1 })
    return `event ${String(sequence)} ${status}, ${attempts} meanwhile`
  })
}
