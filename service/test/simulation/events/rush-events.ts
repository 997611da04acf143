import type { Seeded } from '@sluice/simulator'
import type { Asked } from '../books.ts'
import type { Person, Tenant } from '../stage.ts'
import type { SimWorld } from '../world.ts'
import { live } from './live.ts'
import {
  ask,
  draftOf,
  nextStep,
  openAccount,
  pickAsked,
  pickTenant,
  sendApproval,
  tenantOf,
} from './people-events.ts'

type Rush = (world: SimWorld, random: Seeded) => Promise<string>

/** Points of a spender that is paying: between its check of a withdrawal and the commit. */
const AMID = ['send.prepared', 'send.locked'] as const

/**
 * Two requests for the same thing at the same moment, to two processes; the order of their
 * statements varies.
 */
export function rush(world: SimWorld): Promise<string> {
  const random = world.random()
  return random.pick(RUSHES)(world, random)
}

const RUSHES: readonly Rush[] = [
  askTwice,
  askTwice,
  askForMore,
  askForMore,
  callOffTwice,
  approveAndCallOff,
  sendAndCallOff,
  callOffAmid,
  callOffAmid,
  oneCodeForTwo,
  oneCodeForTwo,
  (world) => openAccount(world, 2),
]

/** A03: one reference in two concurrent requests. */
function askTwice(world: SimWorld, random: Seeded): Promise<string> {
  const tenant = pickTenant(world, random)
  const wanted = draftOf(world, random, tenant)
  if (wanted === null) return Promise.resolve('nothing to withdraw')
  return live(world, world.door, () =>
    both(ask(world, tenant, wanted, null), ask(world, tenant, wanted, 'elsewhere')),
  )
}

/** A01: each request alone is covered, both are not. */
function askForMore(world: SimWorld, random: Seeded): Promise<string> {
  const tenant = pickTenant(world, random)
  const wanted = draftOf(world, random, tenant)
  const available = wanted === null ? 0n : availableOf(world, wanted)
  if (wanted === null || available < 10_000n) return Promise.resolve('nothing to withdraw')
  const share = BigInt(52 + random.int(30))
  const [amount, unique] = [(available * share) / 100n, BigInt(world.books.event)]
  const of = (at: bigint): Asked => ({
    ...wanted,
    amount: amount - (amount % 10_000n) + unique * 2n + at,
    reference: `rush-${unique}-${at}`,
    consents: new Set(),
    id: null,
    created: 0,
    isCalledOff: false,
  })
  return live(world, world.door, () =>
    both(ask(world, tenant, of(0n), null), ask(world, tenant, of(1n), 'elsewhere')),
  )
}

function availableOf({ books }: SimWorld, { orgId, tokenId }: Asked): bigint {
  const row = books.picture?.balances.find(
    (one) => one.org === orgId && one.token === tokenId && one.account === 'claim:available',
  )
  return BigInt(row?.amount ?? 0n)
}

function callOffTwice(world: SimWorld, random: Seeded): Promise<string> {
  const asked = pickAsked(world, random, ['PendingApproval', 'Pending'])
  if (asked === null) return Promise.resolve('nothing to call off')
  const tenant = tenantOf(world, asked.orgId)
  return live(world, world.door, () =>
    both(cancel(world, tenant, asked), cancel(world, tenant, asked)),
  )
}

/** A09: exactly one of the two succeeds. */
function approveAndCallOff(world: SimWorld, random: Seeded): Promise<string> {
  const asked = pickAsked(world, random, ['PendingApproval'])
  if (asked === null) return Promise.resolve('nothing to approve')
  const tenant = tenantOf(world, asked.orgId)
  const person = random.pick(tenant.people)
  const step = nextStep(world, person)
  if (step === null) return Promise.resolve('no code yet')
  return live(world, world.door, () =>
    both(approve(world, person, asked, step), cancel(world, tenant, asked)),
  )
}

/** A10: called off while it is being signed. */
function sendAndCallOff(world: SimWorld, random: Seeded): Promise<string> {
  const asked = pickAsked(world, random, ['Pending'])
  if (asked === null) return Promise.resolve('nothing to call off')
  const tenant = tenantOf(world, asked.orgId)
  const { id } = world.chain(asked.chainId)
  return live(world, world.instance(0), (it) => both(it.spend(id), cancel(world, tenant, asked)))
}

/** A10: called off when it was looked at, and before it is signed. */
function callOffAmid(world: SimWorld, random: Seeded): Promise<string> {
  const asked = pickAsked(world, random, ['Pending'])
  if (asked === null) return Promise.resolve('nothing to call off')
  const tenant = tenantOf(world, asked.orgId)
  const { id } = world.chain(asked.chainId)
  const point = random.pick(AMID)
  // It gets there once for each pending withdrawal, oldest first, or once for all.
  const times = random.pick([1, 1 + olderThan(world, asked)])
  return live(world, world.instance(0), async (it) => {
    const cancelled: Promise<string>[] = []
    const happen = () => void cancelled.push(cancel(world, tenant, asked))
    it.gate.meanwhile = { point, times, happen }
    const sent = await it.spend(id)
    return [sent, ...(await Promise.all(cancelled))].join(', ')
  })
}

/** The number of older pending withdrawals on its chain. */
function olderThan({ books }: SimWorld, { id, chainId }: Asked): number {
  const pending = (books.picture?.withdrawals ?? []).filter(
    ({ chain, status }) => chain === chainId && status === 'Pending',
  )
  return pending.filter((one) => id !== null && one.id < id).length
}

/** S03: of several concurrent uses of one code a single one succeeds. */
function oneCodeForTwo(world: SimWorld, random: Seeded): Promise<string> {
  const [asked, other] = [0, 1].map(() => pickAsked(world, random, ['PendingApproval']))
  if (asked === null || asked === undefined || other === null || other === undefined)
    return Promise.resolve('nothing to approve')
  if (asked.id === other.id || asked.orgId !== other.orgId) return Promise.resolve('one alone')
  const signers = tenantOf(world, asked.orgId).people.filter(
    ({ userId }) =>
      world.books.signers.has(userId) &&
      [asked, other].every(({ consents }) => !consents.has(userId)),
  )
  const person = signers.length === 0 ? null : random.pick(signers)
  const step = person === null ? null : nextStep(world, person)
  if (person === null || step === null) return Promise.resolve('no code yet')
  return live(world, world.door, async () => {
    const outcomes = await Promise.all([
      approve(world, person, asked, step),
      approve(world, person, other, step),
    ])
    if (outcomes.every((one) => one.endsWith(' 200')))
      world.books.wrongs.push(`S03: one code of ${person.role} was taken twice at once`)
    return outcomes.join(', ')
  })
}

async function approve(
  world: SimWorld,
  person: Person,
  asked: Asked,
  step: number,
): Promise<string> {
  const { status } = await sendApproval(world, { person, asked, step })
  return `${asked.reference} approved ${status}`
}

async function cancel({ api }: SimWorld, tenant: Tenant, asked: Asked): Promise<string> {
  const { status } = await api.byKey(tenant, 'DELETE', `/withdrawals/${asked.id}`)
  if (status === 200) asked.isCalledOff = true
  return `${asked.reference} cancelled ${status}`
}

async function both(one: Promise<string>, other: Promise<string>): Promise<string> {
  const outcomes = await Promise.all([one, other])
  return outcomes.join(', ')
}
