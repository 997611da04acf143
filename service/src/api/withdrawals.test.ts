import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ETHEREUM, listenLow, refusalIn, SEPOLIA } from '../../test/support/door.ts'
import { type Desk, idIn, openDesk } from '../../test/support/withdrawal-desk.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
  await desk.fund(10_000n)
})
afterAll(() => desk.close())

describe('withdrawals over HTTP', () => {
  test('the single read includes the token, and a text without end user [S09]', async () => {
    const made = await desk.create({ memo: '', reference: 'alone' })
    const id = idIn(made.json['withdrawal'])
    expect(made.json['withdrawal']).toMatchObject({ externalUserId: null, memo: null })
    const { json } = await desk.door.ask(`/withdrawals/${id}`)
    expect(json).toEqual({
      ...Object(made.json['withdrawal']),
      externalUserId: '',
      Token: {
        id: `${ETHEREUM}/slip44:60`,
        name: 'Ether',
        symbol: 'ETH',
        decimals: 18,
        address: '',
      },
      initiatorName: 'Default',
      eligibleApprovers: [],
      transactions: [],
      approvals: [
        {
          userId: desk.apiUserId,
          name: expect.stringMatching(/^api-/),
          createdAt: Object(made.json['withdrawal']).createdAt,
          method: null,
          voidedAt: null,
          voidCause: null,
        },
      ],
      cancellation: null,
      speedUp: { possible: false, reason: 'unsigned', requestedAt: null },
    })
  })

  test('a cancellation returns the changed fields, and works once [A05]', async () => {
    const id = await desk.created()
    const [available, reserved] = [await desk.available(), await desk.reserved()]
    await desk.door.harness.clock.advance(5)
    const path = `/withdrawals/${id}`
    const { json, status } = await desk.door.ask(path, { method: 'DELETE' })
    expect([status, json]).toEqual([
      200,
      {
        withdrawal: {
          id,
          status: 'Cancelled',
          txnError: `CANCELLED BY ${desk.apiUserId}`,
          updatedAt: new Date(desk.door.harness.clock.now()).toISOString(),
        },
      },
    ])
    const again = refusalIn(await desk.door.ask(path, { method: 'DELETE' }))
    expect(again).toMatchObject({ error: 'WITHDRAWAL_NOT_PENDING', details: { id } })
    expect(await desk.available()).toBe(available + 60n)
    expect(await desk.reserved()).toBe(reserved - 60n)
    const told = await desk.told('withdrawal.cancelled')
    expect(told.filter(({ payload }) => payload['id'] === id)).toHaveLength(1)
  })

  test('a viewer sees withdrawals and cannot create them [S11]', async () => {
    const id = await desk.created()
    const viewer = await desk.signer('viewer')
    expect(await viewer.ask(`/withdrawals/${id}`, 'GET')).toMatchObject({ status: 200 })
    for (const [path, method] of [
      ['/withdrawals', 'POST'],
      [`/withdrawals/${id}`, 'DELETE'],
    ] as const) {
      expect(refusalIn(await viewer.ask(path, method))).toMatchObject({
        error: 'FORBIDDEN',
        details: { required: 'createWithdrawals' },
      })
    }
  })

  test('the number of signers is at least 1 and at most the existing signers [A14]', async () => {
    const admin = await desk.signer('admin')
    await desk.signer()
    const path = '/organisation/min-withdrawal-signers'
    const send = (minWithdrawalSigners: unknown) =>
      admin.ask(path, 'PATCH', { minWithdrawalSigners })
    expect(await send(2)).toMatchObject({ status: 200, json: {} })
    expect((await desk.door.ask('/organisation')).json).toMatchObject({ minWithdrawalSigners: 2 })
    for (const wrong of [0, -1, 1.5, 3, 2 ** 31]) {
      expect(refusalIn(await send(wrong)).error).toBe('INVALID_MIN_SIGNERS')
    }
    for (const wrong of ['2', null]) expect(refusalIn(await send(wrong)).error).toBe('BAD_REQUEST')
    expect(await send(1)).toMatchObject({ status: 200 })
  })
})

describe('the list of withdrawals', () => {
  test('is complete and newest first, or paged [P01]', async () => {
    const list = await openDesk()
    await list.fund(10_000n)
    const ids: string[] = []
    for (let at = 0; at < 5; at += 1) {
      await list.door.harness.clock.advance(1_000)
      ids.unshift(await list.created())
    }
    const whole = await list.door.ask('/withdrawals')
    expect(idsIn(whole.json)).toEqual(ids)
    expect(whole.json).not.toHaveProperty('nextCursor')
    const first = await list.door.ask('/withdrawals?limit=3')
    expect(idsIn(first.json)).toEqual(ids.slice(0, 3))
    const cursor = String(first.json['nextCursor'])
    const rest = await list.door.ask(`/withdrawals?limit=3&cursor=${cursor}`)
    expect([idsIn(rest.json), rest.json['nextCursor']]).toEqual([ids.slice(3), null])
    expect(idsIn((await list.door.ask('/withdrawals', { key: list.door.b.key })).json)).toEqual([])
    await list.close()
  })

  test('is filtered by each parameter [P01]', async () => {
    const list = await openDesk()
    await list.fund(10_000n)
    const clock = list.door.harness.clock
    const early = await list.created({ reference: 'é a', externalUserId: 'ann' })
    await clock.advance(10_000)
    const from = new Date(clock.now()).toISOString()
    const late = await list.created({ reference: 'b', externalUserId: 'ben' })
    await list.door.ask(`/withdrawals/${late}`, { method: 'DELETE' })
    const found = async (query: string) =>
      idsIn((await list.door.ask(`/withdrawals?${query}`)).json)
    expect(await found('status=Cancelled')).toEqual([late])
    expect(await found('status=Pending')).toEqual([early])
    expect(await found(`reference=${encodeURIComponent('é a')}`)).toEqual([early])
    expect(await found('reference=B')).toEqual([])
    expect(await found('externalUserId=ben')).toEqual([late])
    expect(await found(`from=${from}`)).toEqual([late])
    expect(await found(`to=${from}&status=Pending`)).toEqual([early])
    expect(await found(`chainId=${SEPOLIA}`)).toEqual([])
    expect(await found(`chainId=${ETHEREUM}`)).toEqual([late, early])
    await list.close()
  })

  test.each([
    'status=Gone',
    'status=pending',
    'chainId=eip155:9',
    'reference=',
    'reference=a%00b',
    `reference=${'r'.repeat(129)}`,
    'from=yesterday',
    'to=2026-02-30',
    'limit=0',
    'limit=501',
    'cursor=x',
  ])('refuses an invalid value: %s [P01]', async (query) => {
    expect(refusalIn(await desk.door.ask(`/withdrawals?${query}`)).error).toBe('BAD_REQUEST')
  })

  test('is streamed, and an error closes the connection [P01]', async () => {
    const origin = await listenLow(desk.door)
    const headers = { 'x-api-key': desk.door.a.key }
    const answer = await fetch(`${origin}/withdrawals`, { headers })
    expect(answer.headers.get('transfer-encoding')).toBe('chunked')
    expect(idsIn(JSON.parse(await answer.text()))).not.toHaveLength(0)
  })
})

function idsIn(json: Record<string, unknown>): string[] {
  const { withdrawals } = json
  return Array.isArray(withdrawals) ? withdrawals.map(idIn) : []
}
