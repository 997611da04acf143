import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { ask, type Json, query, until } from '../world/ask.ts'
import { personOf, tenantOf, theWorld } from '../world/given.ts'
import { payerOf } from '../world/pay.ts'
import { CHAIN } from '../world/state.ts'
import { describePages, fileOf, textOf } from './open.ts'

const org = tenantOf('books')
const key = org.apiKey
const viewer = personOf(org, 'viewer')
const payer = payerOf(13)
const { usd, coin } = theWorld().tokens
const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7'
const FUNDED = 1_000_000_000n
/** Too little for a sweep, so that the statement does not change any more. */
const PAID_IN = 250n
const PAID_OUT = 400_000_000n

async function payIn(): Promise<void> {
  const where = query({ chainId: CHAIN, tokenId: usd, userId: 'ann' })
  const { json } = await ask(`/payments/deposit-address${where}`, { key })
  await payer.pay(usd, Object(json['address']).properties.address, PAID_IN)
  await until('the deposit', async () => {
    const listed = await ask('/payments?status=Confirmed', { key })
    return (listed.json['payments'] as Json[]).length > 0 ? true : null
  })
}

/** Pays a withdrawal. Returns the hash of its transaction. */
async function payOut(): Promise<string> {
  const wish = { chainId: CHAIN, tokenId: usd, amount: String(PAID_OUT), recipient: RECIPIENT }
  const body = { ...wish, reference: randomUUID() }
  const { json } = await ask('/withdrawals', { method: 'POST', key, body })
  const { id } = Object(json['withdrawal'])
  return until('the payment', async () => {
    const found = await ask(`/withdrawals/${id}`, { key })
    return found.json['status'] === 'Completed' ? String(found.json['txnHash']) : null
  })
}

/** The lines of a statement in CSV, by the names of their columns. */
function linesOf(csv: string): Record<string, string>[] {
  const [header = '', ...lines] = csv.trimEnd().split('\r\n')
  const names = header.split(',')
  return lines.map((line) => {
    const cells = line.split(',')
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']))
  })
}

/** The name of a UTC month, so many months back: `2026-11`. */
function monthOf(back: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back))
    .toISOString()
    .slice(0, 7)
}

async function answerOf(month: string): Promise<string> {
  const csv = { headers: { accept: 'text/csv' }, key }
  return (await ask(`/reports/statement${query({ month })}`, csv)).text
}

describePages('the statement of a month', (open) => {
  let paidOut: string
  beforeAll(async () => {
    await payer.fund(org, { [usd]: FUNDED })
    await payIn()
    paidOut = await payOut()
  })

  test('has a withdrawal that the trace of its transaction leads to', async () => {
    const { page, visit, expectQuiet, close } = await open(viewer)
    await visit(`/trace${query({ txnHash: paidOut })}`)
    await page.getByRole('link', { name: 'Find the withdrawal' }).click()
    await page.locator('tbody').getByText('400.00').waitFor()
    expect(await page.locator('tbody tr').count()).toBe(1)
    expectQuiet()
    await close()
  })

  test('is saved as the HTTP answer, and each line adds up', async () => {
    const { page, visit, expectQuiet, close } = await open(viewer)
    await visit('/reports')
    const { name, text } = await fileOf(page, 'Statement as CSV')
    expect(name).toBe(`statement-${monthOf(0)}.csv`)
    expect(text).toBe(await answerOf(monthOf(0)))
    const lines = linesOf(text)
    const closing = FUNDED + PAID_IN - PAID_OUT
    expect(lines.find(({ tokenId }) => tokenId === usd)).toMatchObject({
      symbol: 'TUSD',
      opening: '0',
      deposits: String(PAID_IN),
      fundings: String(FUNDED),
      withdrawals: String(PAID_OUT),
      fees: '0',
      corrections: '0',
      closing: String(closing),
      closingDecimal: '600.00025',
    })
    expect(BigInt(lines.find(({ tokenId }) => tokenId === coin)?.['fees'] ?? 0)).toBeGreaterThan(0n)
    for (const { tokenId, ...line } of lines) {
      const sum = (...names: string[]) =>
        names.reduce((all, one) => all + BigInt(line[one] ?? ''), 0n)
      const more = sum('opening', 'deposits', 'fundings', 'corrections')
      expect([tokenId, more - sum('withdrawals', 'fees')]).toEqual([tokenId, sum('closing')])
    }

    const shown = await textOf(page)
    expect(shown).toContain('600.00025 TUSD')
    expect(shown).not.toContain('Does not add up')
    const moved = lines.filter(
      ({ closing: end, withdrawals }) => end !== '0' || withdrawals !== '0',
    )
    expect(await page.getByText('Adds up', { exact: true }).count()).toBe(moved.length)
    expectQuiet()
    await close()
  })

  test('of another month has the name of that month', async () => {
    const month = monthOf(1)
    const { page, visit, close } = await open(viewer)
    await visit('/reports')
    await page.getByLabel('Month').selectOption(month)
    await page.getByText('No balance and no movement in').waitFor()
    const { name, text } = await fileOf(page, 'Statement as CSV')
    expect(name).toBe(`statement-${month}.csv`)
    expect(text).toBe(await answerOf(month))
    expect(page.url()).toContain(`month=${month}`)
    await close()
  })
})
