import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Answered, refusalIn } from '../../../test/support/door.ts'
import { type Desk, openDesk, type Signer } from '../../../test/support/withdrawal-desk.ts'
import { disableUser } from '../../orgs/change-user.ts'
import { setMinHumans } from '../../orgs/signers.ts'
import { totpStepAt } from '../../orgs/totp.ts'
import { approveWithdrawal, proveByCode } from './approve.ts'
import { pendingThresholds } from './pending-thresholds.ts'

const HOUR_MS = 3_600_000

let desk: Desk
let ann: Signer
let ben: Signer
let cem: Signer
beforeAll(async () => {
  desk = await openDesk()
  await desk.fund(100_000n)
  ann = await desk.signer()
  ben = await desk.signer()
  cem = await desk.signer('admin')
})
afterAll(() => desk.close())
beforeEach(() => desk.threshold(3))

describe('approvals', () => {
  test('A08 the worked example: three are needed, the third releases', async () => {
    const id = await createdBy(ann)
    expect(await desk.read(id)).toMatchObject({
      status: 'PendingApproval',
      approvers: [ann.userId],
    })
    expect((await ben.approve(id)).json['withdrawal']).toMatchObject({
      status: 'PendingApproval',
      approvers: [ann.userId, ben.userId],
    })
    expect((await cem.approve(id)).json['withdrawal']).toMatchObject({
      status: 'Pending',
      approvers: [ann.userId, ben.userId, cem.userId],
      requiredApprovals: 3,
    })
    const told = (await desk.told()).filter(({ payload }) => payload['id'] === id)
    expect(told.map(({ type }) => type)).toEqual(['withdrawal.created', 'withdrawal.approved'])
    expect(told[1]?.payload).toMatchObject({
      status: 'Pending',
      initiator: ann.userId,
      approvedBy: [ann.userId, ben.userId, cem.userId],
    })
  })

  test('A06 to approve twice changes nothing, and uses up no code', async () => {
    const id = await createdBy(ann)
    await ben.approve(id)
    const before = await desk.read(id)
    const again = await ben.ask(`/withdrawals/${id}/approve`, 'POST', { totpCode: '000000' })
    expect(again).toMatchObject({
      status: 200,
      json: { withdrawal: { status: 'PendingApproval' } },
    })
    expect(await desk.read(id)).toEqual(before)
    await cem.approve(id)
    expect(await ben.approve(id)).toMatchObject({ json: { withdrawal: { status: 'Pending' } } })
  })

  test('A07 the initiator is the first approver and is not counted again', async () => {
    const id = await createdBy(ann)
    expect((await ann.approve(id)).json['withdrawal']).toMatchObject({
      status: 'PendingApproval',
      approvers: [ann.userId],
    })
  })

  test('A07 a person is another voice than the key that the same person used', async () => {
    await desk.threshold(2)
    const id = await desk.created()
    expect((await ann.approve(id)).json['withdrawal']).toMatchObject({
      status: 'Pending',
      approvers: [desk.apiUserId, ann.userId],
    })
  })

  test('A07 where people are asked for, a key alone releases nothing', async () => {
    await desk.threshold(1)
    await requireHumans(1)
    const byKey = await desk.created()
    await requireHumans(2)
    const needsTwo = await desk.created()
    await requireHumans(1)
    const byAnn = await createdBy(ann)
    await requireHumans(0)
    expect(await desk.read(byKey)).toMatchObject({ status: 'PendingApproval' })
    expect(await desk.read(byAnn)).toMatchObject({ status: 'Pending', approvers: [ann.userId] })
    const standing = await desk.door.harness.database.transaction((tx) =>
      pendingThresholds(tx, desk.serviceKey, { orgId: desk.orgId, moreThan: 1 }),
    )
    expect(standing).toContainEqual({
      withdrawalId: needsTwo,
      requiredApprovals: 2,
      authentic: true,
    })
    expect((await ben.approve(byKey)).json['withdrawal']).toMatchObject({ status: 'Pending' })
    const first = (await ben.approve(needsTwo)).json['withdrawal']
    expect(first).toMatchObject({ status: 'PendingApproval' })
    expect((await cem.approve(needsTwo)).json['withdrawal']).toMatchObject({ status: 'Pending' })
  })

  test('a withdrawal records the required approvals and the required people [A07]', async () => {
    await desk.threshold(2, 2)
    const id = await desk.created()
    const waiting = {
      status: 'PendingApproval',
      approvers: [desk.apiUserId, ben.userId],
      requiredApprovals: 2,
      requiredHumans: 2,
    }
    expect((await ben.approve(id)).json['withdrawal']).toMatchObject(waiting)
    expect((await ben.ask(`/withdrawals/${id}`, 'GET')).json).toMatchObject(waiting)
    await desk.threshold(1)
    const withoutPeople = await desk.created()
    expect((await ben.ask(`/withdrawals/${withoutPeople}`, 'GET')).json).toMatchObject({
      status: 'Pending',
      requiredHumans: 0,
    })
  })

  test('S11 an API key, a viewer and an operator may not approve', async () => {
    const id = await createdBy(ann)
    const path = `/withdrawals/${id}/approve`
    const body = JSON.stringify({ totpCode: '000000' })
    const headers = { 'content-type': 'application/json' }
    const byKey = await desk.door.ask(path, { method: 'POST', body, headers })
    expect(refusalIn(byKey)).toMatchObject({
      error: 'FORBIDDEN',
      details: { required: 'approveWithdrawals' },
    })
    const operator = await desk.signer('operator')
    expect(refusalIn(await operator.approve(id))).toMatchObject({
      error: 'FORBIDDEN',
      details: { required: 'approveWithdrawals' },
    })
  })

  test('S09 what is not there, or another organization’s, is not found', async () => {
    await desk.threshold(2)
    const id = await createdBy(ann)
    for (const unknown of ['nonsense', id.replace(/.$/, 'x'), id.replace(/^./, 'f')]) {
      expect(refusalIn(await ben.approve(unknown)).error).toBe('WITHDRAWAL_NOT_FOUND')
    }
    const path = `/withdrawals/${id}`
    const asOther = { key: desk.door.b.key }
    expect(refusalIn(await desk.door.ask(path, asOther)).error).toBe('WITHDRAWAL_NOT_FOUND')
    const gone = await desk.door.ask(path, { ...asOther, method: 'DELETE' })
    expect(refusalIn(gone).error).toBe('WITHDRAWAL_NOT_FOUND')
  })

  test('A09 what is cancelled or released takes no more approvals', async () => {
    const id = await createdBy(ann)
    await desk.door.ask(`/withdrawals/${id}`, { method: 'DELETE' })
    expect(refusalIn(await ben.approve(id)).error).toBe('WITHDRAWAL_NOT_PENDING')
    await desk.threshold(1)
    const released = await createdBy(ann)
    expect(refusalIn(await ben.approve(released))).toMatchObject({
      error: 'WITHDRAWAL_NOT_PENDING',
      details: { status: 'Pending' },
    })
    await desk.tamper(`update withdrawals set status = 'Processing' where id = '${released}'`)
    expect(refusalIn(await ben.approve(released)).error).toBe('WITHDRAWAL_ALREADY_PROCESSED')
  })

  test('approval refuses a wrong code and a used code [S03]', async () => {
    const id = await createdBy(ann)
    const send = (totpCode: string) => ben.ask(`/withdrawals/${id}/approve`, 'POST', { totpCode })
    expect(refusalIn(await send('12345')).error).toBe('INVALID_TOTP')
    const code = await ben.code()
    const other = await createdBy(ann)
    await ben.ask(`/withdrawals/${other}/approve`, 'POST', { totpCode: code })
    expect(refusalIn(await send(code))).toMatchObject({
      error: 'INVALID_TOTP',
      details: { reason: 'CODE_ALREADY_USED' },
    })
    expect(await desk.read(id)).toMatchObject({ approvers: [ann.userId] })
  })

  test('S03 the code is looked at only after existence and state', async () => {
    const code = await ben.code()
    await desk.threshold(1)
    const released = await createdBy(ann)
    for (const id of ['nothing', released]) {
      const answer = await ben.ask(`/withdrawals/${id}/approve`, 'POST', { totpCode: code })
      expect(answer.status).not.toBe(401)
    }
    await desk.threshold(2)
    const id = await createdBy(ann)
    const used = await ben.ask(`/withdrawals/${id}/approve`, 'POST', { totpCode: code })
    expect(used).toMatchObject({ status: 200, json: { withdrawal: { status: 'Pending' } } })
  })

  test('S04 an answer without a code clears no count of wrong ones', async () => {
    const dan = await desk.signer()
    const mine = await createdBy(ann)
    await dan.approve(mine)
    const id = await createdBy(ann)
    const answers: number[] = []
    for (let guess = 0; guess < 12; guess += 1) {
      const wrong = { totpCode: `${guess}x` }
      answers.push((await dan.ask(`/withdrawals/${id}/approve`, 'POST', wrong)).status)
      await dan.ask(`/withdrawals/${mine}/approve`, 'POST', wrong)
    }
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
  })
})

describe('cancelling', () => {
  test('the event names the users who approved at the same moment [A10]', async () => {
    const id = await createdBy(ann)
    const given = {
      catalogue: desk.door.deps.catalogue,
      orgId: desk.orgId,
      userId: ben.userId,
      id,
    }
    const cancelling: Promise<Answered>[] = []
    await desk.database.transaction(async (tx) => {
      const prove = proveByCode(async () => totpStepAt(tx.clock.now()))
      await approveWithdrawal(tx, desk.serviceKey, { ...given, maxAgeMs: HOUR_MS }, prove)
      cancelling.push(ann.ask(`/withdrawals/${id}`, 'DELETE'))
      await vi.waitFor(async () => expect(await desk.waiting()).toBe(1), 10_000)
    })
    expect(await Promise.all(cancelling)).toMatchObject([{ status: 200 }])
    const { approvers, status } = await desk.read(id)
    expect([status, approvers]).toEqual(['Cancelled', [ann.userId, ben.userId]])
    const told = (await desk.told('withdrawal.cancelled')).filter(
      ({ payload }) => payload['id'] === id,
    )
    expect(told.map(({ payload }) => payload['approvedBy'])).toEqual([approvers])
  })
})

describe('rejecting', () => {
  test('A09 it cancels, gives the amount back and keeps the reason', async () => {
    const id = await createdBy(ann)
    const available = await desk.available()
    const body = { totpCode: await ben.code(), reason: 'not ours' }
    const answer = await ben.ask(`/withdrawals/${id}/reject`, 'POST', body)
    expect(answer.json['withdrawal']).toMatchObject({
      status: 'Cancelled',
      txnError: `CANCELLED BY ${ben.userId}`,
    })
    expect(await desk.available()).toBe(available + 60n)
    const again = { totpCode: await ben.code(), reason: '' }
    const late = await ben.ask(`/withdrawals/${id}/reject`, 'POST', again)
    expect(refusalIn(late).error).toBe('WITHDRAWAL_NOT_PENDING')
    expect((await desk.told('withdrawal.cancelled')).at(-1)?.payload).toMatchObject({ id })
  })

  test('S03 it needs a fresh code', async () => {
    const id = await createdBy(ann)
    const answer = await ben.ask(`/withdrawals/${id}/reject`, 'POST', { totpCode: '1' })
    expect(refusalIn(answer).error).toBe('INVALID_TOTP')
    expect(await desk.read(id)).toMatchObject({ status: 'PendingApproval' })
  })
})

describe('approving several', () => {
  test('A06 one code approves all that can be, and says why others cannot', async () => {
    await desk.threshold(2)
    const ids = [await createdBy(ann), await createdBy(ann)]
    const cancelled = await createdBy(ann)
    await desk.door.ask(`/withdrawals/${cancelled}`, { method: 'DELETE' })
    const named = [ids[0], cancelled, 'nonsense', ids[1]]
    const body = { ids: named, totpCode: await ben.code() }
    const { json, status } = await ben.ask('/withdrawals/approve', 'POST', body)
    expect(status).toBe(200)
    expect(json).toMatchObject({
      withdrawals: ids.map((id) => ({ id, status: 'Pending' })),
      refused: [
        { id: cancelled, error: 'WITHDRAWAL_NOT_PENDING' },
        { id: 'nonsense', error: 'WITHDRAWAL_NOT_FOUND' },
      ],
    })
  })

  test('a wrong code approves no withdrawal of several [S03]', async () => {
    const ids = [await createdBy(ann), await createdBy(ann)]
    const answer = await ben.ask('/withdrawals/approve', 'POST', { ids, totpCode: '1' })
    expect(refusalIn(answer).error).toBe('INVALID_TOTP')
    for (const id of ids) expect(await desk.read(id)).toMatchObject({ approvers: [ann.userId] })
  })

  test.each([[[]], [['a', 'a']], [Array.from({ length: 101 }, (_, at) => `${at}`)]])(
    'V08 a list of none, of one twice, or of too many is a bad request',
    async (ids) => {
      const answer = await ben.ask('/withdrawals/approve', 'POST', { ids, totpCode: '1' })
      expect(refusalIn(answer)).toMatchObject({ error: 'BAD_REQUEST', details: { field: 'ids' } })
    },
  )
})

describe('approvals that no longer count', () => {
  test('A11 an approver who is disabled before the release does not count in it', async () => {
    const dan = await desk.signer()
    const id = await createdBy(ann)
    await dan.approve(id)
    await disable(dan.userId)
    const standing = await desk.door.harness.database.transaction((tx) =>
      pendingThresholds(tx, desk.serviceKey, { orgId: desk.orgId, moreThan: 1 }),
    )
    expect(standing).toContainEqual({ withdrawalId: id, requiredApprovals: 3, authentic: true })
    expect((await ben.approve(id)).json['withdrawal']).toMatchObject({
      status: 'PendingApproval',
      approvers: [ann.userId, ben.userId],
    })
    expect((await cem.approve(id)).json['withdrawal']).toMatchObject({ status: 'Pending' })
  })

  test('A17 an approval older than it may be is void, and can be given again', async () => {
    const id = await createdBy(ann)
    await ben.approve(id)
    await desk.door.harness.clock.advance(25 * HOUR_MS)
    const [erin, later] = [await desk.signer(), await desk.signer()]
    expect((await erin.approve(id)).json['withdrawal']).toMatchObject({
      status: 'PendingApproval',
      approvers: [ann.userId, erin.userId],
    })
    expect((await later.approve(id)).json['withdrawal']).toMatchObject({ status: 'Pending' })
  })
})

async function requireHumans(value: number): Promise<void> {
  const { harness, deps } = desk.door
  const given = { orgId: desk.orgId, value, actor: 'cli:test' }
  await harness.database.transaction((tx) => setMinHumans(tx, deps.serviceKey, given))
}

async function createdBy(signer: Signer): Promise<string> {
  const { withdrawal } = (
    await signer.ask('/withdrawals', 'POST', {
      chainId: 'eip155:1',
      tokenId: 'eip155:1/slip44:60',
      amount: '60',
      recipient: `0x${'ab'.repeat(20)}`,
      reference: desk.door.harness.ids.next(),
    })
  ).json
  return String(Object(withdrawal).id)
}

function disable(user: string): Promise<unknown> {
  const given = { user, actor: 'cli:test' }
  return desk.door.harness.database.transaction((tx) =>
    disableUser(tx, desk.serviceKey, given, pendingThresholds),
  )
}
