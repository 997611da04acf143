import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answered, refusalIn, SEPOLIA, USDT } from '../../test/support/door.ts'
import { type Desk, openDesk, type Signer } from '../../test/support/withdrawal-desk.ts'
import { pendingThresholds } from './approve/pending-thresholds.ts'

let desk: Desk
let ann: Signer
let ben: Signer
beforeAll(async () => {
  desk = await openDesk()
  ann = await desk.signer()
  ben = await desk.signer()
})
afterAll(() => desk.close())
beforeEach(async () => {
  await desk.tamper("update withdrawals set status = 'Cancelled' where status like 'Pending%'")
  await desk.tamper("update spends set state = 'Settled'")
  await desk.fund(1_000n)
  await desk.addGas(10n ** 9n)
  await desk.threshold(2)
})

/** An attacker who writes to the database without the seed and the service key. */
const FIELDS: [what: string, change: string][] = [
  ['byte of the recipient', "recipient = overlay(recipient placing 'f' from 42 for 1)"],
  ['recipient', `recipient = '0x${'e1'.repeat(20)}'`],
  ['amount', 'amount = amount + 1'],
  ['token', `token_id = '${USDT}'`],
  ['memo', "memo = 'x'"],
  ['reference', "reference = 'x'"],
  ['internal note', "internal_note = 'x'"],
  ['end user', "external_user_id = 'x'"],
  ['number of approvals', 'required_approvals = 1'],
  ['number of people', 'required_humans = 1'],
  ['time of creation', "created_at = created_at + interval '1 ms'"],
  ['MAC', "mac = sha256('x')"],
  ['initiator', `initiator = (select id from users where role = 'approver' limit 1)`],
]

/** Values that no request can contain. */
const NONSENSE: [what: string, change: string][] = [
  ['chain', "chain_id = 'x'"],
  ['token', "token_id = 'x'"],
  ['recipient', "recipient = 'x'"],
]
/** Statuses of a withdrawal before an attacker resets them. */
const PASTS = ['Processing', 'Cancelled', 'Completed', 'Failed'] as const
const TOLD = /neither signs nor changes it.*Ask the operator.*withdrawal\.tampered/

describe('a tampered database', () => {
  test.each(FIELDS)(
    'a changed %s of an approved withdrawal prevents its signature [A13]',
    async (_what, change) => {
      const id = await approved()
      await desk.tamper(`update withdrawals set ${change} where id = '${id}'`)
      await expectNothingSigned(id)
    },
  )

  test('a changed chain prevents a signature on the new chain [A13]', async () => {
    const id = await approved()
    await desk.tamper(`update withdrawals set chain_id = '${SEPOLIA}' where id = '${id}'`)
    expect(await desk.tick()).toBe(0)
    const [one] = await signedFor(id)
    expect(one).toBeUndefined()
  })

  test('A13 a status of Pending that was never reached', async () => {
    const id = await desk.created()
    await desk.tamper(`update withdrawals set status = 'Pending' where id = '${id}'`)
    await expectNothingSigned(id)
  })

  test('a forged approval prevents the signature [A13]', async () => {
    const id = await desk.created()
    await forgeApproval(ann, [id])
    await desk.tamper(`update withdrawals set status = 'Pending' where id = '${id}'`)
    await expectNothingSigned(id)
  })

  test('A13 an approval moved from another withdrawal', async () => {
    const id = await desk.created()
    const other = await approved()
    await desk.tamper(`
      update withdrawal_approvals set withdrawal_id = '${id}'
       where withdrawal_id = '${other}' and user_id = '${ann.userId}';
      update withdrawals set status = 'Pending' where id = '${id}'`)
    await expectNothingSigned(id)
    expect(await desk.read(other)).toMatchObject({ status: 'Pending', txnHash: null })
  })

  test('A13 the approvals of two withdrawals, swapped', async () => {
    const [one, other, third] = [await approved(), await approved(), await desk.created()]
    const move = (from: string, to: string) => `
      update withdrawal_approvals set withdrawal_id = '${to}'
       where withdrawal_id = '${from}' and user_id = '${ann.userId}';`
    await desk.tamper(`
      drop index withdrawal_approvals_standing;
      ${move(one, third)} ${move(other, one)} ${move(third, other)}`)
    await expectNothingSigned(one)
    await expectNothingSigned(other)
  })

  test('A13 an approval made younger than it is', async () => {
    const id = await approved()
    await desk.tamper(`
      update withdrawal_approvals set created_at = created_at + interval '1 hour'
       where withdrawal_id = '${id}' and user_id = '${ann.userId}'`)
    await expectNothingSigned(id)
  })

  test('A13 a user made an approver', async () => {
    const viewer = await desk.signer('operator')
    const id = await approved()
    await desk.tamper(`
      update withdrawal_approvals set user_id = '${viewer.userId}'
       where withdrawal_id = '${id}' and user_id = '${ann.userId}';
      update users set role = 'approver' where id = '${viewer.userId}'`)
    await expectNothingSigned(id)
  })

  test('A11 a disabled user made active again', async () => {
    const dan = await desk.signer()
    const id = await desk.created()
    await dan.approve(id)
    await desk.tamper(`update users set mac = sha256('x') where id = '${dan.userId}'`)
    await expectNothingSigned(id)
  })

  test.each(PASTS)(
    'A13 one that was %s, made pending again: it is not paid a second time',
    async (was) => {
      const id = await brought(was)
      const signed = await signedFor(id)
      await desk.tamper(`
        update withdrawals set status = 'Pending', spend_id = null, txn_hash = null
         where id = '${id}'`)
      expect(await desk.tick()).toBe(0)
      expect(await signedFor(id)).toEqual(signed)
      expect(await desk.alerts('withdrawal.tampered')).toContain(id)
      expect(await desk.read(id)).toMatchObject({ status: 'Pending', txnHash: null })
    },
  )

  test.each(PASTS)('a withdrawal reset from %s releases no amount [A13]', async (was) => {
    const id = await brought(was)
    const stood = await standing()
    const told = await toldOf(id)
    await resetTo('Pending', id)
    expectTold(id, await cancel(id))
    await resetTo('PendingApproval', id)
    expectTold(id, await cancel(id))
    expectTold(id, await reject(id))
    expect(await standing()).toEqual(stood)
    expect(await toldOf(id)).toEqual(told)
    expect(await desk.read(id)).toMatchObject({ status: 'PendingApproval' })
    expect(await desk.alerts('withdrawal.tampered')).toContain(id)
    expect(await met(id)).toEqual([desk.apiUserId, desk.apiUserId, ann.userId])
  })

  test('A13 one on its way that was not called off is paid, and its chain goes on', async () => {
    const id = await brought('Processing')
    await resetTo('Pending', id)
    expectTold(id, await cancel(id))
    const [available, reserved] = await standing()
    await desk.settle(id, true)
    expect(await standing()).toEqual([available, reserved - 60n])
  })

  test.each(PASTS)(
    'an approval of a withdrawal reset from %s pays no recipient [A13]',
    async (was) => {
      const id = await brought(was)
      const signed = await signedFor(id)
      const stood = await standing()
      await resetTo('PendingApproval', id)
      expect((await ben.approve(id)).json).toMatchObject({ withdrawal: { status: 'Pending' } })
      expect(await desk.tick()).toBe(0)
      expect(await signedFor(id)).toEqual(signed)
      expect(await standing()).toEqual(stood)
      expect(await desk.alerts('withdrawal.tampered')).toContain(id)
    },
  )

  test('a withdrawal cancelled during its quote does not fail as well [A13]', async () => {
    const id = await approved()
    const stood = await standing()
    const { quote } = desk.chain
    desk.chain.quote = async () => {
      expect(await cancel(id)).toMatchObject({ status: 200 })
      await resetTo('Pending', id)
      return { ok: false, code: 'RECIPIENT_REFUSES', message: 'no', details: {} }
    }
    try {
      expect(await desk.tick()).toBe(0)
    } finally {
      desk.chain.quote = quote
    }
    expect(await standing()).toEqual([stood[0] + 60n, stood[1] - 60n])
    expect(await desk.read(id)).toMatchObject({ status: 'Pending' })
    await desk.tick()
    expect(await desk.alerts('withdrawal.tampered')).toContain(id)
  })

  test('a tampered withdrawal stays unchanged, and the others are paid [A13]', async () => {
    const bad = await approved()
    const good = await approved()
    await desk.tamper(`update withdrawals set amount = 61 where id = '${bad}'`)
    expect(await desk.tick()).toBe(1)
    expect(await desk.read(good)).toMatchObject({ status: 'Processing' })
    expect(await desk.read(bad)).toMatchObject({ status: 'Pending' })
  })

  test('a withdrawal with a changed amount is neither approved nor released [A13]', async () => {
    const id = await desk.created()
    const available = await desk.available()
    await desk.tamper(`update withdrawals set amount = 70 where id = '${id}'`)
    expectTold(id, await ann.approve(id))
    expectTold(id, await reject(id))
    expectTold(id, await cancel(id))
    expect(await desk.available()).toBe(available)
    expect(await desk.read(id)).toMatchObject({ status: 'PendingApproval' })
    expect(await desk.alerts('withdrawal.tampered')).toContain(id)
    expect(await met(id)).toEqual([ann.userId, ann.userId, desk.apiUserId])
  })

  test('A13 a forged approval is noticed by the next one, whose code is not used up', async () => {
    const [bad, good] = [await desk.created(), await desk.created()]
    await desk.threshold(3)
    const waiting = await desk.created()
    await forgeApproval(ben, [bad, waiting])
    const totpCode = await ann.code()
    expectTold(waiting, await ann.ask(`/withdrawals/${waiting}/approve`, 'POST', { totpCode }))
    const ids = [bad, good]
    const several = await ann.ask('/withdrawals/approve', 'POST', { ids, totpCode })
    expect(several).toMatchObject({
      status: 200,
      json: {
        withdrawals: [{ id: good, status: 'Pending' }],
        refused: [{ id: bad, error: 'INTERNAL_ERROR', message: expect.stringMatching(TOLD) }],
      },
    })
    expect(await desk.alerts('withdrawal.tampered')).toEqual(expect.arrayContaining([bad, waiting]))
    expect(await met(bad)).toEqual([ann.userId])
    expect(await desk.read(bad)).toMatchObject({ status: 'PendingApproval' })
  })

  test('a user gets no confirmation of a forged approval [A13]', async () => {
    const id = await desk.created()
    await forgeApproval(ann, [id])
    await desk.tamper(`update withdrawals set status = 'Pending' where id = '${id}'`)
    const totpCode = await ann.code()
    expectTold(id, await ann.ask(`/withdrawals/${id}/approve`, 'POST', { totpCode }))
    expect(await desk.alerts('withdrawal.tampered')).toContain(id)
  })

  test.each(NONSENSE)(
    'a changed %s is reported, and lists stay readable [A13]',
    async (_what, change) => {
      const id = await desk.created()
      await desk.tamper(`update withdrawals set ${change} where id = '${id}'`)
      expectTold(id, await desk.door.ask(`/withdrawals/${id}`))
      expect(await desk.door.ask('/withdrawals?status=PendingApproval')).toMatchObject({
        status: 200,
        json: { withdrawals: [{ id }] },
      })
    },
  )

  test('thresholds are listed for pending withdrawals only [A12]', async () => {
    const id = await desk.created()
    const over = await desk.created()
    await desk.door.ask(`/withdrawals/${over}`, { method: 'DELETE' })
    const known = await desk.door.harness.database.transaction((tx) =>
      pendingThresholds(tx, desk.serviceKey, { orgId: desk.orgId, moreThan: 1 }),
    )
    expect(known).toEqual([{ withdrawalId: id, requiredApprovals: 2, authentic: true }])
  })
})

/** The refusal of a tampered withdrawal, not that of a bug. */
function expectTold(id: string, answer: Answered): void {
  expect(refusalIn(answer)).toMatchObject({
    error: 'INTERNAL_ERROR',
    statusCode: 500,
    message: expect.stringMatching(TOLD),
    details: { id, reason: 'tampered' },
  })
}

/** Actors who found the tampering, from the audit log. */
async function met(id: string): Promise<string[]> {
  const rows = await desk.rows(`
    select actor from audit_log
     where action = 'withdrawal.tampered' and object = '${id}' order by id`)
  return rows.map(({ actor }) => String(actor).replace('user:', ''))
}

function cancel(id: string): Promise<Answered> {
  return desk.door.ask(`/withdrawals/${id}`, { method: 'DELETE' })
}

async function reject(id: string): Promise<Answered> {
  const body = { totpCode: await ann.code(), reason: 'no' }
  return ann.ask(`/withdrawals/${id}/reject`, 'POST', body)
}

function resetTo(status: 'Pending' | 'PendingApproval', id: string): Promise<void> {
  return desk.tamper(`update withdrawals set status = '${status}' where id = '${id}'`)
}

/** Available and reserved amounts of the organization. */
async function standing(): Promise<[available: bigint, reserved: bigint]> {
  return [await desk.available(), await desk.reserved()]
}

async function toldOf(id: string): Promise<string[]> {
  const told = await desk.told()
  return told.flatMap(({ type, payload }) =>
    [payload['id'], payload['referenceId']].includes(id) ? [type] : [],
  )
}

/** A withdrawal that was approved, and has come so far in the way that the service knows. */
async function brought(status: (typeof PASTS)[number]): Promise<string> {
  const id = await approved()
  if (status === 'Cancelled') await cancel(id)
  else expect(await desk.tick()).toBe(1)
  if (status === 'Completed') await desk.settle(id, true)
  if (status === 'Failed') await desk.settle(id, false)
  expect(await desk.read(id)).toMatchObject({ status })
  return id
}

/** Writes an approval with the MAC of another user. */
function forgeApproval({ userId }: Signer, ids: readonly string[]): Promise<void> {
  return desk.tamper(`
    insert into withdrawal_approvals
      (org_id, id, withdrawal_id, user_id, totp_step, mac, created_at)
    select org_id, gen_random_uuid(), withdrawal_id, '${userId}', 1, mac, created_at
      from withdrawal_approvals where withdrawal_id in ('${ids.join("', '")}')`)
}

async function approved(): Promise<string> {
  const id = await desk.created()
  expect((await ann.approve(id)).json).toMatchObject({ withdrawal: { status: 'Pending' } })
  return id
}

/** Two rounds: the first raises an alert, and both sign no payment. */
async function expectNothingSigned(id: string): Promise<void> {
  expect(await desk.tick()).toBe(0)
  expect(await desk.alerts('withdrawal.tampered')).toContain(id)
  expect(await desk.tick()).toBe(0)
  expect(await signedFor(id)).toEqual([])
  expect(await desk.read(id)).toMatchObject({ status: 'Pending', txnHash: null })
}

async function signedFor(id: string): Promise<string[]> {
  const found = await desk.rows(`select txn_hash from spends where subject_id = '${id}'`)
  return found.map((row) => String(row['txn_hash']))
}
