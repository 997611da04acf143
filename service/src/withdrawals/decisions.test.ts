import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Desk, openDesk } from '../../test/support/withdrawal-desk.ts'

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
