import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Answer, type Json, ask, query, until } from './world/ask.ts'
import { tenantOf, theWorld } from './world/given.ts'
import { payerOf } from './world/pay.ts'
import { expectRefusal } from './world/refusal.ts'
import { codeOf, type Person } from './world/sign-in.ts'
import { CHAIN } from './world/state.ts'

const org = tenantOf('month')
const [admin, second] = org.people as [Person, Person]
const { usd, coin } = theWorld().tokens
const payer = payerOf(10)
const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7'
const FUNDED = 1_000n
const PAID_IN = 250n
const PAID_OUT = 400n

const post = (path: string, body: Json, by: { token?: string; key?: string } = {}) =>
  ask(path, { method: 'POST', body, ...by })

function done(answer: Answer, status = 200): Json {
  expect([answer.status, answer.text]).toMatchObject([status, expect.any(String)])
  return answer.json
}

/** Invites an approver, who enrols. */
async function hireApprover(): Promise<{ token: string; totpSecret: string }> {
  const invitation = { username: 'month-eve', role: 'approver', totpCode: codeOf(admin, 0) }
  const invited = done(await post('/users', invitation, { token: admin.accessToken }), 201)
  const { token } = invited['invitation'] as { token: string }
  const { totpSecret } = done(await post('/auth/invitation', { token })) as { totpSecret: string }
  const totpCode = codeOf({ totpSecret }, 0)
  const acceptance = { token, password: 'a long enough password', totpCode }
  const accepted = done(await post('/auth/invitation/accept', acceptance))
  return { token: String(accepted['accessToken']), totpSecret }
}

/** A key for the shop: it reads, issues addresses and requests withdrawals. */
async function makeShopKey(): Promise<string> {
  const scopes = ['read', 'deposits', 'withdrawals']
  const body = { name: 'Shop', scopes, totpCode: codeOf(admin, 1) }
  return String(done(await post('/api-keys', body, { token: admin.accessToken }), 201)['key'])
}

async function payIn(key: string, userId: string): Promise<void> {
  const where = query({ chainId: CHAIN, tokenId: usd, userId })
  const { address } = done(await ask(`/payments/deposit-address${where}`, { key }), 201)
  await payer.pay(usd, Object(address).properties.address, PAID_IN)
  await until('the deposit', async () => {
    const { json } = await ask(`/payments${query({ userId, status: 'Confirmed' })}`, { key })
    return (json['payments'] as Json[]).length > 0 ? true : null
  })
}

test('an organization lives through a month over HTTP: invitation to statement', async () => {
  const eve = await hireApprover()
  const key = await makeShopKey()
  const threshold = { key: org.apiKey, method: 'PATCH', body: { minWithdrawalSigners: 2 } }
  done(await ask('/organisation/min-withdrawal-signers', threshold))
  expectRefusal(
    await ask('/organisation/min-withdrawal-signers', { ...threshold, key }),
    'FORBIDDEN',
  )
  await payer.fund(org, { [usd]: FUNDED })
  await payIn(key, 'month-ann')

  const wish = {
    chainId: CHAIN,
    tokenId: usd,
    amount: String(PAID_OUT),
    recipient: RECIPIENT,
    reference: randomUUID(),
  }
  const { estimate } = done(await post('/withdrawals/estimate', wish, { key }))
  expect(Object(estimate).warnings.map(({ code }: Json) => code)).toContain('FIRST_PAYMENT')
  const created = done(await post('/withdrawals', wish, { key }), 201)['withdrawal'] as Json
  expect(created).toMatchObject({ status: 'PendingApproval' })
  const path = `/withdrawals/${String(created['id'])}`
  const code = (of: { totpSecret: string }, steps: number) => ({ totpCode: codeOf(of, steps) })
  done(await post(`${path}/approve`, code(eve, 1), { token: eve.token }))
  done(await post(`${path}/approve`, code(second, 0), { token: second.accessToken }))
  const paid = await until('the payment', async () => {
    const { json } = await ask(path, { key })
    return json['status'] === 'Completed' ? json : null
  })
  const names = (paid['approvals'] as Json[]).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['month-eve', second.username]))

  const month = new Date().toISOString().slice(0, 7)
  const answer = done(await ask(`/reports/statement${query({ month, chainId: CHAIN })}`, { key }))
  const lines = answer['statement'] as Record<string, string>[]
  expect(lines.find(({ tokenId }) => tokenId === usd)).toMatchObject({
    opening: '0',
    deposits: String(PAID_IN),
    fundings: String(FUNDED),
    withdrawals: String(PAID_OUT),
    fees: '0',
    corrections: '0',
    closing: String(FUNDED + PAID_IN - PAID_OUT),
  })
  const gas = lines.find(({ tokenId }) => tokenId === coin)
  const sum = (...of: string[]) => of.reduce((all, name) => all + BigInt(gas?.[name] ?? 0), 0n)
  expect(sum('opening', 'deposits', 'fundings', 'corrections') - sum('withdrawals', 'fees')).toBe(
    sum('closing'),
  )
  expect(sum('fees')).toBeGreaterThan(0n)

  const csv = { headers: { accept: 'text/csv' }, key }
  const files = [
    '/payments',
    '/withdrawals',
    '/ledger-entries',
    `/reports/statement?month=${month}`,
  ]
  for (const file of files) {
    const { status, text, headers } = await ask(file, csv)
    expect([file, status, headers['content-type']]).toEqual([file, 200, 'text/csv; charset=utf-8'])
    expect(text.trimEnd().split('\r\n').length).toBeGreaterThan(1)
  }
  const log = done(await ask('/audit-log', { token: admin.accessToken }))['entries'] as Json[]
  const actions = log.map(({ action }) => action)
  expect(actions).toEqual(expect.arrayContaining(['user.invite', 'api-key.create']))

  const rotation = { token: second.accessToken, method: 'PATCH', body: code(second, 1) }
  const fresh = String(done(await ask('/organisation/api-key', rotation))['apiKey'])
  expectRefusal(await ask('/portfolio', { key: org.apiKey }), 'INVALID_API_KEY')
  for (const working of [fresh, key]) done(await ask('/portfolio', { key: working }))
})
