import type { Seeded } from '@sluice/simulator'
import { assert } from '../../../src/base/assert.ts'
import { readChainState } from '../../../src/catalogue/chain-state.ts'
import { disableUser, changeUser } from '../../../src/orgs/change-user.ts'
import { requestRescan } from '../../../src/scanner/rescan.ts'
import { resumeChain } from '../../../src/scanner/resume.ts'
import type { Tx } from '../../../src/store/database.ts'
import { pendingThresholds } from '../../../src/withdrawals/approve/pending-thresholds.ts'
import { Refusal } from '../../../src/base/fault.ts'
import type { Asked } from '../books.ts'
import type { Person } from '../stage.ts'
import type { SimWorld } from '../world.ts'
import { pickChain } from './chain-events.ts'
import { spendSoon } from './engine-events.ts'
import { live } from './live.ts'
import { consent, pickTenant } from './people-events.ts'

/** The share of initiators among the people chosen; the rest are approvers. */
const ASKERS = 0.3

/** Inspects stopped objects and continues them. */
export async function resume(world: SimWorld): Promise<string> {
  const random = world.random()
  const { id: chainId } = pickChain(world, random)
  return live(world, world.door, ({ database }) =>
    database.transaction((tx) => letGoOn(tx, world, chainId)),
  )
}

/** As `sluice chain resume` does it. */
export async function letGoOn(tx: Tx, world: SimWorld, chainId: string): Promise<string> {
  const state = await readChainState(tx, chainId)
  if (state === null || state.condition === 'running') return 'runs'
  const entry = world.catalogue.chain(chainId)
  assert(entry !== null, 'a chain that is not in the catalogue', { chainId })
  await resumeChain(tx, { entry, actor: 'cli:test', reason: 'it was looked at' })
  return `was ${state.condition}`
}

/** A user leaves or changes roles: approvals and withdrawals that depend on the user are void. */
export async function changePeople(world: SimWorld): Promise<string> {
  const asker = pickAsker(world)
  if (asker !== null) return leaveBehind(world, asker.person, asker.asked)
  const { person, asked } = pickApprover(world, world.random())
  if (asked === null) return changePost(world, person)
  if (asked.consents.has(person.userId)) return leaveBehind(world, person, asked)
  const approved = await live(world, world.door, () => consent(world, person, asked, false))
  return `${approved}, ${await leaveBehind(world, person, asked)}`
}

/** Leaves while a withdrawal depends on an approval: it must not be signed any more. */
async function leaveBehind(
  world: SimWorld,
  person: Person,
  asked: Pick<Asked, 'chainId'>,
): Promise<string> {
  const outcome = await changePost(world, person)
  const { voidSince, event } = world.books
  if (voidSince.get(person.userId) !== event) return outcome
  // Signatures from here on come after the change.
  voidSince.set(person.userId, event - 1)
  return `${outcome}, ${await spendSoon(world, asked.chainId)}`
}

function changePost(world: SimWorld, { userId, role }: Person): Promise<string> {
  const { serviceKey } = world.stage.keys
  const { disabled, voidSince } = world.books
  // A change of role does not matter for a user who has left.
  if (disabled.has(userId)) return Promise.resolve('already disabled')
  const since = voidSince.get(userId)
  const isBack = since !== undefined
  const leaves = world.random().fork('leaves').chance(0.2) && !isBack
  return live(world, world.door, async ({ database }) => {
    const change = { user: userId, actor: 'cli:test' }
    // Before the answer: if it is lost, the approvals may count again.
    voidSince.delete(userId)
    try {
      await database.transaction((tx) =>
        leaves
          ? disableUser(tx, serviceKey, change, pendingThresholds)
          : changeUser(
              tx,
              serviceKey,
              { ...change, role: isBack ? role : 'viewer' },
              pendingThresholds,
            ),
      )
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (since !== undefined) voidSince.set(userId, since)
      return `refused ${error.code}`
    }
    if (!isBack) voidSince.set(userId, world.books.event)
    if (leaves) disabled.add(userId)
    return isBack ? 'back' : leaves ? 'left' : 'another post'
  })
}

interface Post {
  person: Person
  /**
   * The withdrawal that depends on that person's approval, given or still missing; null if unknown.
   */
  asked: Asked | null
}

/** Sometimes an initiator with a withdrawal, or one who returns. */
function pickAsker(world: SimWorld): { person: Person; asked: Pick<Asked, 'chainId'> } | null {
  const { books, stage } = world
  const random = world.random().fork('asker')
  if (!random.chance(ASKERS)) return null
  const operators = stage.tenants.flatMap(({ people }) =>
    people.filter(({ role, userId }) => role === 'operator' && !books.disabled.has(userId)),
  )
  const away = operators.filter(({ userId }) => books.voidSince.has(userId))
  const [chain] = world.chains
  if (away.length > 0 && chain !== undefined)
    return { person: random.pick(away), asked: { chainId: chain.id } }
  const resting = (books.picture?.withdrawals ?? []).flatMap(({ org, reference, status }) => {
    const asked = books.asked.get(`${org} ${reference}`)
    if (asked === undefined || (status !== 'Pending' && status !== 'PendingApproval')) return []
    return operators
      .filter(({ userId }) => asked.initiators.has(userId))
      .map((person) => ({ person, asked }))
  })
  return resting.length === 0 ? null : random.pick(resting)
}

/** Usually an approver on whom an unsigned withdrawal depends. */
function pickApprover(world: SimWorld, random: Seeded): Post {
  const resting = random.chance(0.9) ? findResting(world) : []
  if (resting.length > 0) return random.pick(resting)
  const { people } = pickTenant(world, random)
  const person = random.pick(people.filter(({ role }) => role === 'approver'))
  return { person, asked: null }
}

/** Withdrawals that need a signature or one more approval, with their possible approvers. */
function findResting({ books, stage }: SimWorld): Post[] {
  const { picture, disabled, voidSince, asked } = books
  return (picture?.withdrawals ?? []).flatMap(({ org, id, reference, status }) => {
    const one = asked.get(`${org} ${reference}`)
    if (one === undefined || (status !== 'Pending' && status !== 'PendingApproval')) return []
    one.id ??= id
    const isToApprove = status === 'PendingApproval'
    if (isToApprove && one.consents.size + 1 !== one.required) return []
    const people = stage.tenants.find(({ orgId }) => orgId === org)?.people ?? []
    return people
      .filter(({ role }) => role === 'approver')
      .filter(({ userId }) => one.consents.has(userId) !== isToApprove)
      .filter(({ userId }) => !disabled.has(userId) && !voidSince.has(userId))
      .map((person) => ({ person, asked: one }))
  })
}

export function rescan(world: SimWorld): Promise<string> {
  const random = world.random()
  const chain = pickChain(world, random)
  const state = world.books.picture?.chains.find(({ id }) => id === chain.id)
  const from = (world.books.startOf.get(chain.id) ?? 0) + 1
  const to = state?.height ?? 0
  if (to < from) return Promise.resolve('nothing to read')
  return live(world, world.door, async ({ database }) => {
    await database.transaction((tx) =>
      requestRescan(tx, { chainId: chain.id, from, to, actor: 'cli:test' }),
    )
    return `${to - from + 1} blocks`
  })
}
