import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Desk, idIn, openDesk } from '../../test/support/withdrawal-desk.ts'
import { disableUser } from '../orgs/change-user.ts'
import { pendingThresholds } from './approve/pending-thresholds.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
  await desk.fund(1_000n)
  await desk.addGas(10n ** 18n)
  for (let n = 0; n < 2; n += 1) await desk.signer('admin')
})
afterAll(() => desk.close())
beforeEach(() => desk.threshold(2))

const shown = async (id: string) => (await desk.door.ask(`/withdrawals/${id}`)).json

test('a withdrawal shows its approvals with names and times', async () => {
  const id = await desk.created()
  const approver = await desk.signer()
  expect(await approver.approve(id)).toMatchObject({ status: 200 })
  const { approvals, cancellation, createdAt } = await shown(id)
  expect(approvals).toMatchObject([
    { userId: desk.apiUserId, createdAt, voidedAt: null, voidCause: null },
    { userId: approver.userId, name: approver.username, voidedAt: null, voidCause: null },
  ])
  expect(cancellation).toBeNull()
})

test('a void approval is shown with its cause and does not count', async () => {
  const id = await desk.created()
  const approver = await desk.signer()
  expect(await approver.approve(id)).toMatchObject({ status: 200 })
  await desk.door.harness.clock.advance(desk.door.deps.settings.approvalMaxAgeMs + 1)
  await desk.tick()
  const { approvals, approvers, status } = await shown(id)
  expect(status).toBe('PendingApproval')
  expect(approvers).not.toContain(approver.userId)
  const found = Object(approvals) as Record<string, unknown>[]
  const theirs = found.find(({ userId }) => userId === approver.userId)
  expect(theirs).toMatchObject({ voidedAt: expect.any(String), voidCause: expect.any(String) })
  expect(theirs?.['voidCause']).not.toBe('')
})

test('a rejected withdrawal shows who rejected it and why', async () => {
  const approver = await desk.signer()
  for (const reason of ['Wrong address.', undefined]) {
    const id = await desk.created()
    await desk.door.harness.clock.advance(30_000)
    const body = { totpCode: await approver.code(), ...(reason !== undefined && { reason }) }
    const answer = await approver.ask(`/withdrawals/${id}/reject`, 'POST', body)
    expect(answer).toMatchObject({ status: 200 })
    const { cancellation, updatedAt } = await shown(id)
    expect(cancellation).toEqual({
      kind: 'rejected',
      userId: approver.userId,
      name: approver.username,
      at: updatedAt,
      reason: reason ?? '',
    })
  }
})

test('a cancelled withdrawal shows who cancelled it', async () => {
  const id = await desk.created()
  await desk.door.ask(`/withdrawals/${id}`, { method: 'DELETE' })
  expect((await shown(id))['cancellation']).toMatchObject({
    kind: 'cancelled',
    userId: desk.apiUserId,
    reason: null,
  })
})

test('a withdrawal shows the name of the person or API key that created it', async () => {
  const admin = await desk.signer('admin')
  await desk.door.harness.clock.advance(60_000)
  const key = await admin.ask('/api-keys', 'POST', {
    name: 'payroll',
    scopes: ['read', 'withdrawals'],
    totpCode: await admin.code(),
  })
  expect(key.status).toBe(201)
  const operator = await desk.signer('operator')
  const { authorization } = operator
  const byKey = await desk.created()
  const byPayroll = await desk.create({}, { key: String(key.json['key']) })
  const byPerson = await desk.create({}, { key: null, headers: { authorization } })
  expect([byPayroll.status, byPerson.status]).toEqual([201, 201])
  expect(await shown(byKey)).toMatchObject({ initiatorName: 'Default' })
  expect(await shown(idIn(byPayroll.json['withdrawal']))).toMatchObject({
    initiator: desk.apiUserId,
    initiatorName: 'payroll',
  })
  expect(await shown(idIn(byPerson.json['withdrawal']))).toMatchObject({
    initiator: operator.userId,
    initiatorName: operator.username,
  })
})

test('the people who can still approve are the signers whose approval would count', async () => {
  await desk.threshold(3)
  const [admin, approver] = [await desk.signer('admin'), await desk.signer('approver')]
  for (const role of ['viewer', 'operator'] as const) await desk.signer(role)
  const disabled = await desk.signer()
  await desk.database.transaction((tx) =>
    disableUser(
      tx,
      desk.serviceKey,
      { user: disabled.userId, actor: 'cli:test' },
      pendingThresholds,
    ),
  )
  const { authorization } = admin
  const made = await desk.create({}, { key: null, headers: { authorization } })
  const id = idIn(made.json['withdrawal'])
  const eligible = async () => {
    const people = Object((await shown(id))['eligibleApprovers']) as Record<string, unknown>[]
    return new Map(people.map(({ userId, name }) => [userId, name]))
  }
  const before = await eligible()
  expect(before.get(approver.userId)).toBe(approver.username)
  expect(before.has(admin.userId)).toBe(false)
  expect(before.has(disabled.userId)).toBe(false)
  const rows = await desk.rows(`
    select id::text from users where org_id = '${desk.orgId}' and status = 'active'
       and role in ('approver', 'admin') and id <> '${admin.userId}'`)
  expect(new Set(before.keys())).toEqual(new Set(rows.map((row) => row['id'])))
  expect(await approver.approve(id)).toMatchObject({ status: 200 })
  expect([...(await eligible()).keys()]).not.toContain(approver.userId)
  await desk.door.harness.clock.advance(desk.door.deps.settings.approvalMaxAgeMs + 1)
  expect([...(await eligible()).keys()]).toContain(approver.userId)
  await desk.door.ask(`/withdrawals/${id}`, { method: 'DELETE' })
  expect((await eligible()).size).toBe(0)
})
