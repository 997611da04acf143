import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Desk, openDesk, type Signer } from '../../../test/support/withdrawal-desk.ts'
import { changeUser } from '../../orgs/change-user.ts'
import type { Role } from '../../orgs/user.ts'

let desk: Desk
let ann: Signer
beforeAll(async () => {
  desk = await openDesk()
  ann = await desk.signer()
  // Any user may leave: enough remain.
  await desk.signer()
})
afterAll(() => desk.close())
beforeEach(async () => {
  await desk.tamper("update withdrawals set status = 'Cancelled' where status like 'Pending%'")
  await desk.tamper("update spends set state = 'Settled'")
  await desk.fund(1_000n)
  await desk.addGas(10n ** 9n)
})

describe('a threshold that changes while a withdrawal is pending', () => {
  test('A12 raised, it holds nothing back that was asked for before', async () => {
    await desk.threshold(1)
    const id = await desk.created()
    await desk.threshold(2)
    const later = await desk.created()
    expect(await desk.tick()).toBe(1)
    expect(await desk.read(id)).toMatchObject({ status: 'Processing', requiredApprovals: 1 })
    expect(await desk.read(later)).toMatchObject({
      status: 'PendingApproval',
      requiredApprovals: 2,
    })
  })

  test('A12 lowered, it releases nothing that was asked for before', async () => {
    await desk.threshold(2)
    const id = await desk.created()
    await desk.threshold(1)
    expect(await desk.tick()).toBe(0)
    expect(await desk.read(id)).toMatchObject({ status: 'PendingApproval', txnHash: null })
    await ann.approve(id)
    expect(await desk.tick()).toBe(1)
  })
})

describe('an approver whose role changes after approving', () => {
  test.each(['viewer', 'operator'] as const)('A11 to %s is not counted any more', async (role) => {
    const dan = await desk.signer()
    await desk.threshold(2)
    const id = await desk.created()
    await dan.approve(id)
    expect(await desk.read(id)).toMatchObject({ status: 'Pending' })
    await become(dan, role)
    expect(await desk.tick()).toBe(0)
    expect(await desk.read(id)).toMatchObject({
      status: 'PendingApproval',
      approvers: [desk.apiUserId],
      txnHash: null,
    })
    await ann.approve(id)
    expect(await desk.tick()).toBe(1)
    expect(await desk.alerts('withdrawal.tampered')).not.toContain(id)
  })

  test('A11 to another that may approve still counts', async () => {
    const dan = await desk.signer()
    await desk.threshold(2)
    const id = await desk.created()
    await dan.approve(id)
    await become(dan, 'admin')
    expect(await desk.tick()).toBe(1)
    expect(await desk.read(id)).toMatchObject({ status: 'Processing' })
  })
})

test('A15 many small ones that the API key asked for all wait for a second signer', async () => {
  await desk.threshold(2)
  const ids: string[] = []
  for (let asked = 0; asked < 25; asked += 1) ids.push(await desk.created({ amount: '1' }))
  for (let rounds = 0; rounds < 3; rounds += 1) expect(await desk.tick()).toBe(0)
  const found = await Promise.all(ids.map((id) => desk.read(id)))
  for (const withdrawal of found) {
    expect(withdrawal).toMatchObject({ status: 'PendingApproval', txnHash: null })
    expect(withdrawal.approvers).toEqual([desk.apiUserId])
  }
  const listed = ids.map((id) => `'${id}'`).join(', ')
  expect(await desk.rows(`select id from spends where subject_id in (${listed})`)).toEqual([])
  expect(await desk.reserved()).toBeGreaterThanOrEqual(25n)
})

function become({ userId: user }: Signer, role: Exclude<Role, 'api'>): Promise<unknown> {
  const given = { user, actor: 'cli:test', role }
  return desk.door.harness.database.transaction((tx) =>
    changeUser(tx, desk.serviceKey, given, async () => []),
  )
}
