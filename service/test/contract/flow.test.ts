import { createHmac, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Json, ask, query, until } from './world/ask.ts'
import { EVENT_PAYLOADS, Envelope } from './world/event-shapes.ts'
import { personOf, tenantOf, theWorld } from './world/given.ts'
import { listening } from './world/listen.ts'
import { payerOf } from './world/pay.ts'
import { expectRefusal } from './world/refusal.ts'
import { Account, Deposit, list, object } from './world/shapes.ts'
import { codeOf } from './world/sign-in.ts'
import { CHAIN } from './world/state.ts'

const flow = tenantOf('flow')
const key = flow.apiKey
const { coin, usd, limited } = theWorld().tokens
const payer = payerOf(3)
const ears = listening('flow')
const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7'

beforeAll(() => ears.aim(flow))

function depositAddress(parameters: Record<string, string>) {
  const whole = { chainId: CHAIN, tokenId: usd, userId: 'ann', ...parameters }
  return ask(`/payments/deposit-address${query(whole)}`, { key })
}

async function addressOf(userId: string): Promise<string> {
  const { json } = await depositAddress({ userId })
  const { properties } = json['address'] as { properties: { address: string } }
  return properties.address
}

async function depositsOf(userId: string): Promise<Json[]> {
  const { status, json } = await ask(`/payments/${userId}/deposits`, { key })
  expect(status).toBe(200)
  return json['deposits'] as Json[]
}

function untilDeposit(userId: string, status: string): Promise<Json> {
  return until(`a deposit of ${userId} ${status}`, async () => {
    return (await depositsOf(userId)).find((one) => one['status'] === status) ?? null
  })
}

describe('a deposit address', () => {
  test('a deposit address is created once (201), then returned for all tokens (200)', async () => {
    const userId = randomUUID()
    const first = await depositAddress({ userId })
    expect(first.status).toBe(201)
    expect(object({ address: Account })(first.json, 'body')).toEqual([])
    expect(first.json['address']).toMatchObject({
      orgId: flow.id,
      chainId: CHAIN,
      externalUserId: userId,
    })
    for (const tokenId of [usd, coin, limited]) {
      const again = await depositAddress({ userId, tokenId })
      expect(again.status).toBe(200)
      expect(again.json).toEqual(first.json)
    }
    const told = await ears.hear('account.created', (one) => one['externalUserId'] === userId)
    const { updatedAt: _updatedAt, ...account } = first.json['address'] as Json
    expect(told.payload).toEqual(account)
  })

  test('a deposit address requested twenty times at once is created once', async () => {
    const userId = randomUUID()
    const answers = await Promise.all(Array.from({ length: 20 }, () => depositAddress({ userId })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  test.each([
    ['BAD_REQUEST', { chainId: CHAIN, tokenId: usd }],
    ['BAD_REQUEST', { chainId: CHAIN, userId: 'ann' }],
    ['BAD_REQUEST', { tokenId: usd, userId: 'ann' }],
    ['INVALID_CHAIN', { chainId: 'eip155:2', tokenId: usd, userId: 'ann' }],
    ['CHAIN_NOT_ENABLED', { chainId: 'eip155:1', tokenId: 'eip155:1/slip44:60', userId: 'ann' }],
    ['INVALID_TOKEN', { chainId: CHAIN, tokenId: `${CHAIN}/slip44:61`, userId: 'ann' }],
    ['INVALID_TOKEN_CHAIN', { chainId: CHAIN, tokenId: 'eip155:1/slip44:60', userId: 'ann' }],
    ['INVALID_USER_ID', { chainId: CHAIN, tokenId: usd, userId: 'x'.repeat(256) }],
  ])('a deposit address is refused with %s for %j', async (code, parameters) => {
    expectRefusal(await ask(`/payments/deposit-address${query(parameters)}`, { key }), code)
  })

  test('a deposit address is in the list of accounts, and under each of its filters', async () => {
    const userId = randomUUID()
    const address = await addressOf(userId)
    for (const filter of [{}, { userId }, { address }, { chainId: CHAIN, userId }]) {
      const { json } = await ask(`/accounts${query(filter)}`, { key })
      expect(object({ accounts: list(Account) })(json, 'body')).toEqual([])
      expect(JSON.stringify(json)).toContain(address)
    }
    const { json } = await ask(`/accounts${query({ chainId: 'eip155:97', userId })}`, { key })
    expect(json).toEqual({ accounts: [] })
  })
})

describe('a deposit', () => {
  test('a deposit is detected, then confirmed, with an event each time', async () => {
    const userId = randomUUID()
    const txnHash = await payer.pay(usd, await addressOf(userId), 2500n)
    const deposit = await untilDeposit(userId, 'Confirmed')
    expect(Deposit(deposit, 'deposit')).toEqual([])
    const known = { txnHash, chainId: CHAIN, accountChainId: CHAIN, tokenId: usd, amount: '2500' }
    expect(deposit).toMatchObject({ ...known, externalUserId: userId, Token: { symbol: 'TUSD' } })
    const { id, index, senderAddress, blockNumber, Token } = deposit
    const same = { ...known, id, index, externalUserId: userId, senderAddress, blockNumber, Token }
    const of = (payload: Json) => payload['id'] === id
    const detected = await ears.hear('deposit.detected', of)
    expect(detected.payload).toEqual({ ...same, status: 'Detected', confirmations: 0 })
    const confirmed = await ears.hear('deposit.confirmed', of)
    const { confirmedAt, requiredConfirmations } = deposit
    expect(confirmed.payload).toMatchObject({ ...same, status: 'Confirmed', confirmedAt })
    expect(confirmed.payload['confirmations']).toBeGreaterThanOrEqual(Number(requiredConfirmations))
    const balance = await ears.hear('balance.updated', (one) => one['referenceId'] === id)
    expect(balance.payload).toMatchObject({ reason: 'deposit', delta: '2500', tokenId: usd })
  })

  test('a deposit is under each filter of the list, and under no other value of it', async () => {
    const userId = randomUUID()
    const txnHash = await payer.pay(coin, await addressOf(userId), 77n)
    const { id, status } = await untilDeposit(userId, 'Confirmed')
    const found: Record<string, string>[] = [
      { userId },
      { txnHash },
      { chainId: CHAIN, userId },
      { tokenId: coin, userId },
      { status: String(status), userId },
      { from: '2020-01-01T00:00:00.000Z', userId },
      { to: '2100-01-01', userId },
    ]
    for (const filter of found) {
      const { json } = await ask(`/payments${query(filter)}`, { key })
      expect(object({ payments: list(Deposit) })(json, 'body')).toEqual([])
      expect([filter, json['payments']]).toMatchObject([filter, [{ id }]])
    }
    const others: Record<string, string>[] = [
      { userId: 'nobody' },
      { txnHash: `0x${'0'.repeat(64)}` },
      { chainId: 'eip155:97', userId },
      { tokenId: usd, userId },
      { status: 'Orphaned', userId },
      { from: '2100-01-01', userId },
      { to: '2020-01-01', userId },
    ]
    for (const filter of others) {
      const { json } = await ask(`/payments${query(filter)}`, { key })
      expect([filter, json]).toEqual([filter, { payments: [] }])
    }
  })

  test('a deposit below the minimum is credited with the one that reaches it', async () => {
    const userId = randomUUID()
    const address = await addressOf(userId)
    await payer.pay(limited, address, 60n)
    const small = await untilDeposit(userId, 'BelowMinimum')
    expect(small['confirmedAt']).toBeNull()
    await payer.pay(limited, address, 40n)
    await until('both confirmed', async () => {
      const deposits = await depositsOf(userId)
      return deposits.length === 2 && deposits.every((one) => one['status'] === 'Confirmed')
        ? true
        : null
    })
  })
})

describe('the events of a withdrawal', () => {
  test('events of a withdrawal arrive in order and shape, signed over the bytes sent', async () => {
    await payer.fund(flow, { [usd]: 10n ** 6n })
    const reference = randomUUID()
    const body = { chainId: CHAIN, tokenId: usd, amount: '500', recipient: RECIPIENT, reference }
    const { json } = await ask('/withdrawals', { key, method: 'POST', body })
    const { id } = json['withdrawal'] as Json
    const completed = await ears.hear('withdrawal.completed', (one) => one['id'] === id)
    expect(completed.payload).toMatchObject({
      toAddress: RECIPIENT,
      status: 'Completed',
      reference,
    })
    const sent = ears.told().filter(({ payload }) => payload['id'] === id)
    const bySequence = sent.toSorted(
      (a, b) => Number(a.envelope['sequence']) - Number(b.envelope['sequence']),
    )
    expect([...new Set(bySequence.map(({ type }) => type))]).toEqual([
      'withdrawal.created',
      'withdrawal.approved',
      'withdrawal.processing',
      'withdrawal.completed',
    ])
  })

  test('a cancellation and a rejection emit events', async () => {
    const path = '/organisation/min-withdrawal-signers'
    await ask(path, { key, method: 'PATCH', body: { minWithdrawalSigners: 2 } })
    const ids: unknown[] = []
    for (const reference of [randomUUID(), randomUUID()]) {
      const body = { chainId: CHAIN, tokenId: usd, amount: '5', recipient: RECIPIENT, reference }
      const { json } = await ask('/withdrawals', { key, method: 'POST', body })
      ids.push((json['withdrawal'] as Json)['id'])
    }
    await ask(`/withdrawals/${String(ids[0])}`, { key, method: 'DELETE' })
    const approver = personOf(flow, 'approver')
    const question = { token: approver.accessToken, method: 'POST' }
    await ask(`/withdrawals/${String(ids[1])}/reject`, {
      ...question,
      body: { totpCode: codeOf(approver), reason: 'no' },
    })
    for (const id of ids) {
      const told = await ears.hear('withdrawal.cancelled', (one) => one['id'] === id)
      expect(told.payload).toMatchObject({ status: 'Cancelled', completedAt: null })
      expect(told.payload['txnError']).toMatch(/^CANCELLED BY \S+$/)
    }
  })
})

describe('every event that arrived', () => {
  test('every event has the envelope of section 6.1 and the exact payload of its type', () => {
    const told = ears.told()
    expect(told.length).toBeGreaterThan(20)
    for (const { type, envelope, payload } of told) {
      expect(Envelope(envelope, type)).toEqual([])
      const shape = EVENT_PAYLOADS[type]
      expect([type, shape?.(payload, type)]).toEqual([type, []])
      expect(envelope['orgId']).toBe(flow.id)
    }
  })

  test('every event is signed by section 6.4 and Standard Webhooks', async () => {
    const { json } = await ask('/organisation', { key })
    const secret = String(json['webhookSigningSecret'])
    for (const { raw, headers, envelope } of ears.told()) {
      const hex = createHmac('sha256', secret).update(raw).digest('hex')
      expect(headers['x-webhook-signature']).toBe(hex)
      expect(headers['webhook-id']).toBe(envelope['id'])
      expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(600)
      expect(ears.receiver().verify({ headers, raw } as never, { secret })).toBeNull()
    }
  })

  test('the sequence numbers of an organization have no gap', async () => {
    const sequences = await until('no gap', async () => {
      const found = new Set(ears.told().map(({ envelope }) => Number(envelope['sequence'])))
      const sorted = [...found].sort((a, b) => a - b)
      const [first = 0] = sorted
      return sorted.every((sequence, at) => sequence === first + at) ? sorted : null
    })
    expect(sequences.length).toBeGreaterThan(20)
  })

  test('events contain no data of other organizations', async () => {
    for (const { raw } of ears.told()) {
      expect(raw.length).toBeLessThan(20_000)
      expect(raw.toString()).not.toContain('internalNote')
    }
  })
})
