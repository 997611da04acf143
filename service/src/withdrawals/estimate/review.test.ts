import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ServerDeps } from '../../api/http/deps.ts'
import { type Answered, ETHER, ETHEREUM, refusalIn } from '../../../test/support/door.ts'
import { CAPS, type Desk, openDesk } from '../../../test/support/withdrawal-desk.ts'
import { Outage } from '../../base/fault.ts'
import { CLAIM } from '../../ledger/account.ts'

const FUNDS = 1_000n

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
  await desk.fund(FUNDS)
  await desk.addGas(10n ** 18n)
  for (let n = 0; n < 2; n += 1) await desk.signer('admin')
})
afterAll(() => desk.close())
beforeEach(() => desk.threshold(2))

let recipients = 0
/** An address that was not paid before, and resembles no other. */
function newRecipient(): string {
  recipients += 1
  return `0x${recipients.toString(16).padStart(4, '0').repeat(10)}`
}

/** Nodes that answer whether the recipient is a contract. */
function answering(isContract: boolean): Partial<ServerDeps> {
  const quote = async () => ({ ok: false, code: 'INSUFFICIENT_BALANCE', details: {} })
  const adapter = { paymentModel: 'nonce', isContract: async () => isContract, quote }
  return { chains: { get: () => Object(adapter) } }
}

const warn = (id: string, changes = answering(false)): Promise<Answered> =>
  desk.door.askWith(changes, `/withdrawals/${id}/warnings`)

async function warnings(id: string, changes = answering(false)) {
  const { status, json } = await warn(id, changes)
  expect(status).toBe(200)
  return Object(json['warnings']) as { code: string; details: Record<string, unknown> }[]
}

const codes = async (id: string, changes = answering(false)) =>
  (await warnings(id, changes)).map(({ code }) => code)

describe('GET /withdrawals/:id/warnings', () => {
  test('does not report the withdrawal as its own earlier payment or duplicate', async () => {
    const id = await desk.created({ recipient: newRecipient(), amount: '1' })
    expect(await codes(id)).toEqual(['FIRST_PAYMENT'])
  })

  test('reports a duplicate to the approvers of both payments, the first one once', async () => {
    const recipient = newRecipient()
    const first = await desk.created({ recipient, amount: '1' })
    await desk.door.harness.clock.advance(1_000)
    const second = await desk.created({ recipient, amount: '1' })
    expect(await warnings(first)).toMatchObject([
      { code: 'FIRST_PAYMENT' },
      { code: 'DUPLICATE_PAYMENT', details: { withdrawalId: second } },
    ])
    expect(await warnings(second)).toMatchObject([
      { code: 'DUPLICATE_PAYMENT', details: { withdrawalId: first } },
    ])
  })

  test('compares with the payments within 24 hours of the creation', async () => {
    const recipient = newRecipient()
    const first = await desk.created({ recipient, amount: '1' })
    await desk.door.harness.clock.advance(86_400_001)
    const second = await desk.created({ recipient, amount: '1' })
    expect(await codes(first)).toEqual(['FIRST_PAYMENT'])
    expect(await codes(second)).toEqual([])
  })

  test('compares the amount with the balance before its own reservation', async () => {
    const available = await desk.available()
    const half = available / 2n
    const recipient = newRecipient()
    const small = await desk.created({ recipient, amount: half.toString() })
    expect(await codes(small)).toEqual(['FIRST_PAYMENT'])
    await desk.door.ask(`/withdrawals/${small}`, { method: 'DELETE' })
    const large = await desk.created({ recipient, amount: (half + 1n).toString() })
    expect(await warnings(large)).toMatchObject([
      { code: 'FIRST_PAYMENT' },
      { code: 'LARGE_SHARE', details: { available: available.toString() } },
    ])
    await desk.door.ask(`/withdrawals/${large}`, { method: 'DELETE' })
  })

  test('reports a contract and a look-alike', async () => {
    const known = newRecipient()
    await desk.created({ recipient: known, amount: '1' })
    const imitation = `${known.slice(0, 8)}${'9'.repeat(28)}${known.slice(-6)}`
    const id = await desk.created({ recipient: imitation, amount: '1' })
    expect(await codes(id, answering(true))).toEqual([
      'LOOKALIKE_ADDRESS',
      'FIRST_PAYMENT',
      'CONTRACT_RECIPIENT',
    ])
  })

  test('returns the fee and the balance that the estimate returned', async () => {
    const recipient = newRecipient()
    const changes = {
      ...answering(false),
      feeBook: { feeOf: async () => 21n },
      capsOf: () => ({ ...CAPS, relativePercent: 50 }),
    }
    const before = await desk.available()
    const estimate = await desk.door.askWith(changes, '/withdrawals/estimate', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ chainId: ETHEREUM, tokenId: ETHER, amount: '8', recipient }),
    })
    const { fee, available, warnings: expected } = Object(estimate.json['estimate'])
    expect({ fee, available }).toEqual({
      fee: { tokenId: ETHER, expected: '21', maximum: '4', unknownReason: null },
      available: { before: before.toString(), after: (before - 8n).toString(), held: '0' },
    })
    const id = await desk.created({ recipient, amount: '8' })
    expect((await warn(id, changes)).json).toEqual({ fee, available, warnings: expected })
    await desk.book({ debit: CLAIM.available, credit: CLAIM.gas, amount: 5n, referenceId: id })
    const held = { ...available, after: (before - 13n).toString(), held: '5' }
    expect((await warn(id, changes)).json).toMatchObject({ available: held })
  })

  test('returns the cap and a reason when no node answers', async () => {
    const id = await desk.created({ recipient: newRecipient(), amount: '1' })
    const away = async () => {
      throw new Outage(ETHEREUM, 'away')
    }
    const { json } = await warn(id, { ...answering(false), feeBook: { feeOf: away } })
    expect(json['fee']).toMatchObject({ expected: null, unknownReason: expect.any(String) })
  })

  test('is empty once the withdrawal has ended', async () => {
    const id = await desk.created({ recipient: newRecipient(), amount: '1' })
    await desk.door.ask(`/withdrawals/${id}`, { method: 'DELETE' })
    expect((await warn(id)).json).toEqual({ fee: null, available: null, warnings: [] })
  })

  test.each(['viewer', 'operator', 'approver', 'admin'] as const)(
    'is permitted to the role %s',
    async (role) => {
      const id = await desk.created({ recipient: newRecipient(), amount: '1' })
      const { status } = await (await desk.signer(role)).ask(`/withdrawals/${id}/warnings`, 'GET')
      expect(status).toBe(200)
    },
  )

  test('is refused for the withdrawal of another organization, and a changed one', async () => {
    const id = await desk.created({ recipient: newRecipient(), amount: '1' })
    const path = `/withdrawals/${id}/warnings`
    const theirs = await desk.door.ask(path, { key: desk.door.b.key })
    expect(refusalIn(theirs).error).toBe('WITHDRAWAL_NOT_FOUND')
    await desk.tamper(`update withdrawals set amount = 2 where id = '${id}'`)
    expect(refusalIn(await warn(id))).toMatchObject({
      error: 'INTERNAL_ERROR',
      details: { reason: 'tampered' },
    })
  })
})
