import type { SimWorld } from '../world.ts'
import { spendSoon } from './engine-events.ts'
import { live } from './live.ts'
import { changeSigners, pickAsked, pickTenant } from './people-events.ts'

/** A thief with the API key of one organization tries calls that it does not allow. */
export function thiefAtTheDoor(world: SimWorld): Promise<string> {
  const random = world.random()
  const [first, second] = world.stage.tenants
  const asked = pickAsked(world, random, ['PendingApproval', 'Pending', 'Processing'])
  const plan = random.pick(['approve', 'lower', 'other'])
  return live(world, world.door, async () => {
    const { books, api } = world
    if (plan === 'lower')
      return changeSigners(world, first, 1, (...asking) => api.byKey(first, ...asking))
    if (asked === null) return 'nothing to steal'
    const isFirst = asked.orgId === first.orgId
    if (plan === 'approve') {
      const path = `/withdrawals/${asked.id}/approve`
      const { status } = await api.byKey(isFirst ? first : second, 'POST', path, {
        totpCode: '123456',
      })
      if (status === 200) books.wrongs.push(`A14: an API key approved ${asked.reference}`)
      return `approve ${status}`
    }
    const { status } = await api.byKey(
      isFirst ? second : first,
      'DELETE',
      `/withdrawals/${asked.id}`,
    )
    // If the process dies, or its commit is lost, no answer arrives.
    if (status !== 404 && status < 500)
      books.wrongs.push(`S09: ${status} for another's ${asked.reference}`)
    return `other ${status}`
  })
}

/** A thief can write to the database, and not to the service key. */
export async function thiefInTheRows(world: SimWorld): Promise<string> {
  const random = world.random()
  const asked =
    pickAsked(world, random, ['PendingApproval', 'PendingApproval', 'Pending']) ??
    pickAsked(world, random, ['Pending'])
  if (asked?.id === undefined || asked.id === null) return 'nothing to change'
  const plan = random.pick(PLANS)
  const recipient = world
    .chain(asked.chainId)
    .spell(world.chain(asked.chainId).stranger(random).recipient)
  world.books.tampered.add(asked.id)
  await plan.change(world, { id: asked.id, orgId: asked.orgId, recipient })
  return `${asked.reference}: ${plan.name}, ${await spendSoon(world, asked.chainId)}`
}

interface Aim {
  id: string
  orgId: string
  recipient: string
}

const PLANS: readonly { name: string; change(world: SimWorld, aim: Aim): Promise<unknown> }[] = [
  {
    name: 'another recipient',
    change: ({ looker }, { id, recipient }) =>
      looker.rows('update withdrawals set recipient = $2 where id = $1', [id, recipient]),
  },
  {
    name: 'released without approval',
    change: ({ looker }, { id }) =>
      looker.rows(
        `update withdrawals set status = 'Pending'
          where id = $1 and status = 'PendingApproval'`,
        [id],
      ),
  },
  {
    name: 'fewer signers',
    change: ({ looker }, { id }) =>
      looker.rows(
        `update withdrawals set required_approvals = 1, required_humans = 0, status = 'Pending'
          where id = $1`,
        [id],
      ),
  },
  {
    name: 'a forged approval',
    change: (world, { id, orgId }) => forge(world, id, orgId),
  },
]

/** Moves an approval of another withdrawal to this one, or invents one. */
async function forge({ looker, stage }: SimWorld, id: string, orgId: string): Promise<void> {
  const tenant = stage.tenants.find((one) => one.orgId === orgId)
  for (const { userId } of tenant?.people.filter(({ role }) => role === 'approver') ?? [])
    await looker.rows(
      `insert into withdrawal_approvals
         (org_id, id, withdrawal_id, user_id, totp_step, mac, created_at)
       select $1::uuid, md5($2::text || $3::text)::uuid, $2::uuid, $3::uuid, 1,
              coalesce((select mac from withdrawal_approvals
                         where user_id = $3::uuid order by id limit 1), '\\x00'::bytea), now()
           on conflict do nothing`,
      [orgId, id, userId],
    )
  await looker.rows(`update withdrawals set status = 'Pending' where id = $1`, [id])
}

/** A thief with the database owner's rights changes sealed entries: the check must notice it. */
export async function thiefInTheLog(world: SimWorld): Promise<string> {
  const { books, looker } = world
  const random = world.random()
  const sealed = await looker.rows('select entry_id as id from audit_seals order by sequence')
  if (sealed.length === 0) return 'no seal'
  const { id } = random.pick(sealed)
  const forgery = random.pick(FORGERIES)
  await looker.rows('set session_replication_role = replica')
  await looker.rows(forgery, [id])
  await looker.rows('set session_replication_role = origin')
  books.isLogForged = true
  return forgery
}

const FORGERIES = [
  `update audit_log set actor = 'somebody else' where id = $1`,
  `update audit_log set at = at - interval '1 second' where id = $1`,
  `update audit_seals set hash = sha256(hash) where entry_id = $1`,
] as const

/** A thief uses the credentials of the other organization: only their own rights apply. */
export function probe(world: SimWorld): Promise<string> {
  const random = world.random()
  const tenant = pickTenant(world, random)
  return live(world, world.door, async () => {
    const { status } = await world.api.byKey(
      { ...tenant, apiKey: 'sk_wrong' },
      'GET',
      '/withdrawals',
    )
    // If the process dies, or its commit is lost, no answer arrives.
    if (status !== 401 && status < 500) world.books.wrongs.push(`S07: ${status} for an unknown key`)
    return `${status}`
  })
}
