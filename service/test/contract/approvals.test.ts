import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type Answer, type Json, ask, until } from './world/ask.ts'
import { personOf, tenantOf, theWorld } from './world/given.ts'
import { payerOf } from './world/pay.ts'
import { command } from './world/programs.ts'
import { expectRefusal } from './world/refusal.ts'
import { Withdrawal, list, object, one, filled } from './world/shapes.ts'
import { type Person, codeOf, wrongCodeOf } from './world/sign-in.ts'
import { CHAIN } from './world/state.ts'

const org = tenantOf('signers')
const key = org.apiKey
const { usd } = theWorld().tokens
const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7'
const NOBODY = '01890a5d-ac96-774b-bcce-b302099a8057'

beforeAll(() => payerOf(2).fund(org, { [usd]: 10n ** 6n }))

function patchSigners(minWithdrawalSigners: unknown): Promise<Answer> {
  const path = '/organisation/min-withdrawal-signers'
  return ask(path, { key, method: 'PATCH', body: { minWithdrawalSigners } })
}

async function created(signers: number, creator?: Person): Promise<Json> {
  expect((await patchSigners(signers)).status).toBe(200)
  const reference = randomUUID()
  const body = { chainId: CHAIN, tokenId: usd, amount: '10', recipient: RECIPIENT, reference }
  const who = creator === undefined ? { key } : { token: creator.accessToken }
  const { status, json } = await ask('/withdrawals', { ...who, method: 'POST', body })
  expect(status).toBe(201)
  return json['withdrawal'] as Json
}

function decide(id: unknown, what: string, { accessToken }: Person, body: Json): Promise<Answer> {
  return ask(`/withdrawals/${String(id)}/${what}`, { token: accessToken, method: 'POST', body })
}

function approve(id: unknown, who: Person, totpCode = codeOf(who)): Promise<Answer> {
  return decide(id, 'approve', who, { totpCode })
}

async function statusOf(id: unknown): Promise<unknown> {
  return (await ask(`/withdrawals/${String(id)}`, { key })).json['status']
}

test('three signers, the key first: three people approve, each with a fresh code', async () => {
  const people = [0, 1, 7].map((at) => personOf(org, 'approver', at))
  const [ann] = people
  if (ann === undefined) throw new Error('nobody approves')
  const { id, initiator, ...first } = await created(3)
  const required = { requiredApprovals: 3, requiredHumans: 3 }
  expect(first).toMatchObject({ status: 'PendingApproval', approvers: [initiator], ...required })
  expectRefusal(await approve(id, ann, wrongCodeOf(ann)), 'INVALID_TOTP')
  const approvers = [initiator]
  for (const [at, person] of people.entries()) {
    approvers.push(person.id)
    const { status, json } = await approve(id, person)
    expect(status).toBe(200)
    expect(object({ withdrawal: Withdrawal })(json, 'body')).toEqual([])
    const isReleased = at === people.length - 1
    const reached = { status: isReleased ? 'Pending' : 'PendingApproval', approvers }
    expect(json).toMatchObject({ withdrawal: reached })
  }
})

test('three signers, a person first: two others approve', async () => {
  const [eli, fred, gil] = [8, 9, 10].map((at) => personOf(org, 'approver', at))
  if (!eli || !fred || !gil) throw new Error('nobody approves')
  const { id, ...first } = await created(3, eli)
  const required = { requiredApprovals: 3, requiredHumans: 3 }
  expect(first).toMatchObject({ status: 'PendingApproval', approvers: [eli.id], ...required })
  const second = { status: 'PendingApproval', approvers: [eli.id, fred.id] }
  expect((await approve(id, fred)).json).toMatchObject({ withdrawal: second })
  const third = { status: 'Pending', approvers: [eli.id, fred.id, gil.id] }
  expect((await approve(id, gil)).json).toMatchObject({ withdrawal: third })
})

test('two signers, the key first: one person approves if no more are required', async () => {
  const requireHumans = (humans: string) =>
    command(theWorld().config, ['org', 'require-humans', humans, '--org', org.id])
  await requireHumans('1')
  try {
    const { id, ...first } = await created(2)
    expect(first).toMatchObject({ requiredApprovals: 2, requiredHumans: 1 })
    const person = personOf(org, 'approver', 11)
    expect((await approve(id, person)).json).toMatchObject({ withdrawal: { status: 'Pending' } })
  } finally {
    await requireHumans('default')
  }
})

test('a code works once, and a second approval changes nothing', async () => {
  const cem = personOf(org, 'approver', 2)
  const [{ id }, { id: other }] = [await created(3), await created(3)]
  const code = codeOf(cem)
  const first = await approve(id, cem, code)
  expect(first.status).toBe(200)
  expectRefusal(await approve(other, cem, code), 'INVALID_TOTP')
  const again = await approve(id, cem, codeOf(cem, 1))
  expect(again.status).toBe(200)
  expect(again.json).toEqual(first.json)
})

test('the threshold is fixed at creation, independent of later settings', async () => {
  const { id } = await created(2, personOf(org, 'approver', 8))
  expect((await patchSigners(1)).status).toBe(200)
  expect(await statusOf(id)).toBe('PendingApproval')
  const dan = personOf(org, 'admin', 0)
  expect((await approve(id, dan)).json).toMatchObject({ withdrawal: { status: 'Pending' } })
})

test('a rejection cancels under the name of its user, and ends approvals', async () => {
  const eve = personOf(org, 'admin', 1)
  const { id } = await created(2)
  expectRefusal(await decide(id, 'reject', eve, { totpCode: wrongCodeOf(eve) }), 'INVALID_TOTP')
  const body = { totpCode: codeOf(eve), reason: 'not like this' }
  const { status, json } = await decide(id, 'reject', eve, body)
  expect(status).toBe(200)
  expect(object({ withdrawal: Withdrawal })(json, 'body')).toEqual([])
  const cancelled = { status: 'Cancelled', txnError: `CANCELLED BY ${eve.id}` }
  expect(json).toMatchObject({ withdrawal: { id, ...cancelled } })
  expectRefusal(await approve(id, eve, codeOf(eve, 1)), 'WITHDRAWAL_NOT_PENDING')
})

test('several withdrawals are approved with one code, each with its own result', async () => {
  const fay = personOf(org, 'approver', 3)
  const eli = personOf(org, 'approver', 8)
  const ids = [(await created(2, eli))['id'], (await created(2, eli))['id'], NOBODY]
  const { status, json } = await ask('/withdrawals/approve', {
    token: fay.accessToken,
    method: 'POST',
    body: { ids, totpCode: codeOf(fay) },
  })
  expect(status).toBe(200)
  const refused = list(object({ id: filled, error: one('WITHDRAWAL_NOT_FOUND'), message: filled }))
  expect(object({ withdrawals: list(Withdrawal), refused })(json, 'body')).toEqual([])
  expect(json['withdrawals']).toMatchObject([{ status: 'Pending' }, { status: 'Pending' }])
  expect(json['refused']).toMatchObject([{ id: NOBODY }])
})

test('an initiator counts as the first approver, and only once', async () => {
  const gus = personOf(org, 'approver', 4)
  const { id, approvers } = await created(2, gus)
  expect(approvers).toEqual([gus.id])
  const again = await approve(id, gus)
  expect(again.status).toBe(200)
  expect(again.json).toMatchObject({ withdrawal: { status: 'PendingApproval', approvers } })
})

test('an approval fails for an unknown id, without a code, or with a key', async () => {
  const ann = personOf(org, 'approver', 5)
  const { id } = await created(2)
  expectRefusal(await approve(NOBODY, ann), 'WITHDRAWAL_NOT_FOUND')
  for (const body of [{}, { totpCode: 123_456 }, { totpCode: null }])
    expectRefusal(await decide(id, 'approve', ann, body), 'BAD_REQUEST')
  for (const what of ['approve', 'reject']) {
    const path = `/withdrawals/${String(id)}/${what}`
    const body = { totpCode: '123456' }
    expectRefusal(await ask(path, { key, method: 'POST', body }), 'FORBIDDEN')
    expectRefusal(await ask(path, { method: 'POST', body }), 'UNAUTHORIZED')
  }
})

test('the error for a processed withdrawal differs from that for a non-pending one', async () => {
  const hal = personOf(org, 'approver', 6)
  const { id } = await created(1)
  await until('completed', async () => ((await statusOf(id)) === 'Completed' ? true : null))
  expectRefusal(await approve(id, hal), 'WITHDRAWAL_ALREADY_PROCESSED')
  expect((await ask(`/withdrawals/${String(id)}`, { key })).json['status']).toBe('Completed')
})
