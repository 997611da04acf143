import type { Seeded } from '@sluice/simulator'
import { readChainState, setCondition } from '../../../src/catalogue/chain-state.ts'
import { disableUser, setRole } from '../../../src/orgs/change-user.ts'
import { requestRescan } from '../../../src/scanner/rescan.ts'
import { pendingThresholds } from '../../../src/withdrawals/pending-thresholds.ts'
import { Refusal } from '../../../src/base/fault.ts'
import type { Person } from '../stage.ts'
import type { SimWorld } from '../world.ts'
import { pickChain } from './chain-events.ts'
import { live } from './live.ts'
import { pickAsked, pickTenant, tenantOf } from './people-events.ts'

/** Looks at what stopped, and lets it go on. */
export async function resume(world: SimWorld): Promise<string> {
  const dice = world.dice()
  const { id: chainId } = pickChain(world, dice)
  return live(world, world.door, ({ database }) =>
    database.transaction(async (tx) => {
      const state = await readChainState(tx, chainId)
      if (state === null || state.condition === 'running') return 'runs'
      await setCondition(tx, { chainId, condition: 'running', cause: '' })
      return `was ${state.condition}`
    }),
  )
}

/** Somebody leaves, or takes another post: approvals that rest on it are void. */
export function changePeople(world: SimWorld): Promise<string> {
  const dice = world.dice()
  const person = pickApprover(world, dice)
  const { serviceKey } = world.stage.keys
  const { disabled, voidSince } = world.books
  const { userId } = person
  // Another post changes nothing for who has left.
  if (disabled.has(userId)) return Promise.resolve('gone for good')
  const since = voidSince.get(userId)
  const isBack = since !== undefined
  const leaves = dice.chance(0.2) && !isBack
  return live(world, world.door, async ({ database }) => {
    const change = { user: userId, actor: 'cli:test' }
    // Before the answer: where that is lost, the approvals may count again.
    voidSince.delete(userId)
    try {
      await database.transaction((tx) =>
        leaves
          ? disableUser(tx, serviceKey, change, pendingThresholds)
          : setRole(
              tx,
              serviceKey,
              { ...change, role: isBack ? 'approver' : 'viewer' },
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

/** Most of the time one on whose approval something rests that is not signed yet. */
function pickApprover(world: SimWorld, dice: Seeded): Person {
  const asked = dice.chance(0.8)
    ? (pickAsked(world, dice, ['Pending']) ?? pickAsked(world, dice, ['PendingApproval']))
    : null
  const { people } = asked === null ? pickTenant(world, dice) : tenantOf(world, asked.orgId)
  const approvers = people.filter(({ role }) => role === 'approver')
  const { disabled } = world.books
  const behind = approvers.filter(
    ({ userId }) => asked?.consents.has(userId) && !disabled.has(userId),
  )
  return dice.pick(behind.length > 0 ? behind : approvers)
}

export function rescan(world: SimWorld): Promise<string> {
  const dice = world.dice()
  const chain = pickChain(world, dice)
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
