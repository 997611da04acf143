import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listAudit } from '../../src/audit-log/list-audit.ts'
import { auditLedger } from '../../src/audit/run.ts'
import { type AnvilChain, startAnvilChain } from '../support/anvil-chain.ts'
import type { Answered } from '../support/door.ts'
import { randomWallet } from '../support/random-wallet.ts'
import { idIn } from '../support/withdrawal-desk.ts'
import { type Colleague, openWithdrawingWorld } from '../support/withdrawing-world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const AMOUNT = 10n ** 15n
const UNKNOWN = '019b76da-0000-7000-8000-000000000000'
let references = 0

let anvil: AnvilChain
beforeAll(async () => {
  anvil = await startAnvilChain(SEPOLIA)
})
afterAll(() => anvil.stop())
beforeEach(() => anvil.rpc('evm_setAutomine', [true]))

test('a withdrawal that was sped up is paid once, at a higher fee [W18]', async () => {
  const harness = await openWithdrawingWorld(anvil)
  const [operator, viewer] = [await harness.colleague('operator'), await harness.colleague()]
  const to = randomWallet('sped up')
  const id = await created(operator, to)
  const path = `/withdrawals/${id}`
  const speedUp = () => operator.ask('POST', `${path}/speed-up`)
  expectRefused(await speedUp(), { id, status: 'Pending', reason: 'unsigned' })
  await anvil.rpc('evm_setAutomine', [false])
  await harness.spend()
  const signed = (await viewer.ask('GET', path)).json
  expect(signed).toMatchObject({
    status: 'Processing',
    transactions: [{ txnHash: signed['txnHash'], broadcastAt: expect.any(String) }],
    speedUp: { possible: true, reason: null, requestedAt: null },
  })

  const [one, two] = [await speedUp(), await speedUp()]
  expect(one).toMatchObject({ status: 202, json: { withdrawal: { id, status: 'Processing' } } })
  expect(two).toEqual({ ...one, headers: two.headers })
  const { requestedAt } = Object(one.json['speedUp'])
  expect(one.json['speedUp']).toEqual({ possible: true, reason: null, requestedAt })
  expect(await viewer.ask('GET', path)).toMatchObject({ json: { speedUp: { requestedAt } } })
  await harness.spend()
  await harness.spend()
  const replaced = (await viewer.ask('GET', path)).json
  const [first, second, ...others] = transactionsIn(replaced)
  expect(others).toEqual([])
  expect(first?.txnHash).toBe(signed['txnHash'])
  expect(replaced).toMatchObject({
    txnHash: second?.txnHash,
    speedUp: { possible: true, requestedAt: null },
  })
  expect(BigInt(second?.maxFee ?? 0) * 8n).toBeGreaterThanOrEqual(BigInt(first?.maxFee ?? 0) * 9n)

  await harness.mine()
  expectRefused(await speedUp(), { id, status: 'Processing', reason: 'included' })
  await harness.mine(REQUIRED)
  expect((await viewer.ask('GET', path)).json).toMatchObject({
    status: 'Completed',
    txnHash: second?.txnHash,
    transactions: [{ txnHash: first?.txnHash }, { txnHash: second?.txnHash }],
    speedUp: { possible: false, reason: 'included', requestedAt: null },
  })
  expectRefused(await speedUp(), { id, status: 'Completed', reason: 'included' })
  expect(BigInt(await anvil.rpc<string>('eth_getBalance', [to, 'latest']))).toBe(AMOUNT)
  const events = (await harness.world.events()).filter(({ payload }) => payload['id'] === id)
  expect(events.map(({ type }) => type)).toEqual([
    'withdrawal.created',
    'withdrawal.approved',
    'withdrawal.processing',
    'withdrawal.completed',
  ])
  const { database, orgId } = harness.world
  const entries = await database.transaction((tx) => listAudit(tx, { orgId, object: id }))
  expect(entries.filter(({ action }) => action === 'withdrawal.speed-up')).toMatchObject([
    { actor: `user:${operator.userId}`, details: { txnHash: first?.txnHash } },
  ])
  expect(await auditLedger(harness.world)).toEqual([])
  expect((await harness.world.audit(SEPOLIA)).findings).toEqual([])
})

test('only the first of two waiting withdrawals can be sped up; others are refused', async () => {
  const harness = await openWithdrawingWorld(anvil)
  const operator = await harness.colleague('operator')
  await anvil.rpc('evm_setAutomine', [false])
  const ids = [
    await created(operator, randomWallet('one')),
    await created(operator, randomWallet('two')),
  ]
  await harness.spend()
  const [first = '', second = ''] = ids
  const speedUp = (id: string) => operator.ask('POST', `/withdrawals/${id}/speed-up`)
  const details = {
    id: second,
    status: 'Processing',
    reason: 'earlier',
    earlierWithdrawalId: first,
  }
  expectRefused(await speedUp(second), details)
  expect((await speedUp(first)).status).toBe(202)
  expect(await speedUp(UNKNOWN)).toMatchObject({
    status: 404,
    json: { error: 'WITHDRAWAL_NOT_FOUND' },
  })
  const cancelled = await created(operator, randomWallet('three'))
  await operator.ask('DELETE', `/withdrawals/${cancelled}`)
  expectRefused(await speedUp(cancelled), { id: cancelled, status: 'Cancelled', reason: 'ended' })
  for (const id of ids) expect(await harness.conclude(id)).toMatchObject({ status: 'Completed' })
})

interface Shown {
  txnHash: string
  maxFee: string
}

function transactionsIn(json: Record<string, unknown>): Shown[] {
  return Object(json['transactions'])
}

function expectRefused({ status, json }: Answered, details: Record<string, unknown>): void {
  expect({ status, error: json['error'], details: json['details'] }).toEqual({
    status: 422,
    error: 'WITHDRAWAL_NOT_REPLACEABLE',
    details: expect.objectContaining(details),
  })
}

async function created(operator: Colleague, recipient: string): Promise<string> {
  references += 1
  const { json } = await operator.ask('POST', '/withdrawals', {
    chainId: SEPOLIA,
    tokenId: `${SEPOLIA}/slip44:60`,
    amount: AMOUNT.toString(),
    recipient,
    reference: `speed up ${references}`,
  })
  return idIn(json['withdrawal'])
}
