import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  ETHEREUM,
  openDoor,
  REGTEST,
  REGTEST_COIN,
  refusalIn,
  SEPOLIA_ETHER,
  toChainId,
  UNREACHED,
  USDT,
  WITHOUT_NODES,
} from '../../../test/support/door.ts'
import { openCatalogue } from '../../catalogue/find.ts'
import { listAudit } from '../../audit-log/list-audit.ts'
import { type Desk, idIn, openDesk, RECIPIENT } from '../../../test/support/withdrawal-desk.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
  await desk.fund(10_000n)
})
afterAll(() => desk.close())
beforeEach(() => desk.threshold(1))

describe('creating a withdrawal', () => {
  test('A19 it is answered as section 2.2 has it, and its amount is reserved', async () => {
    const [available, reserved] = [await desk.available(), await desk.reserved()]
    const body = {
      reference: 'first',
      amount: '60',
      internalNote: 'for Anna',
      externalUserId: 'ann',
    }
    const answer = await desk.create(body)
    expect(answer.status).toBe(201)
    expect(answer.json['withdrawal']).toMatchObject({
      ...body,
      orgId: desk.orgId,
      chainId: ETHEREUM,
      recipient: RECIPIENT,
      status: 'Pending',
      memo: null,
      txnHash: null,
      txnError: null,
      failureCode: null,
      fee: null,
      initiator: desk.apiUserId,
      approvers: [desk.apiUserId],
      requiredApprovals: 1,
    })
    expect(await desk.available()).toBe(available - 60n)
    expect(await desk.reserved()).toBe(reserved + 60n)
  })

  test('created, approved and balance.updated are emitted once, in order [H10]', async () => {
    const id = await desk.created({ amount: '7', internalNote: 'secret' })
    const told = (await desk.told()).filter(({ payload }) =>
      [payload['id'], payload['referenceId']].includes(id),
    )
    expect(told.map(({ type }) => type)).toEqual([
      'withdrawal.created',
      'withdrawal.approved',
      'balance.updated',
    ])
    expect(JSON.stringify(told)).not.toContain('secret')
    const available = await desk.available()
    expect(told[2]?.payload).toMatchObject({
      reason: 'withdrawal',
      delta: '-7',
      balance: available.toString(),
      previousBalance: (available + 7n).toString(),
      referenceId: id,
    })
    expect(String(told[2]?.payload['accountId']).toLowerCase()).toBe(desk.settlement)
  })

  test('A07 who asked is written down, as who approves is; a refused request is not', async () => {
    const [ann, ben] = [await desk.signer(), await desk.signer()]
    const asked = requestOf({ reference: 'by ben', memo: 'invoice 7', internalNote: 'a note' })
    const hers = await ann.ask('/withdrawals', 'POST', requestOf({ reference: 'by the first' }))
    const [mine, his] = [
      await desk.created({ reference: 'by a key', amount: '7' }),
      idIn((await ben.ask('/withdrawals', 'POST', asked)).json['withdrawal']),
    ]
    const shared = { chainId: ETHEREUM, tokenId: `${ETHEREUM}/slip44:60`, recipient: RECIPIENT }
    expect(await written([idIn(hers.json['withdrawal']), mine, his])).toEqual([
      [`user:${ann.userId}`, { ...shared, amount: '1', reference: 'by the first' }],
      [`user:${desk.apiUserId}`, { ...shared, amount: '7', reference: 'by a key' }],
      [`user:${ben.userId}`, { ...shared, amount: '1', reference: 'by ben', memo: 'invoice 7' }],
    ])
    const before = await entries()
    for (const refused of [{ reference: 'by ben' }, { amount: '1000000' }, { recipient: 'x' }])
      expect((await desk.create(refused)).status).toBeGreaterThanOrEqual(400)
    expect(await entries()).toBe(before)
  })

  test('A12 the threshold is copied: a later setting touches later withdrawals only', async () => {
    await desk.signer()
    await desk.signer()
    await desk.threshold(2)
    const two = await desk.created()
    await desk.threshold(1)
    const one = await desk.created()
    expect(await desk.read(two)).toMatchObject({ status: 'PendingApproval', requiredApprovals: 2 })
    expect(await desk.read(one)).toMatchObject({ status: 'Pending', requiredApprovals: 1 })
  })

  test('A07 where people must approve, what a key asked for waits for one of them', async () => {
    const ann = await desk.signer()
    await desk.threshold(1, 1)
    const id = await desk.created()
    expect(await desk.read(id)).toMatchObject({ status: 'PendingApproval' })
    expect(await ann.approve(id)).toMatchObject({ json: { withdrawal: { status: 'Pending' } } })
    const hers = await ann.ask('/withdrawals', 'POST', requestOf({ reference: 'by ann' }))
    expect(hers.json['withdrawal']).toMatchObject({ status: 'Pending', initiator: ann.userId })
  })
})

describe('references', () => {
  test('A03 a second request under one is refused and names the first', async () => {
    const id = await desk.created({ reference: 'once' })
    const again = await desk.create({ reference: 'once' })
    expect(refusalIn(again)).toMatchObject({
      error: 'DUPLICATE_REFERENCE',
      details: { existingWithdrawalId: id, sameParameters: true },
    })
    const other = await desk.create({ reference: 'once', amount: '61' })
    expect(refusalIn(other)).toMatchObject({
      details: { existingWithdrawalId: id, sameParameters: false },
    })
  })

  test('A04 the same parameters are the same in any spelling of token and recipient', async () => {
    const given = { reference: 'spelled', tokenId: USDT, amount: '5' }
    await desk.fund(5n, USDT)
    await desk.created(given)
    const lower = await desk.create({
      ...given,
      tokenId: USDT.toLowerCase(),
      recipient: RECIPIENT.toLowerCase(),
    })
    expect(refusalIn(lower).details).toMatchObject({ sameParameters: true })
    const noted = await desk.create({ ...given, memo: 'm' })
    expect(refusalIn(noted).details).toMatchObject({ sameParameters: false })
  })

  test.each([
    ['case', 'Ref'],
    ['a space at the end', 'ref '],
    ['another composition', 're\u0301f'],
  ])('A04 references are compared byte by byte: %s', async (_what, reference) => {
    for (const one of ['ref', 'r\u00e9f', reference]) {
      expect([201, 422]).toContain((await desk.create({ reference: one, amount: '1' })).status)
    }
    const list = await desk.door.ask(`/withdrawals?reference=${encodeURIComponent(reference)}`)
    expect(list.json['withdrawals']).toMatchObject([{ reference }])
  })

  test('another organization may use the same reference [A04]', async () => {
    await desk.created({ reference: 'shared' })
    const theirs = await desk.create({ reference: 'shared' }, { key: desk.door.b.key })
    expect(refusalIn(theirs)).toMatchObject({
      error: 'INSUFFICIENT_BALANCE',
      details: { available: '0', required: '60' },
    })
  })

  test('A05 a cancelled withdrawal keeps its reference', async () => {
    const id = await desk.created({ reference: 'gone' })
    await desk.door.ask(`/withdrawals/${id}`, { method: 'DELETE' })
    expect(refusalIn(await desk.create({ reference: 'gone' }))).toMatchObject({
      error: 'DUPLICATE_REFERENCE',
      details: { existingWithdrawalId: id },
    })
  })

  test('A03 a refused request never burns its reference', async () => {
    const reference = 'not burnt'
    expect((await desk.create({ reference, amount: '999999' })).status).toBe(422)
    expect((await desk.create({ reference, recipient: 'nobody' })).status).toBe(422)
    expect((await desk.create({ reference })).status).toBe(201)
  })
})

describe('the order of refusals', () => {
  const wrongs: [string, Record<string, unknown>][] = [
    ['BAD_REQUEST', { reference: '' }],
    ['DUPLICATE_REFERENCE', { reference: 'taken' }],
    ['INVALID_CHAIN', { chainId: 'eip155:9999' }],
    ['CHAIN_NOT_ENABLED', { chainId: WITHOUT_NODES }],
    ['INVALID_TOKEN', { tokenId: 'eip155:1/slip44:61' }],
    ['INVALID_TOKEN_CHAIN', { tokenId: SEPOLIA_ETHER }],
    ['INVALID_AMOUNT', { amount: '1.5' }],
    ['INVALID_RECIPIENT_ADDRESS', { recipient: '0x00' }],
    ['INSUFFICIENT_BALANCE', { amount: '99999999' }],
  ]
  test.each(wrongs.map(([code, wrong], at) => ({ code, wrong, at })))(
    'A03 $code comes before all that follow',
    async ({ code, wrong, at }) => {
      await desk.create({ reference: 'taken' })
      const later = Object.assign(
        {},
        ...wrongs
          .slice(at)
          .reverse()
          .map(([, one]) => one),
      )
      const answer = await desk.create({ reference: `order-${code}`, ...later, ...wrong })
      expect(refusalIn(answer).error).toBe(code)
    },
  )

  test('A02 gas comes last, and only to whom the balance would suffice', async () => {
    const poor = await openDesk()
    poor.door.deps.feeBook.feeOf = async () => 5n
    await poor.fund(100n)
    expect(refusalIn(await poor.create({ amount: '101' })).error).toBe('INSUFFICIENT_BALANCE')
    expect(refusalIn(await poor.create({ amount: '100' }))).toMatchObject({
      error: 'INSUFFICIENT_GAS',
      details: {
        chainId: ETHEREUM,
        gasWalletBalance: '0',
        estimatedGasNeeded: '5',
        nativeToken: 'ETH',
      },
    })
    await poor.addGas(5n)
    expect((await poor.create({ amount: '100' })).status).toBe(201)
    await poor.close()
  })

  test('an unknown fee is refused last [A02]', async () => {
    const { Outage } = await import('../../base/fault.ts')
    const far = await openDesk()
    far.door.deps.feeBook.feeOf = async () => {
      throw new Outage('node', 'away')
    }
    await far.fund(100n)
    expect(refusalIn(await far.create({ recipient: 'x' })).error).toBe('INVALID_RECIPIENT_ADDRESS')
    expect(refusalIn(await far.create({ amount: '101' })).error).toBe('INSUFFICIENT_BALANCE')
    expect((await far.create({ reference: 'kept' })).status).toBe(503)
    expect(await far.available()).toBe(100n)
    await far.close()
  })

  test('A02 so it is where fees come out of what is paid', async () => {
    const { Outage } = await import('../../base/fault.ts')
    const chains = [ETHEREUM, REGTEST].map((id) => ({ id: toChainId(id) }))
    const door = await openDoor({ catalogue: openCatalogue({ chains, tokens: [] }) })
    door.deps.feeBook.feeOf = async () => {
      throw new Outage('node', 'away')
    }
    const recipient = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
    const coin = { chainId: REGTEST, tokenId: REGTEST_COIN, recipient, amount: '5000' }
    const answer = await door.ask('/withdrawals', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...coin, reference: 'far' }),
    })
    expect(refusalIn(answer)).toMatchObject({ error: 'INSUFFICIENT_BALANCE', statusCode: 422 })
    await door.close()
  })

  test('a chain that was never reached has no balance [A02]', async () => {
    const answer = await desk.create({ chainId: UNREACHED, tokenId: `${UNREACHED}/slip44:60` })
    expect(refusalIn(answer).error).toBe('INSUFFICIENT_BALANCE')
  })
})

describe('recipients', () => {
  test.each([
    ['zero', `0x${'0'.repeat(40)}`],
    ['malformed', '0x52908400098527886e0F7030069857D2E4169EE7'],
    ['malformed', `${RECIPIENT}\n`],
    ['malformed', RECIPIENT.slice(2)],
    ['token-contract', '0xdac17f958d2ee523a2206206994597c13d831ec7'],
  ])('V02 a recipient that is %s is refused: %s', async (reason, recipient) => {
    const refusal = refusalIn(await desk.create({ recipient }))
    expect(refusal.error).toBe('INVALID_RECIPIENT_ADDRESS')
    expect(refusal.details).toMatchObject({ reason, chainId: ETHEREUM })
    expect(JSON.stringify(refusal)).not.toContain(recipient.trim())
  })

  test('E16 our own settlement account is refused, another organization asking too', async () => {
    const recipient = desk.settlement
    expect(refusalIn(await desk.create({ recipient })).details).toMatchObject({ reason: 'own' })
    const theirs = await desk.create({ recipient }, { key: desk.door.b.key })
    expect(refusalIn(theirs).details).toMatchObject({ reason: 'own' })
  })

  test('E16 a deposit address is paid as any other', async () => {
    const query = `chainId=${ETHEREUM}&tokenId=${ETHEREUM}/slip44:60&userId=u`
    const path = `/payments/deposit-address?${query}`
    const { address } = (await desk.door.ask(path)).json
    const { properties } = Object(address)
    expect((await desk.create({ recipient: properties.address })).status).toBe(201)
  })
})

describe('amounts and texts', () => {
  test('V01 below the minimum and above the maximum of the token', async () => {
    const token = desk.door.deps.catalogue.token(USDT)
    Object.assign(Object(token), { minimumAmount: 10n, maximumWithdrawalAmount: 20n })
    const below = refusalIn(await desk.create({ tokenId: USDT, amount: '9' }))
    expect(below).toMatchObject({
      error: 'WITHDRAWAL_BELOW_MINIMUM',
      details: { provided: '9', minimum: '10' },
    })
    const above = refusalIn(await desk.create({ tokenId: USDT, amount: '21' }))
    expect(above).toMatchObject({
      error: 'WITHDRAWAL_ABOVE_MAXIMUM',
      details: { provided: '21', maximum: '20' },
    })
    Object.assign(Object(token), { minimumAmount: 1n, maximumWithdrawalAmount: null })
  })

  test.each(['0', '-1', '01', '1e3', '', ' 1', '0x1', '9'.repeat(79)])(
    'a malformed amount is refused: %j [V01]',
    async (amount) => {
      expect(refusalIn(await desk.create({ amount })).error).toBe('INVALID_AMOUNT')
    },
  )

  test.each([
    ['amount', 60],
    ['memo', 7],
    ['memo', 'm'.repeat(65)],
    ['internalNote', 'n'.repeat(501)],
    ['internalNote', 'a\u0000b'],
    ['reference', 'r'.repeat(129)],
    ['reference', 'a\nb'],
    ['reference', '\ud800'],
    ['recipient', null],
  ])('V08 a malformed %s is a bad request', async (field, value) => {
    expect(refusalIn(await desk.create({ [field]: value }))).toMatchObject({
      error: 'BAD_REQUEST',
      details: { field },
    })
  })

  test('V08 texts of the full length are kept, in code points', async () => {
    const given = {
      reference: '𝄞'.repeat(128),
      memo: 'm'.repeat(64),
      internalNote: '𝄞'.repeat(500),
      externalUserId: '𝄞'.repeat(255),
    }
    const id = await desk.created(given)
    expect(await desk.read(id)).toMatchObject(given)
  })

  test('unknown fields of a request are ignored [S14]', async () => {
    const answer = await desk.create({ status: 'Completed', approvers: [], txnHash: '0x1' })
    expect(answer.json['withdrawal']).toMatchObject({ status: 'Pending', txnHash: null })
    expect(idIn(answer.json['withdrawal'])).toHaveLength(36)
  })
})

/** Initiators and details of withdrawals in the audit log. */
async function written(ids: readonly string[]): Promise<unknown[]> {
  const logs = await desk.database.transaction((tx) =>
    Promise.all(ids.map((object) => listAudit(tx, { orgId: desk.orgId, object }))),
  )
  return logs
    .flat()
    .flatMap(({ actor, action, details }) =>
      action === 'withdrawal.create' ? [[actor, details]] : [],
    )
}

async function entries(): Promise<unknown> {
  const [row] = await desk.rows('select count(*) as n from audit_log')
  return row?.['n']
}

function requestOf(more: Record<string, unknown>): Record<string, unknown> {
  return {
    chainId: ETHEREUM,
    tokenId: `${ETHEREUM}/slip44:60`,
    amount: '1',
    recipient: RECIPIENT,
    ...more,
  }
}
