import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ETHEREUM, USDT } from '../../../test/support/door.ts'
import { type Desk, openDesk, RECIPIENT } from '../../../test/support/withdrawal-desk.ts'
import { Outage, Refusal } from '../../base/fault.ts'
import type { Creation } from './check.ts'
import { parseRequest } from './parse-request.ts'
import { requestTogether, requestWithdrawal } from './request.ts'

const ETHER = `${ETHEREUM}/slip44:60`
const EVERYTHING = { chain: () => true, token: () => true, isVerifying: () => false }

let [alone, together]: Desk[] = []
beforeAll(async () => {
  ;[alone, together] = [await openDesk(), await openDesk()]
  for (const desk of desks()) {
    await desk.fund(10_000n)
    await desk.fund(5_000n, USDT)
    await desk.addGas(1_000n)
  }
})
afterAll(() => Promise.all(desks().map((desk) => desk.close())))

describe('requests that come together', () => {
  test('A03 end as they would one after the other, in one picture of the money', async () => {
    const bodies = requests(desks()[0]?.settlement ?? '')
    const outcomes = await Promise.all(
      desks().map(async (desk) => (desk === alone ? inTurn(desk, bodies) : atOnce(desk, bodies))),
    )
    expect(outcomes[1]).toEqual(outcomes[0])
    const counts = new Map<string, number>()
    for (const code of outcomes[0] ?? []) counts.set(code, (counts.get(code) ?? 0) + 1)
    expect(Object.fromEntries(counts)).toEqual({
      Pending: 40,
      DUPLICATE_REFERENCE: 8,
      INVALID_AMOUNT: 8,
      INVALID_RECIPIENT_ADDRESS: 8,
      INSUFFICIENT_BALANCE: 8,
      INSUFFICIENT_GAS: 8,
    })
    for (const token of [ETHER, USDT]) {
      const [one, other] = await Promise.all(desks().map((desk) => desk.available(token)))
      expect(other).toBe(one)
      const reserved = await Promise.all(desks().map((desk) => desk.reserved(token)))
      expect(reserved[1]).toBe(reserved[0])
    }
  })

  test('a request whose node does not answer does not delay the others [A03]', async () => {
    const desk = await openDesk()
    await desk.fund(600n)
    await desk.addGas(1_000n)
    const away = new Outage('a node', 'away')
    const given = ['a', 'b', 'c', 'd'].map((reference) => creationOf(desk, body(reference)))
    const { database, serviceKey } = desk
    const deps = { database, serviceKey, offersOf: async () => EVERYTHING }
    const asked = given.map((one, at) =>
      requestTogether(deps, at % 2 === 0 ? one : { ...one, fee: away }),
    )
    const outcomes = await Promise.allSettled(asked)
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
    ])
    for (const one of outcomes) if (one.status === 'rejected') expect(one.reason).toBe(away)
    const rows = await desk.rows('select reference from withdrawals order by reference')
    expect(rows.map(({ reference }) => reference)).toEqual(['a', 'c'])
    await desk.close()
  })

  test('each withdrawal emits its event and its balance in sequence [H10]', async () => {
    for (const desk of desks()) {
      expect(await desk.told('withdrawal.created')).toHaveLength(40)
      expect(await desk.told('withdrawal.approved')).toHaveLength(40)
      const told = await desk.told('balance.updated')
      expect(told).toHaveLength(40)
      const standing: Record<string, unknown> = { [ETHER]: '10000', [USDT]: '5000' }
      for (const { payload } of told) {
        const token = String(payload['tokenId'])
        expect(payload['previousBalance']).toBe(standing[token])
        standing[token] = payload['balance']
      }
      expect(standing[ETHER]).toBe((await desk.available()).toString())
    }
  })

  test('A07 each that was made is written down, and none that was refused', async () => {
    for (const desk of desks()) {
      const made = await desk.rows(`
        select 'user:' || initiator as actor, id::text as object, reference
          from withdrawals
         order by reference`)
      const entries = await desk.rows(`
        select actor, object, details->>'reference' as reference
          from audit_log
         where action = 'withdrawal.create'
           and org_id = '${desk.orgId}'
         order by reference`)
      expect(entries).toHaveLength(40)
      expect(entries).toEqual(made)
    }
  })

  test('a balance that is taken meanwhile leaves no withdrawal incomplete [A01]', async () => {
    const desk = await openDesk()
    await desk.fund(600n)
    await desk.addGas(1_000n)
    const bodies = Array.from({ length: 50 }, (_, at) => body(`r${at}`, { amount: '60' }))
    const outcomes = await Promise.all([
      atOnce(desk, bodies.slice(0, 25)),
      ...bodies.slice(25).map((one) => inTurn(desk, [one])),
    ])
    expect(outcomes.flat().filter((code) => code === 'Pending')).toHaveLength(10)
    expect([await desk.available(), await desk.reserved()]).toEqual([0n, 600n])
    const rows = await desk.rows('select count(*) as n from withdrawals')
    expect(rows[0]?.['n']).toBe(10)
    const entries = await desk.rows(`
      select count(distinct object) as n from audit_log where action = 'withdrawal.create'`)
    expect(entries[0]?.['n']).toBe(10)
    await desk.close()
  })
})

function desks(): Desk[] {
  return [alone, together].flatMap((desk) => desk ?? [])
}

function body(reference: string, more: Record<string, string> = {}) {
  const standard = { chainId: ETHEREUM, tokenId: ETHER, amount: '10', recipient: RECIPIENT }
  return { ...standard, reference, ...more }
}

type Body = ReturnType<typeof body> & { fee?: string }

function requests(settlement: string): Body[] {
  return Array.from({ length: 80 }, (_, at): Body => {
    const reference = `reference ${at}`
    switch (at % 10) {
      case 1:
        return body(reference, { tokenId: USDT, amount: '7' })
      case 3:
        return body(`reference ${at - 1}`)
      case 5:
        return body(reference, { amount: '1.5' })
      case 6:
        return body(reference, { recipient: settlement })
      case 7:
        return body(reference, { amount: '999999' })
      case 8:
        return body(reference, { fee: '1001' })
      default:
        return body(reference)
    }
  })
}

function creationOf(desk: Desk, { fee = '5', ...given }: Body): Creation {
  const { catalogue } = desk.door.deps
  const initiator = { id: desk.apiUserId, role: 'api' } as const
  const request = parseRequest(given)
  return { catalogue, orgId: desk.orgId, initiator, request, fee: BigInt(fee) }
}

async function inTurn(desk: Desk, bodies: readonly Body[]): Promise<string[]> {
  const outcomes: string[] = []
  for (const one of bodies) {
    const given = creationOf(desk, one)
    const asked = requestWithdrawal(desk.database, desk.serviceKey, given, async () => EVERYTHING)
    outcomes.push(await codeOf(asked))
  }
  return outcomes
}

function atOnce(desk: Desk, bodies: readonly Body[]): Promise<string[]> {
  const { database, serviceKey } = desk
  const deps = { database, serviceKey, offersOf: async () => EVERYTHING }
  return Promise.all(bodies.map((one) => codeOf(requestTogether(deps, creationOf(desk, one)))))
}

async function codeOf(asked: Promise<{ status: string }>): Promise<string> {
  try {
    return (await asked).status
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}
