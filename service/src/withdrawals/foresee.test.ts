import { afterAll, beforeAll, expect, test } from 'vitest'
import { CAPS, type Desk, openDesk, RECIPIENT } from '../../test/support/withdrawal-desk.ts'
import type { Quote } from '../chains/port.ts'
import { foresee } from './foresee.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.close())

function refusal(quote: Exclude<Quote, { ok: true }>) {
  const { entry } = desk.means()
  const request = {
    chainId: entry.id,
    tokenId: `${entry.id}/slip44:60`,
    amount: '60',
    recipient: RECIPIENT,
    reference: 'r',
    memo: null,
    internalNote: null,
    externalUserId: null,
  }
  const caps = { ...CAPS, relativePercent: 10 }
  const adapter = { quote: async () => quote }
  return foresee(desk.database, { adapter, entry, caps, orgId: desk.orgId, request })
}

test('refuses an amount whose fee cap pays no fee', async () => {
  const details = { fee: '21', cap: '6' }
  expect(await refusal({ ok: false, code: 'FEE_TOO_HIGH', message: 'x', details })).toMatchObject({
    code: 'WITHDRAWAL_BELOW_MINIMUM',
    details: { provided: '60', minimum: '210', fee: '21', feeCap: '6' },
  })
})

test('refuses less than the reserve of an account that does not exist', async () => {
  const details = { amount: '60', required: '1000' }
  const quote = { ok: false, code: 'RECIPIENT_REFUSES', message: 'x', details } as const
  expect(await refusal(quote)).toMatchObject({
    code: 'WITHDRAWAL_BELOW_MINIMUM',
    details: { minimum: '1000' },
  })
})

test('refuses a recipient that takes no payment', async () => {
  const quote = { ok: false, code: 'RECIPIENT_REFUSES', message: 'x', details: {} } as const
  expect(await refusal(quote)).toMatchObject({ code: 'INVALID_RECIPIENT_ADDRESS' })
})

test('accepts an amount that is not swept yet', async () => {
  const quote = { ok: false, code: 'INSUFFICIENT_BALANCE', message: 'x', details: {} } as const
  expect(await refusal(quote)).toBeNull()
})
