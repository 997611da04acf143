import type { Seeded } from '@sluice/simulator'
import { totpCode, totpStepAt } from '../../../src/orgs/totp.ts'
import type { Asked } from '../books.ts'
import type { Person, Tenant } from '../stage.ts'
import type { SimWorld } from '../world.ts'
import { pickChain } from './chain-events.ts'
import { live } from './live.ts'

const USERS = ['ann', 'bob', 'cat', 'dan']
/** How often a person reuses a one-time code. */
const REUSE = 0.3
/** How often it is a person whose approval counts. */
const FITTING = 0.7
/** With two signers most approvals and user changes make a difference. */
const SETTINGS = [1, 2, 2, 3] as const

export function openAccount(world: SimWorld, times = 1): Promise<string> {
  const random = world.random()
  const chain = pickChain(world, random)
  const tenant = pickTenant(world, random)
  const userId = random.pick(USERS)
  return live(world, world.door, async () => {
    const query = new URLSearchParams({ chainId: chain.id, tokenId: chain.native, userId })
    const path = `/payments/deposit-address?${query.toString()}`
    const asked = Array.from({ length: times }, () => world.api.byKey(tenant, 'GET', path))
    const answers = await Promise.all(asked)
    for (const { status, json } of answers)
      if (status === 200 || status === 201) note(world, tenant, chain.id, json['address'])
    return `${userId} ${answers.map(({ status }) => status).join(' ')}`
  })
}

export function note(world: SimWorld, { orgId }: Tenant, chainId: string, view: unknown): void {
  const { user, address, tag } = accountIn(view)
  const { accounts } = world.books
  const known = accounts.find(
    (one) => one.orgId === orgId && one.chainId === chainId && one.user === user,
  )
  const spelled = world.chain(chainId).spell(address)
  if (known === undefined) accounts.push({ orgId, user, chainId, address: spelled, tag })
  else if (known.address !== spelled || known.tag !== tag)
    world.books.wrongs.push(`K06: the account of ${user} changed its address`)
}

function accountIn(view: unknown): { user: string; address: string; tag: number | null } {
  const { externalUserId, properties } = Object(view)
  const { address, destinationTag } = Object(properties)
  const tag = typeof destinationTag === 'string' ? Number(destinationTag) : null
  return { user: String(externalUserId), address: String(address), tag }
}

export function withdraw(world: SimWorld): Promise<string> {
  const random = world.random()
  const tenant = pickTenant(world, random)
  const wanted = draftOf(world, random, tenant)
  if (wanted === null) return Promise.resolve('nothing to withdraw')
  return live(world, world.door, () => ask(world, tenant, wanted, initiatorFor(tenant, random)))
}

/** Amounts are unique, so that a payment identifies its withdrawal. */
export function draftOf(world: SimWorld, random: Seeded, { orgId }: Tenant): Asked | null {
  const chain = pickChain(world, random)
  const tokenId = random.pick([chain.native, ...chain.tokens.slice(0, 1)])
  const row = world.books.picture?.balances.find(
    (one) => one.org === orgId && one.token === tokenId && one.account === 'claim:available',
  )
  const available = BigInt(row?.amount ?? 0n)
  // Hasty people ask for more than there is.
  const share = BigInt(1 + random.int(random.chance(0.2) ? 150 : 60))
  const unique = BigInt(world.books.event)
  const amount = (available * share) / 100n - (((available * share) / 100n) % 1_000n) + unique
  if (available === 0n && random.chance(0.8)) return null
  const own = world.books.accounts.filter((one) => one.chainId === chain.id)
  const inside = own.length > 0 && random.chance(0.1) ? random.pick(own) : null
  const stranger = chain.stranger(random)
  const recipient = inside?.address ?? stranger.recipient
  const memo = inside === null ? stranger.memo : inside.tag === null ? null : String(inside.tag)
  const before = [...world.books.asked.values()].filter((one) => one.orgId === orgId)
  const again = before.length > 0 && random.chance(0.08) ? random.pick(before) : null
  if (again !== null) return again
  return {
    orgId,
    chainId: chain.id,
    tokenId,
    amount,
    recipient: chain.spell(recipient),
    memo,
    reference: `ref-${world.books.event}`,
    id: null,
    required: world.books.signerSetting.get(orgId) ?? 1,
    initiators: new Set(),
    consents: new Set(),
    isCalledOff: false,
    created: 0,
  }
}

/** Requests it as a user or with an API key, from either process. */
export async function ask(
  world: SimWorld,
  tenant: Tenant,
  wanted: Asked,
  byWhom: Person | 'elsewhere' | null,
): Promise<string> {
  const { books, api } = world
  const key = `${wanted.orgId} ${wanted.reference}`
  const standing = books.asked.get(key) ?? wanted
  books.asked.set(key, standing)
  const initiator = byWhom === null || byWhom === 'elsewhere' ? tenant.apiUserId : byWhom.userId
  const isFirst = standing.created === 0 && !standing.initiators.has(initiator)
  if (standing.created === 0) {
    standing.consents.add(initiator)
    standing.initiators.add(initiator)
    // If the answer to a first request was lost, either request may have created the withdrawal.
    const setting = books.signerSetting.get(wanted.orgId) ?? 1
    standing.required = Math.min(standing.required, setting)
  }
  books.underWay.add(standing)
  const { chainId, tokenId, recipient, memo, reference } = wanted
  const body = {
    chainId,
    tokenId,
    amount: wanted.amount.toString(),
    recipient,
    reference,
    ...(memo === null ? {} : { memo }),
  }
  const asking = ['POST', '/withdrawals', body] as const
  const byKey = () =>
    byWhom === null ? api.byKey(tenant, ...asking) : api.byKeyElsewhere(tenant, ...asking)
  const { status, json } =
    byWhom === null || byWhom === 'elsewhere'
      ? await byKey()
      : await api.byPerson(byWhom, ...asking)
  // After an outage the process may still commit it, once it is awake.
  if (status < 500) books.underWay.delete(standing)
  if (status === 201) {
    standing.created += 1
    standing.id = idIn(json['withdrawal'])
    if (standing.created > 1) books.wrongs.push(`I12: ${reference} was created twice`)
  }
  // A user who may not create withdrawals has not consented.
  if (isFirst && (status === 401 || status === 403)) {
    standing.consents.delete(initiator)
    standing.initiators.delete(initiator)
  }
  if (codeIn(json) === 'INSUFFICIENT_GAS')
    books.withoutGas.push({ org: wanted.orgId, chain: chainId, reference })
  return `${reference} ${status} ${codeIn(json)}`
}

function initiatorFor({ people }: Tenant, random: Seeded): Person | null {
  return random.chance(0.7) ? null : random.pick(people.filter(({ role }) => role !== 'approver'))
}

export function approve(world: SimWorld): Promise<string> {
  const random = world.random()
  const asked = pickAsked(world, random, ['PendingApproval', 'PendingApproval', 'Pending'])
  if (asked === null) return Promise.resolve('nothing to approve')
  const tenant = tenantOf(world, asked.orgId)
  const fresh = tenant.people.filter(
    (one) => !asked.consents.has(one.userId) && takenStep(world, one) !== null,
  )
  const reuse = random.chance(REUSE)
  const { signers, voidSince } = world.books
  const fitting = tenant.people.filter(
    ({ userId }) => signers.has(userId) && !asked.consents.has(userId) && !voidSince.has(userId),
  )
  const picked = reuse ? fresh : random.chance(FITTING) ? fitting : []
  const person = random.pick(picked.length > 0 ? picked : tenant.people)
  return live(world, world.door, () => consent(world, person, asked, reuse))
}

/** The last accepted code of a person, if it is still valid by its time (S03). */
function takenStep({ books, clock }: SimWorld, { userId }: Person): number | null {
  const now = totpStepAt(clock.now())
  const near = [now + 1, now, now - 1]
  return near.find((step) => books.takenCodes.has(`${userId} ${step}`)) ?? null
}

/** Approves with the next code, or with a used one. */
export async function consent(
  world: SimWorld,
  person: Person,
  asked: Asked,
  reuse: boolean,
): Promise<string> {
  const { books } = world
  const last = books.steps.get(person.userId) ?? 0
  const step = nextStep(world, person)
  const again = takenStep(world, person) ?? (last > 0 ? last : step)
  const used = reuse ? again : step
  if (used === null) return 'no code yet'
  const { status, hadConsent } = await sendApproval(world, { person, asked, step: used })
  const isReplay = used <= last
  // A repeated approval does not use up a code; it stays valid.
  if (status === 200 && hadConsent && books.steps.get(person.userId) === used)
    books.steps.set(person.userId, last)
  return `${asked.reference} by ${person.role} ${status}${isReplay ? ' with an old code' : ''}`
}

/** Approves with the code of a step, and records its possible effects for every answer. */
export async function sendApproval(
  { books, api }: SimWorld,
  { person, asked, step }: { person: Person; asked: Asked; step: number },
): Promise<{ status: number; hadConsent: boolean }> {
  const { userId, role, totpSecret } = person
  books.steps.set(userId, Math.max(books.steps.get(userId) ?? 0, step))
  const hadConsent = asked.consents.has(userId)
  const code = `${userId} ${step}`
  const isTaken = books.takenCodes.has(code)
  // Before the answer: an approval may count although its answer is lost.
  if (!isTaken && books.signers.has(userId)) asked.consents.add(userId)
  const body = { totpCode: totpCode(totpSecret, step) }
  const { status } = await api.byPerson(person, 'POST', `/withdrawals/${asked.id}/approve`, body)
  // An approver who was refused has not consented.
  if (status >= 400 && status < 500 && !hadConsent) asked.consents.delete(userId)
  if (status === 200 && !hadConsent) {
    // A code sent while its owner could not approve was not used, and stays valid.
    if (isTaken) books.wrongs.push(`S03: an old code of ${role} was taken for ${asked.reference}`)
    books.takenCodes.add(code)
  }
  return { status, hadConsent }
}

/** The next code of a person's authenticator; null if all codes of this moment were used. */
export function nextStep(world: SimWorld, { userId }: Person): number | null {
  const now = totpStepAt(world.clock.now())
  const next = Math.max((world.books.steps.get(userId) ?? 0) + 1, now)
  return next > now + 1 ? null : next
}

export function callOff(world: SimWorld): Promise<string> {
  const random = world.random()
  const asked = pickAsked(world, random, ['PendingApproval', 'Pending', 'Processing'])
  if (asked === null) return Promise.resolve('nothing to call off')
  const tenant = tenantOf(world, asked.orgId)
  const rejects = random.chance(0.4)
  const person = random.pick(tenant.people)
  return live(world, world.door, async () => {
    const step = nextStep(world, person)
    if (rejects && step === null) return 'no code yet'
    const path = `/withdrawals/${asked.id}`
    const { status } = rejects
      ? await world.api.byPerson(person, 'POST', `${path}/reject`, {
          totpCode: totpCode(person.totpSecret, step ?? 0),
          reason: 'no',
        })
      : await world.api.byKey(tenant, 'DELETE', path)
    if (rejects) world.books.steps.set(person.userId, step ?? 0)
    if (status === 200) asked.isCalledOff = true
    if (status === 200 && rejects) world.books.takenCodes.add(`${person.userId} ${step}`)
    return `${asked.reference} ${rejects ? 'rejected' : 'cancelled'} ${status}`
  })
}

export function setSigners(world: SimWorld): Promise<string> {
  const random = world.random()
  const tenant = pickTenant(world, random)
  const value = random.pick(SETTINGS)
  return live(world, world.door, () => askForSigners(world, tenant, value))
}

/** The number of required signers from now on. */
export async function askForSigners(
  world: SimWorld,
  tenant: Tenant,
  value: number,
): Promise<string> {
  const admin = tenant.people.find(({ role }) => role === 'admin')
  if (admin === undefined) return 'no admin'
  const step = nextStep(world, admin)
  if (step === null) return 'no code yet'
  world.books.steps.set(admin.userId, step)
  const code = { totpCode: totpCode(admin.totpSecret, step) }
  return changeSigners(world, tenant, value, (method, path, body) =>
    world.api.byPerson(admin, method, path, { ...body, ...code }),
  )
}

/** Requests another number of signers, and records the possible results. */
export async function changeSigners(
  { books: { signerSetting, underWay, picture } }: SimWorld,
  { orgId }: Tenant,
  value: number,
  send: (method: 'PATCH', path: string, body: object) => Promise<{ status: number }>,
): Promise<string> {
  const before = signerSetting.get(orgId) ?? 1
  // Before the answer: if it is lost, either number may hold.
  signerSetting.set(orgId, Math.min(before, value))
  for (const asked of underWay) {
    const isStored = picture?.withdrawals.some(
      (row) => row.org === asked.orgId && row.reference === asked.reference,
    )
    if (asked.orgId === orgId && isStored !== true) asked.required = Math.min(asked.required, value)
  }
  const path = '/organisation/min-withdrawal-signers'
  const { status } = await send('PATCH', path, { minWithdrawalSigners: value })
  if (status === 200) signerSetting.set(orgId, value)
  else if (status < 500) signerSetting.set(orgId, before)
  return `${value} ${status}`
}

export function pickTenant(world: SimWorld, random: Seeded): Tenant {
  return random.chance(0.75) ? world.stage.tenants[0] : world.stage.tenants[1]
}

export function tenantOf(world: SimWorld, orgId: string): Tenant {
  const [first, second] = world.stage.tenants
  return first.orgId === orgId ? first : second
}

/** A withdrawal known to have one of these statuses. */
export function pickAsked(
  world: SimWorld,
  random: Seeded,
  statuses: readonly string[],
): Asked | null {
  const wanted = random.pick(statuses)
  const stored = (world.books.picture?.withdrawals ?? []).filter(({ status }) => status === wanted)
  const references = new Set(stored.map(({ org, reference }) => `${org} ${reference}`))
  const known = [...world.books.asked].filter(([key]) => references.has(key))
  if (known.length === 0) return null
  const [key, asked] = random.pick(known)
  const [row] = stored.filter(({ org, reference }) => `${org} ${reference}` === key)
  asked.id ??= row?.id ?? null
  return asked
}

function idIn(view: unknown): string {
  return String(Object(view)['id'])
}

function codeIn({ error }: Record<string, unknown>): string {
  return typeof error === 'string' ? error : ''
}
