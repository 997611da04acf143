import { randomUUID } from 'node:crypto'
import { rpcClient } from '@sluice/simulator'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Json, ask, query, until } from './world/ask.ts'
import { personOf, tenantOf, theWorld } from './world/given.ts'
import { payerOf } from './world/pay.ts'
import { command } from './world/programs.ts'
import { expectRefusal } from './world/refusal.ts'
import { CancelledWithdrawal, SingleWithdrawal, Withdrawal, list, object } from './world/shapes.ts'
import { codeOf } from './world/sign-in.ts'
import { CHAIN } from './world/state.ts'

const acme = tenantOf('acme')
const key = acme.apiKey
const { coin, usd, limited, off } = theWorld().tokens
const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7'
const NOBODY = '01890a5d-ac96-774b-bcce-b302099a8057'

const payer = payerOf(1)
/** A contract of `revert(0, 0)`. */
const REFUSES_ALL = '0x6460006000fd6000526005601bf3'

beforeAll(() => payer.fund(acme, { [usd]: 10n ** 9n, [coin]: 10n ** 17n, [limited]: 3000n }))

function bodyOf(changes: Json = {}): Json {
  const reference = randomUUID()
  return {
    chainId: CHAIN,
    tokenId: usd,
    amount: '1000',
    recipient: RECIPIENT,
    reference,
    ...changes,
  }
}

function create(changes: Json = {}): Promise<Answer> {
  return ask('/withdrawals', { key, method: 'POST', body: bodyOf(changes) })
}

async function created(changes: Json = {}): Promise<Json> {
  const { status, json } = await create(changes)
  expect({ status, json }).toMatchObject({ status: 201 })
  return json['withdrawal'] as Json
}

async function read(id: unknown): Promise<Json> {
  const { status, json } = await ask(`/withdrawals/${String(id)}`, { key })
  expect(status).toBe(200)
  return json
}

function untilIs(id: unknown, status: string): Promise<Json> {
  return until(`${String(id)} ${status}`, async () => {
    const found = await read(id)
    expectWait(found)
    return found['status'] === status ? found : null
  })
}

describe('POST /withdrawals', () => {
  test('POST /withdrawals with one signer is Pending with one approver', async () => {
    const body = bodyOf({ internalNote: 'for a test', externalUserId: 'ann' })
    const { status, json } = await ask('/withdrawals', { key, method: 'POST', body })
    expect(status).toBe(201)
    expect(object({ withdrawal: Withdrawal })(json, 'body')).toEqual([])
    const { initiator, ...rest } = json['withdrawal'] as Json
    expect(rest).toMatchObject({
      ...body,
      orgId: acme.id,
      status: 'Pending',
      approvers: [initiator],
      requiredApprovals: 1,
      memo: null,
      txnHash: null,
      txnError: null,
      fee: null,
      failureCode: null,
    })
  })

  test('POST /withdrawals by a person records that person as initiator', async () => {
    const { id, accessToken } = personOf(acme, 'operator')
    const body = bodyOf()
    const { status, json } = await ask('/withdrawals', { token: accessToken, method: 'POST', body })
    expect(status).toBe(201)
    expect(json['withdrawal']).toMatchObject({ initiator: id, approvers: [id] })
  })

  test('POST /withdrawals accepts null for optional fields, and exact amounts', async () => {
    const nulls = { memo: null, internalNote: null, externalUserId: null, amount: '1' }
    const withdrawal = await created(nulls)
    expect(withdrawal).toMatchObject(nulls)
  })

  test('a reference is used up by a creation, never by a refusal', async () => {
    const reference = randomUUID()
    expectRefusal(await create({ reference, amount: '0' }), 'INVALID_AMOUNT')
    const { id } = await created({ reference, amount: '7' })
    const again = await create({ reference, amount: '7' })
    expectRefusal(again, 'DUPLICATE_REFERENCE', { existingWithdrawalId: id, sameParameters: true })
    const other = await create({ reference, amount: '8' })
    expectRefusal(other, 'DUPLICATE_REFERENCE', { existingWithdrawalId: id, sameParameters: false })
  })

  test('eight simultaneous requests with one reference create one withdrawal', async () => {
    const body = bodyOf({ amount: '3' })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask('/withdrawals', { key, method: 'POST', body })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 201))
      expectRefusal(answer, 'DUPLICATE_REFERENCE', { sameParameters: true })
  })

  test('POST /withdrawals reports errors in the order of decisions, section 4', async () => {
    const taken = String((await created())['reference'])
    const OFF_CHAIN = 'eip155:1'
    /** From the last check to the first: each line adds a fault that is looked at earlier. */
    const faults: [code: string, changes: Json][] = [
      ['INSUFFICIENT_BALANCE', { amount: '4999', tokenId: limited }],
      ['WITHDRAWAL_ABOVE_MAXIMUM', { amount: '5001' }],
      ['INVALID_RECIPIENT_ADDRESS', { recipient: 'nowhere' }],
      ['INVALID_AMOUNT', { amount: '0' }],
      ['TOKEN_NOT_ENABLED', { tokenId: off }],
      ['INVALID_TOKEN_CHAIN', { tokenId: 'eip155:1/slip44:60' }],
      ['INVALID_TOKEN', { tokenId: 'nothing' }],
      ['CHAIN_NOT_ENABLED', { chainId: OFF_CHAIN }],
      ['INVALID_CHAIN', { chainId: 'eip155:2' }],
      ['DUPLICATE_REFERENCE', { reference: taken }],
      ['BAD_REQUEST', { amount: 1 }],
    ]
    await switchOff(off)
    let changes: Json = {}
    for (const [code, more] of faults) {
      changes = { ...changes, ...more }
      const { json } = await create(changes)
      expect([code, json['error']]).toEqual([code, code])
    }
  })

  test('POST /withdrawals names the valid values in an error', async () => {
    const tooLittle = await create({ tokenId: limited, amount: '99' })
    const details = { provided: '99', minimum: '100' }
    expectRefusal(tooLittle, 'WITHDRAWAL_BELOW_MINIMUM', details)
    const tooMuch = await create({ tokenId: limited, amount: '5001' })
    expectRefusal(tooMuch, 'WITHDRAWAL_ABOVE_MAXIMUM', { provided: '5001', maximum: '5000' })
    const more = { available: '3000', required: '4000' }
    expectRefusal(await create({ tokenId: limited, amount: '4000' }), 'INSUFFICIENT_BALANCE', more)
    const chain = await create({ chainId: 'eip155:2' })
    const chains = { supportedChains: expect.arrayContaining([CHAIN]) }
    expectRefusal(chain, 'INVALID_CHAIN', { providedChainId: 'eip155:2', ...chains })
  })

  test('POST /withdrawals ignores fields that a caller may not set [S14]', async () => {
    const withdrawal = await created({ status: 'Completed', orgId: NOBODY, approvers: [NOBODY] })
    expect(withdrawal).toMatchObject({ status: 'Pending', orgId: acme.id })
    expect(withdrawal['approvers']).not.toContain(NOBODY)
  })
})

/** An operator switches a token off for the organization. */
async function switchOff(tokenId: string): Promise<void> {
  await command(theWorld().config, ['token', 'enable', tokenId, '--org', acme.id, '--off'])
}

/** Value of `waitsFor`. */
const WAITS: Readonly<Record<string, string | null>> = {
  PendingApproval: 'approvals',
  Processing: 'confirmations',
  Completed: null,
  Failed: null,
  Cancelled: null,
}

function expectWait({ status, waitingFor, waitingSince }: Json): void {
  const expected = WAITS[String(status)]
  if (expected !== undefined) expect([status, waitingFor]).toEqual([status, expected])
  expect(waitingSince === null).toBe(waitingFor === null)
}

describe('a withdrawal that was created', () => {
  test('a withdrawal is returned by id, with its token; no end user is an empty text', async () => {
    const { id } = await created()
    const found = await read(id)
    expect(SingleWithdrawal(found, 'body')).toEqual([])
    expect(found).toMatchObject({ id, externalUserId: '', Token: { id: usd, symbol: 'TUSD' } })
  })

  test('an unknown withdrawal is 404', async () => {
    for (const id of [NOBODY, 'nonsense', '%00', '0'])
      for (const method of ['GET', 'DELETE'])
        expectRefusal(await ask(`/withdrawals/${id}`, { key, method }), 'WITHDRAWAL_NOT_FOUND')
  })

  test('a withdrawal is in the list, and under each of its filters', async () => {
    const { id, reference, status } = await created({ externalUserId: 'filtered' })
    const filters = [
      {},
      { reference: String(reference) },
      { externalUserId: 'filtered' },
      { chainId: CHAIN },
      { from: '2020-01-01', to: '2100-01-01' },
    ]
    for (const filter of filters) {
      const { json } = await ask(`/withdrawals${query(filter)}`, { key })
      expect(list(Withdrawal)(json['withdrawals'], 'withdrawals')).toEqual([])
      expect(json['withdrawals']).toContainEqual(expect.objectContaining({ id }))
    }
    const others = [
      { reference: 'nobodys' },
      { externalUserId: 'nobody' },
      { chainId: 'eip155:97' },
      { from: '2100-01-01' },
      { to: '2020-01-01' },
    ]
    for (const filter of others) {
      const { json } = await ask(`/withdrawals${query(filter)}`, { key })
      expect([filter, json]).toEqual([filter, { withdrawals: [] }])
    }
    expect(status).toBe('Pending')
    const { json } = await ask('/withdrawals?status=Completed', { key })
    for (const one of json['withdrawals'] as Json[]) expect(one['status']).toBe('Completed')
    expectRefusal(await ask('/withdrawals?status=Done', { key }), 'BAD_REQUEST')
  })

  test('a withdrawal is paid: Processing with its hash, then Completed with its fee', async () => {
    const { id } = await created({ amount: '1234' })
    const found = await untilIs(id, 'Completed')
    expect(SingleWithdrawal(found, 'body')).toEqual([])
    expect(found['txnHash']).toMatch(/^0x[0-9a-f]{64}$/)
    expect(BigInt(String(found['fee']))).toBeGreaterThan(0n)
    expect(found['txnError']).toBeNull()
    const path = `/withdrawals/${String(id)}`
    expectRefusal(await ask(path, { key, method: 'DELETE' }), 'WITHDRAWAL_NOT_PENDING')
  })

  test('a withdrawal keeps a memo that the chain cannot carry, without sending it', async () => {
    const memo = 'invoice 42 of May'
    const { id } = await created({ amount: '12', memo })
    const { txnHash, ...found } = await untilIs(id, 'Completed')
    expect(found['memo']).toBe(memo)
    const client = rpcClient(theWorld().nodeUrl)
    const sent: Json = await client.call('eth_getTransactionByHash', [txnHash])
    client.close()
    expect(String(sent['input'])).toMatch(/^0xa9059cbb[0-9a-f]{128}$/)
    expect(String(sent['input'])).not.toContain(Buffer.from(memo).toString('hex'))
  })

  test('a withdrawal has its token’s canonical spelling for any case of the request', async () => {
    const lower = usd.replace(/0x\w+$/, (contract) => contract.toLowerCase())
    expect(lower).not.toBe(usd)
    expect(await created({ tokenId: lower, amount: '11' })).toMatchObject({ tokenId: usd })
  })

  test('a withdrawal to a contract that accepts no coins is refused', async () => {
    const recipient = await payer.deploy(REFUSES_ALL)
    const answer = await create({ tokenId: coin, amount: '1000000000000000', recipient })
    expectRefusal(answer, 'INVALID_RECIPIENT_ADDRESS', { chainId: CHAIN, reason: 'refuses' })
  })

  test('a withdrawal fails with a code if the recipient refuses after approval', async () => {
    const [creator, approver] = [personOf(acme, 'admin'), personOf(acme, 'approver')]
    const recipient = await payer.nextContract()
    const body = bodyOf({ tokenId: coin, amount: '1000000000000000', recipient })
    await patchSigners(2)
    const question = { token: creator.accessToken, method: 'POST', body }
    const { status, json } = await ask('/withdrawals', question)
    await patchSigners(1)
    expect({ status, json }).toMatchObject({
      status: 201,
      json: { withdrawal: { status: 'PendingApproval', approvers: [creator.id] } },
    })
    const { id } = json['withdrawal'] as Json
    expect(await payer.deploy(REFUSES_ALL)).toBe(recipient)
    const approved = await ask(`/withdrawals/${String(id)}/approve`, {
      token: approver.accessToken,
      method: 'POST',
      body: { totpCode: codeOf(approver) },
    })
    expect(approved.json).toMatchObject({ withdrawal: { status: 'Pending' } })
    const found = await untilIs(id, 'Failed')
    expect(found['txnError']).toMatch(/./)
    expect(found['failureCode']).toBe('RECIPIENT_REFUSES')
  })

  test('a withdrawal is cancelled once, by any caller', async () => {
    // A withdrawal that waits for its money is not taken up before it can be cancelled.
    await patchSigners(2)
    const { id, status } = await created()
    await patchSigners(1)
    expect(status).toBe('PendingApproval')
    expect(await read(id)).toMatchObject({ waitingFor: 'approvals' })
    const path = `/withdrawals/${String(id)}`
    const { accessToken, id: userId } = personOf(acme, 'admin')
    const answer = await ask(path, { token: accessToken, method: 'DELETE' })
    expect(answer.status).toBe(200)
    expect(object({ withdrawal: CancelledWithdrawal })(answer.json, 'body')).toEqual([])
    expect(answer.json).toMatchObject({ withdrawal: { id, txnError: `CANCELLED BY ${userId}` } })
    expectRefusal(await ask(path, { key, method: 'DELETE' }), 'WITHDRAWAL_NOT_PENDING')
    expect(await read(id)).toMatchObject({ status: 'Cancelled', txnHash: null })
  })
})

async function patchSigners(minWithdrawalSigners: number): Promise<void> {
  const path = '/organisation/min-withdrawal-signers'
  const { status, json } = await ask(path, { key, method: 'PATCH', body: { minWithdrawalSigners } })
  expect({ status, json }).toEqual({ status: 200, json: {} })
}
