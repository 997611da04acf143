import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refusalIn, USDT } from '../../test/support/door.ts'
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

/** Changes that would show an approver another withdrawal. */
const FIELDS: [what: string, change: string][] = [
  ['the recipient', `recipient = '0x${'e1'.repeat(20)}'`],
  ['the amount', 'amount = 1'],
  ['the token', `token_id = '${USDT}'`],
  ['the memo', "memo = 'x'"],
  ['the internal note', "internal_note = 'x'"],
  ['the end user', "external_user_id = 'x'"],
]

describe('an approver who reads one withdrawal', () => {
  test.each(FIELDS)('A13 is never shown %s of another one', async (_what, change) => {
    const id = await desk.created()
    const asked = await kept(id)
    await desk.tamper(`update withdrawals set ${change} where id = '${id}'`)
    const answer = await ann.ask(`/withdrawals/${id}`, 'GET')
    expect(refusalIn(answer)).toMatchObject({
      error: 'INTERNAL_ERROR',
      statusCode: 500,
      message: expect.stringContaining('withdrawal.tampered'),
      details: { id, reason: 'tampered' },
    })
    expect(await desk.alerts('withdrawal.tampered')).toContain(id)
    await desk.tamper(asked)
    expect(await ann.ask(`/withdrawals/${id}`, 'GET')).toMatchObject({
      status: 200,
      json: { id, amount: '60', tokenId: 'eip155:1/slip44:60', memo: null },
    })
  })

  test('raises one alert for many reads of a tampered withdrawal [A13]', async () => {
    const id = await desk.created()
    await desk.tamper(`update withdrawals set amount = 1 where id = '${id}'`)
    for (let times = 0; times < 3; times += 1) await ann.ask(`/withdrawals/${id}`, 'GET')
    const written = await desk.rows(`
      select actor from audit_log where action = 'withdrawal.tampered' and object = '${id}'`)
    expect(written).toEqual([{ actor: `user:${ann.userId}` }])
  })

  test('refuses an unknown withdrawal [S09]', async () => {
    const answer = await ann.ask(`/withdrawals/${desk.door.harness.ids.next()}`, 'GET')
    expect(refusalIn(answer)).toMatchObject({ error: 'WITHDRAWAL_NOT_FOUND' })
  })
})

/** The statement that writes back what was asked for. */
async function kept(id: string): Promise<string> {
  const [row = {}] = await desk.rows(`
    select amount::text, recipient, token_id from withdrawals where id = '${id}'`)
  const { amount, recipient, token_id: tokenId } = row
  return `
    update withdrawals
       set amount = ${String(amount)}, recipient = '${String(recipient)}',
           token_id = '${String(tokenId)}', memo = null, internal_note = null,
           external_user_id = null
     where id = '${id}'`
}
