import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Desk, openDesk } from '../../test/support/withdrawal-desk.ts'
import { ETHEREUM, refusalIn } from '../../test/support/door.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.close())

describe('reports', () => {
  test('the statement and the days of a month show what was booked', async () => {
    await desk.fund(70n)
    const { status, json } = await desk.door.ask('/reports/statement?month=2026-01')
    expect(status).toBe(200)
    expect(json).toMatchObject({
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-02-01T00:00:00.000Z',
      isComplete: false,
    })
    // The desk's own posting has no cause of a real transfer.
    const line = {
      chainId: ETHEREUM,
      opening: '0',
      deposits: '0',
      corrections: '70',
      closing: '70',
    }
    expect(json['statement']).toMatchObject([line])
    const { json: days } = await desk.door.ask('/stats?from=2026-01-01&to=2026-01-31')
    expect(days['stats']).toMatchObject([{ day: '2026-01-01', corrections: '70', closing: '70' }])
  })

  test('a statement is exported as CSV, in base units and in units of the token', async () => {
    const csv = { headers: { accept: 'text/csv' } }
    const { status, text } = await desk.door.ask('/reports/statement?month=2026-01', csv)
    expect(status).toBe(200)
    const [head = '', line = '', ...more] = text.trimEnd().split('\r\n')
    const cells = new Map(head.split(',').map((name, at) => [name, line.split(',')[at]]))
    expect(cells.get('month')).toBe('2026-01')
    expect(cells.get('chainName')).toBe('Ethereum')
    expect(cells.get('closing')).toBe('70')
    expect(cells.get('closingDecimal')).toMatch(/^0\.0+7/)
    expect(more).toEqual([])
  })

  test.each([
    ['/reports/statement', 'month'],
    ['/reports/statement?month=2026-13', 'month'],
    ['/reports/statement?month=2026-1', 'month'],
    ['/reports/statement?month=2026-01&chainId=eip155:404', 'chainId'],
    ['/stats?from=2026-02-01&to=2026-01-01', 'from'],
    ['/stats?from=2024-01-01&to=2026-01-01', 'from'],
    ['/stats?days=3', 'days'],
  ])('GET %s is refused and names its field', async (path, field) => {
    const answer = await desk.door.ask(path)
    expect(answer.status).toBe(400)
    expect(refusalIn(answer)).toMatchObject({ error: 'BAD_REQUEST', details: { field } })
  })

  test('of another organization are empty', async () => {
    const other = await desk.door.found('Empty')
    const as = { headers: { 'x-api-key': other.key } }
    const { json } = await desk.door.ask('/reports/statement?month=2026-01', as)
    expect(json['statement']).toEqual([])
    expect((await desk.door.ask('/stats', as)).json).toEqual({ stats: [] })
  })
})
