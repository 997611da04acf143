import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { type Desk, openDesk, type Signer } from '../../test/support/withdrawal-desk.ts'

let desk: Desk
let ann: Signer
beforeAll(async () => {
  desk = await openDesk()
  ann = await desk.signer()
})
afterAll(() => desk.close())
beforeEach(async () => {
  await desk.fund(1_000n)
  await desk.addGas(10n ** 9n)
  await desk.threshold(2)
})

describe('an attacker with the rights of the service', () => {
  test('reserves the amount of a cancelled withdrawal again without a payment [A13]', async () => {
    const id = await approved()
    const { status } = await desk.door.ask(`/withdrawals/${id}`, { method: 'DELETE' })
    expect(status).toBe(200)
    await setAsideAnew(id)
    await expectNothingSigned(id)
  })

  test('reserves the amount of a failed withdrawal again without a payment [A13]', async () => {
    const id = await approved()
    expect(await desk.tick()).toBe(1)
    await desk.settle(id, false)
    expect(await desk.read(id)).toMatchObject({ status: 'Failed' })
    await hideSignature(id)
    await setAsideAnew(id)
    await expectNothingSigned(id)
  })

  test('reserves a paid amount again without a second payment [A13 W01]', async () => {
    const id = await approved()
    expect(await desk.tick()).toBe(1)
    await desk.settle(id, true)
    expect(await desk.read(id)).toMatchObject({ status: 'Completed' })
    await hideSignature(id)
    await setAsideAnew(id)
    await expectNothingSigned(id)
  })

  test.each([
    'update spends set subject_id = gen_random_uuid()',
    "update spends set recipient = 'x'",
    'update spends set amount = amount + 1',
    'update spends set nonce = nonce + 1',
    'update spend_subjects set subject_id = gen_random_uuid()',
    "update spend_transactions set raw = '\\x00'",
    "update spend_transactions set txn_hash = 'x'",
    'update transaction_coins set coin_vout = 1',
    'update withdrawals set amount = amount + 1',
    'update withdrawal_approvals set user_id = gen_random_uuid()',
    "update events set body = '{}'",
  ])('cannot change signatures, requests or events: %s [A13, W01]', async (statement) => {
    const changed = desk.database.transaction((tx) => tx.run(sql`${sql.raw(statement)}`))
    await expect(changed).rejects.toThrow('permission denied')
  })
})

async function approved(): Promise<string> {
  const id = await desk.created()
  expect((await ann.approve(id)).json).toMatchObject({ withdrawal: { status: 'Pending' } })
  return id
}

/** As if it waited for its payment: repeats the posting that reserved its amount. */
function setAsideAnew(id: string): Promise<void> {
  return desk.tamper(`
    insert into postings (org_id, chain_id, token_id, debit, credit, amount, reason, reversal,
                          reference_id, block_height, created_at)
    select org_id, chain_id, token_id, debit, credit, amount, reason, reversal,
           reference_id, block_height, created_at
      from postings
     where reference_id = '${id}' and reason = 'withdrawal.reserved';
    update withdrawals set status = 'Pending', spend_id = null, txn_hash = null
     where id = '${id}'`)
}

/** Assigns its payment to another withdrawal. */
function hideSignature(id: string): Promise<void> {
  return desk.tamper(`
    update spends set state = 'Settled', subject_id = gen_random_uuid() where subject_id = '${id}'`)
}

async function expectNothingSigned(id: string): Promise<void> {
  expect(await desk.tick()).toBe(0)
  expect(await desk.alerts('withdrawal.tampered')).toContain(id)
  expect(await desk.tick()).toBe(0)
  const signed = await desk.rows(`select txn_hash from spends where subject_id = '${id}'`)
  expect(signed).toEqual([])
  expect(await desk.read(id)).toMatchObject({ status: 'Pending', txnHash: null })
}
