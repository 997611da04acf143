import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Outage } from '../../base/fault.ts'
import type { ServerDeps } from '../../api/http/deps.ts'
import { type Answered, ETHER, ETHEREUM } from '../../../test/support/door.ts'
import { CAPS, type Desk, newReference, openDesk } from '../../../test/support/withdrawal-desk.ts'

const FUNDS = 1_000n
const KNOWN = '0xabcd000000000000000000000000000000001234'
/** Differs from it in the middle only. */
const IMITATION = '0xabcd111111111111111111111111111111111234'
const STRANGER = '0x00000000000000000000000000000000000beef1'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
  await desk.fund(FUNDS)
  await desk.addGas(10n ** 18n)
})
afterAll(() => desk.close())
beforeEach(() => desk.threshold(1))

/** Nodes that answer whether the recipient is a contract, with a fee of 21. */
function answering(isContract: () => Promise<boolean>): Partial<ServerDeps> {
  const quote = async () => ({ ok: false, code: 'INSUFFICIENT_BALANCE', details: {} })
  const adapter = { paymentModel: 'nonce', isContract, quote }
  return { chains: { get: () => Object(adapter) }, feeBook: { feeOf: async () => 21n } }
}

const plain = answering(async () => false)

function estimate(
  body: Record<string, unknown> = {},
  changes: Partial<ServerDeps> = plain,
  key?: string,
): Promise<Answered> {
  return desk.door.askWith(changes, '/withdrawals/estimate', {
    method: 'POST',
    ...(key !== undefined && { key }),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      chainId: ETHEREUM,
      tokenId: ETHER,
      amount: '60',
      recipient: STRANGER,
      ...body,
    }),
  })
}

async function estimated(
  body: Record<string, unknown> = {},
  changes: Partial<ServerDeps> = plain,
): Promise<Record<string, unknown>> {
  const { status, json } = await estimate(body, changes)
  expect([status, json]).toMatchObject([200, { estimate: {} }])
  return Object(json['estimate']) as Record<string, unknown>
}

async function warnings(
  body: Record<string, unknown> = {},
  changes: Partial<ServerDeps> = plain,
): Promise<{ code: string; details: Record<string, unknown> }[]> {
  return Object((await estimated(body, changes))['warnings']) as never
}

const codes = async (body: Record<string, unknown> = {}, changes: Partial<ServerDeps> = plain) =>
  (await warnings(body, changes)).map(({ code }) => code)

const TABLES = ['withdrawals', 'withdrawal_approvals', 'postings', 'events', 'audit_log']
const standing = () => Promise.all(TABLES.map((table) => desk.door.count(table)))

describe('an estimate', () => {
  test('shows the fee, the balance after it and the approvals, and changes nothing', async () => {
    await desk.threshold(2, 1)
    const before = await standing()
    expect(await estimated({}, { ...plain, capsOf: () => CAPS })).toMatchObject({
      chainId: ETHEREUM,
      tokenId: ETHER,
      amount: '60',
      memo: null,
      fee: {
        tokenId: ETHER,
        expected: '21',
        maximum: CAPS.absolute.toString(),
        unknownReason: null,
      },
      available: { before: '1000', after: '940', held: '0' },
      needsApprovals: true,
      requiredApprovals: 2,
      requiredHumans: 1,
      missingApprovals: 1,
    })
    expect(await standing()).toEqual(before)
    expect(await desk.available()).toBe(FUNDS)
  })

  test('needs no approval when the caller alone suffices', async () => {
    expect(await estimated()).toMatchObject({ needsApprovals: false, missingApprovals: 0 })
  })

  test('counts a person who creates the withdrawal as one of the people', async () => {
    await desk.threshold(1, 1)
    expect(await estimated()).toMatchObject({ needsApprovals: true, missingApprovals: 1 })
    const { json } = await (await desk.signer('operator')).ask('/withdrawals/estimate', 'POST', {
      chainId: ETHEREUM,
      tokenId: ETHER,
      amount: '60',
      recipient: STRANGER,
    })
    expect(json['estimate']).toMatchObject({ needsApprovals: false, missingApprovals: 0 })
  })

  test('has an unknown fee and an unknown kind of recipient when no node answers', async () => {
    const away = async () => {
      throw new Outage(ETHEREUM, 'away')
    }
    const changes = { ...answering(away), feeBook: { feeOf: away } }
    const found = await estimated({}, changes)
    expect(found).toMatchObject({
      fee: { expected: null, unknownReason: 'No node of the chain answers.' },
      available: { after: '940' },
    })
    expect(await codes({}, changes)).toContain('CONTRACT_UNKNOWN')
  })

  test.each([
    ['chainId', { chainId: 'eip155:999999' }],
    ['chain that is not enabled', { chainId: 'eip155:137' }],
    ['tokenId', { tokenId: 'eip155:1/slip44:61' }],
    ['token of another chain', { tokenId: 'eip155:11155111/slip44:60' }],
    ['amount', { amount: '0' }],
    ['recipient', { recipient: '0x1' }],
    ['unspendable recipient', { recipient: `0x${'0'.repeat(40)}` }],
    ['balance', { amount: '1001' }],
    ['memo', { memo: 'x'.repeat(65) }],
    ['user id', { externalUserId: ' ' }],
    ['reference', { reference: '' }],
    ['two errors', { chainId: 'eip155:999999', amount: 'x' }],
  ])('is refused as the creation is: %s', async (_what, body) => {
    const creation = await desk.create({ recipient: STRANGER, ...body })
    const answer = await estimate({ reference: newReference(), ...body })
    const saying = ({ status, json }: Answered) => {
      const { requestId: _id, ...details } = Object(json['details']) as Record<string, unknown>
      return { status, error: json['error'], message: json['message'], details }
    }
    expect(creation.status).toBeGreaterThanOrEqual(400)
    expect(saying(answer)).toEqual(saying(creation))
  })

  test('is refused with INSUFFICIENT_GAS when the gas wallet cannot pay the fee', async () => {
    const changes = { ...plain, feeBook: { feeOf: async () => 10n ** 19n } }
    expect(await estimate({}, changes)).toMatchObject({
      status: 422,
      json: { error: 'INSUFFICIENT_GAS' },
    })
  })

  test('is refused with INTERNAL_ERROR when the thresholds were tampered with', async () => {
    const { orgId } = desk
    await desk.tamper(`update organizations set mac = '\\x00' where id = '${orgId}'`)
    expect((await estimate()).status).toBe(500)
    expect(await desk.alerts('organization.tampered')).toEqual([orgId])
    await desk.threshold(1)
    expect((await estimate()).status).toBe(200)
  })
})

describe('an estimate warns', () => {
  test('of a first payment, and not after one that did not fail', async () => {
    const recipient = '0x1111111111111111111111111111111111111111'
    expect(await codes({ recipient })).toContain('FIRST_PAYMENT')
    const id = await desk.created({ recipient, amount: '1' })
    expect(await codes({ recipient })).not.toContain('FIRST_PAYMENT')
    expect(await desk.door.ask(`/withdrawals/${id}`, { method: 'DELETE' })).toMatchObject({
      status: 200,
    })
    expect(await codes({ recipient })).toContain('FIRST_PAYMENT')
  })

  test('of a look-alike of a known recipient, and not of the recipient itself', async () => {
    await desk.created({ recipient: KNOWN, amount: '1' })
    const found = await warnings({ recipient: IMITATION })
    const [first] = found
    expect(first).toMatchObject({
      code: 'LOOKALIKE_ADDRESS',
      details: { addresses: [{ known: 'recipient' }] },
    })
    const [alike] = Object(first?.details['addresses']) as { address: string }[]
    expect(alike?.address.toLowerCase()).toBe(KNOWN)
    expect(await codes({ recipient: KNOWN })).not.toContain('LOOKALIKE_ADDRESS')
    const otherEnd = `${IMITATION.slice(0, -1)}5`
    expect(await codes({ recipient: otherEnd })).not.toContain('LOOKALIKE_ADDRESS')
  })

  test('of a look-alike of an own address, and of an own deposit address', async () => {
    const { text } = await desk.door.ask(
      `/payments/deposit-address?chainId=${ETHEREUM}&tokenId=${ETHER}&userId=ann`,
    )
    const own = /0x[0-9a-fA-F]{40}/.exec(text)?.[0]?.toLowerCase() ?? ''
    expect(await codes({ recipient: own })).toContain('OWN_ADDRESS')
    for (const [address, known] of [
      [own, 'deposit'],
      [desk.settlement, 'settlement'],
    ] as const) {
      const imitation = `${address.slice(0, 6)}${'7'.repeat(32)}${address.slice(-4)}`
      const found = await warnings({ recipient: imitation })
      expect(found.map(({ code }) => code)).not.toContain('OWN_ADDRESS')
      expect(found[0]).toMatchObject({
        code: 'LOOKALIKE_ADDRESS',
        details: { addresses: [{ known }] },
      })
    }
  })

  test('not of addresses of another organization', async () => {
    const other = await desk.door.found('Other')
    const path = `/payments/deposit-address?chainId=${ETHEREUM}&tokenId=${ETHER}&userId=bob`
    const { text } = await desk.door.ask(path, { key: other.key })
    const theirs = /0x[0-9a-fA-F]{40}/.exec(text)?.[0] ?? ''
    expect(await codes({ recipient: theirs })).toEqual(['FIRST_PAYMENT'])
    const imitation = `${theirs.slice(0, 6)}${'7'.repeat(32)}${theirs.slice(-4)}`.toLowerCase()
    expect(await codes({ recipient: imitation })).toEqual(['FIRST_PAYMENT'])
  })

  test('of a contract', async () => {
    expect(
      await codes(
        {},
        answering(async () => true),
      ),
    ).toContain('CONTRACT_RECIPIENT')
  })

  test('of the same payment within 24 hours', async () => {
    const recipient = '0x2222222222222222222222222222222222222222'
    const withdrawalId = await desk.created({ recipient, amount: '2' })
    expect(await warnings({ recipient, amount: '2' })).toMatchObject([
      { code: 'DUPLICATE_PAYMENT', details: { withdrawalId } },
    ])
    expect(await codes({ recipient, amount: '3' })).toEqual([])
    await desk.door.harness.clock.advance(86_400_001)
    expect(await codes({ recipient, amount: '2' })).toEqual([])
  })

  test('of more than half of the available balance', async () => {
    const half = (await desk.available()) / 2n
    expect(await codes({ amount: half.toString() })).not.toContain('LARGE_SHARE')
    expect(await codes({ amount: (half + 1n).toString() })).toContain('LARGE_SHARE')
  })
})
