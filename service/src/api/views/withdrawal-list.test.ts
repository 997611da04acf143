import { Outage } from '../../base/fault.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Desk, openDesk } from '../../../test/support/withdrawal-desk.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.close())

describe('GET /withdrawals', () => {
  const to = (digit: string) => `0x${digit.repeat(40)}`
  const HASH = `0x${'ab'.repeat(32)}`
  let ids: string[]
  beforeAll(async () => {
    await desk.fund(1_000n)
    await desk.addGas(10n ** 9n)
    ids = []
    for (const body of [
      { reference: 'one', recipient: to('1'), externalUserId: 'ann' },
      { reference: 'two', recipient: to('2'), externalUserId: 'one' },
      { reference: 'three', recipient: to('1') },
    ]) {
      ids.push(await desk.created(body))
      await desk.door.harness.clock.advance(1)
    }
    await desk.rows(`
      update withdrawals set status = 'Failed', txn_hash = '${HASH}' where id = '${ids[1]}'
      returning id`)
    const cancelled = await desk.door.ask(`/withdrawals/${ids[2]}`, { method: 'DELETE' })
    expect(cancelled.status).toBe(200)
  })

  const references = async (query: string) => {
    const { status, json } = await desk.door.ask(`/withdrawals?${query}`)
    expect({ query, status }).toEqual({ query, status: 200 })
    return (json['withdrawals'] as { reference: string }[]).map(({ reference }) => reference)
  }

  test.each<[query: string, found: string[]]>([
    ['tokenId=eip155:1/slip44:60', ['three', 'two', 'one']],
    ['tokenId=eip155:1/erc20:0xdAC17F958D2ee523a2206206994597C13D831ec7', []],
    [`recipient=${to('1')}`, ['three', 'one']],
    [`recipient=${to('1')}&chainId=eip155:1`, ['three', 'one']],
    [`recipient=${to('1')}&chainId=eip155:137`, []],
    [`txnHash=${HASH}`, ['two']],
    [`txnHash=${HASH.slice(2).toUpperCase()}`, ['two']],
    [`txnHash=0x${'0'.repeat(64)}`, []],
    ['status=Pending', ['one']],
    ['status=Pending,Failed', ['two', 'one']],
    ['status=Pending%2CCancelled,Pending', ['three', 'one']],
    ['status=Completed,Processing', []],
    ['status=Pending,Failed&limit=1', ['two']],
    ['q=one', ['two', 'one']],
    ['q=one&status=Failed,Completed', ['two']],
    [`q=${to('1')}`, ['three', 'one']],
    [`q=${HASH}`, ['two']],
    ['q=nobody', []],
    ['q=one&limit=1', ['two']],
  ])('lists what matches: %s', async (query, found) => {
    expect(await references(query)).toEqual(found)
  })

  test('finds a withdrawal by its id', async () => {
    expect(await references(`q=${ids[0]}`)).toEqual(['one'])
  })

  test('continues a search on the next page', async () => {
    const { json } = await desk.door.ask('/withdrawals?q=one&limit=1')
    expect(await references(`q=one&limit=1&cursor=${String(json['nextCursor'])}`)).toEqual(['one'])
  })

  test.each(['q=one', `recipient=${to('1')}`, `txnHash=${HASH}`, 'status=Pending,Failed'])(
    'shows another organization no withdrawal of it: %s',
    async (query) => {
      const other = await desk.door.found('Other')
      const { json } = await desk.door.ask(`/withdrawals?${query}`, { key: other.key })
      expect(json['withdrawals']).toEqual([])
    },
  )

  test.each([
    ['tokenId=', 'tokenId'],
    ['tokenId=ether', 'tokenId'],
    ['recipient=', 'recipient'],
    ['recipient=0x1', 'recipient'],
    [`recipient=${to('1')}&chainId=xrpl:mainnet`, 'recipient'],
    ['txnHash=0x1', 'txnHash'],
    ['status=', 'status'],
    ['status=Pending,', 'status'],
    ['status=Pending,,Failed', 'status'],
    ['status=Pending,%20Failed', 'status'],
    ['status=Pending&status=Failed', 'status'],
    ['q=', 'q'],
    ['q=%00', 'q'],
    [`q=${'x'.repeat(256)}`, 'q'],
  ])('refuses a bad value: %s', async (query, field) => {
    expect(await desk.door.ask(`/withdrawals?${query}`)).toMatchObject({
      status: 400,
      json: { error: 'BAD_REQUEST', details: { field } },
    })
  })
})

describe('the waiting state of a withdrawal', () => {
  const shown = async (id: string) => {
    const { json } = await desk.door.ask(`/withdrawals/${id}`)
    const list = await desk.door.ask(`/withdrawals?q=${id}`)
    const { waitingFor, waitingSince } = json
    expect(list.json['withdrawals']).toMatchObject([{ id, waitingFor, waitingSince }])
    return { waitingFor, isTimed: waitingSince !== null }
  }

  test('is shown from its creation to its end', async () => {
    await desk.threshold(2)
    const created = await desk.create()
    const view = created.json['withdrawal'] as Record<string, unknown>
    expect(view).toMatchObject({ waitingFor: 'approvals', waitingSince: view['createdAt'] })
    const id = String(view['id'])
    expect(await shown(id)).toEqual({ waitingFor: 'approvals', isTimed: true })
    await (await desk.signer()).approve(id)
    expect(await shown(id)).toEqual({ waitingFor: null, isTimed: false })
    desk.chain.quote = async () => ({
      ok: false,
      code: 'INSUFFICIENT_BALANCE',
      message: '',
      details: {},
    })
    await desk.tick()
    expect(await shown(id)).toEqual({ waitingFor: 'confirmations', isTimed: true })
    desk.chain.quote = async () => {
      throw new Outage('node', 'away')
    }
    await desk.rows(`update withdrawals set waiting_for = null where id = '${id}' returning id`)
    await expect(desk.tick()).rejects.toThrow('away')
    expect(await shown(id)).toEqual({ waitingFor: 'chain', isTimed: true })
    expect(await desk.door.ask(`/withdrawals/${id}`, { method: 'DELETE' })).toMatchObject({
      status: 200,
    })
    expect(await shown(id)).toEqual({ waitingFor: null, isTimed: false })
  })
})
