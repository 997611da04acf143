import { afterAll, beforeAll, expect, test } from 'vitest'
import { CAPS, type Desk, openDesk, RECIPIENT } from '../../../test/support/withdrawal-desk.ts'
import { Refusal } from '../../base/fault.ts'
import type { Quote } from '../../chains/port.ts'
import { createWithdrawal } from './create.ts'
import { foresee } from './foresee.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.close())

function requestOf(amount = '60') {
  const { id } = desk.deps().entry
  return {
    chainId: id,
    tokenId: `${id}/slip44:60`,
    amount,
    recipient: RECIPIENT,
    reference: 'r',
    memo: null,
    internalNote: null,
    externalUserId: null,
  }
}

function refusal(quote: Exclude<Quote, { ok: true }>) {
  const { entry } = desk.deps()
  const request = requestOf()
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

test('names a refused recipient before limits of the amount, a refused amount after', async () => {
  const { catalogue } = desk.door.deps
  const limited = (id: string) => {
    const token = catalogue.token(id)
    return token && { ...token, minimumAmount: 100n }
  }
  const create = (foreseen: Refusal) => {
    const initiator = { id: desk.apiUserId, role: 'api' } as const
    const asked = { orgId: desk.orgId, initiator, request: requestOf(), fee: 5n, foreseen }
    const creation = { catalogue: { ...catalogue, token: limited }, ...asked }
    const offers = { chain: () => true, token: () => true, isVerifying: () => false }
    return desk.database.transaction((tx) =>
      createWithdrawal(tx, desk.serviceKey, creation, async () => offers),
    )
  }
  await expect(create(new Refusal('INVALID_RECIPIENT_ADDRESS', {}))).rejects.toMatchObject({
    code: 'INVALID_RECIPIENT_ADDRESS',
  })
  const minimum = { minimum: '7000' }
  await expect(create(new Refusal('WITHDRAWAL_BELOW_MINIMUM', minimum))).rejects.toMatchObject({
    details: { minimum: '100' },
  })
})
