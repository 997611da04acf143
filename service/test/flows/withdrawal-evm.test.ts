import { gasGluttonInitCode } from '@sluice/simulator'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { auditLedger } from '../../src/audit/run.ts'
import { raiseAlert, resolveAlert } from '../../src/alerts/raise-alert.ts'
import { verifyTokens } from '../../src/catalogue/verify-tokens.ts'
import { processWithdrawals } from '../../src/withdrawals/pay/process.ts'
import { parseHolder } from '../adapters/brands.ts'
import { type AnvilChain, listed, startAnvilChain, tokenId } from '../support/anvil-chain.ts'
import { randomWallet } from '../support/random-wallet.ts'
import { idIn } from '../support/withdrawal-desk.ts'
import {
  type Colleague,
  openWithdrawingWorld,
  type WithdrawingWorld,
} from '../support/withdrawing-world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const ETHER = `${SEPOLIA}/slip44:60`
const AMOUNT = 10n ** 15n
const USER = 'ann'

let anvil: AnvilChain
beforeAll(async () => {
  anvil = await startAnvilChain(SEPOLIA)
})
afterAll(() => anvil.stop())
beforeEach(() => anvil.rpc('evm_setAutomine', [true]))

test('a withdrawal with two approvals emits each event once until completed [A08]', async () => {
  const harness = await openWithdrawingWorld(anvil)
  const [ann, ben, cem] = [
    await harness.colleague('admin'),
    await harness.colleague(),
    await harness.colleague(),
  ]
  const set = await ann.ask('PATCH', '/organisation/min-withdrawal-signers', {
    minWithdrawalSigners: 3,
  })
  expect(set).toMatchObject({ status: 200, json: {} })
  const to = randomWallet('three signers')
  const id = await created(ann, { recipient: to })
  const path = `/withdrawals/${id}`
  expect((await ben.approve(id)).json).toMatchObject({ withdrawal: { status: 'PendingApproval' } })
  await harness.spend()
  expect(await harness.read(id)).toMatchObject({ status: 'PendingApproval', txnHash: null })
  expect((await cem.approve(id)).json).toMatchObject({ withdrawal: { status: 'Pending' } })
  await harness.spend()
  expect((await ann.ask('GET', path)).json).toMatchObject({ status: 'Processing', fee: null })
  expect((await ann.ask('DELETE', path)).json).toMatchObject({ error: 'WITHDRAWAL_NOT_PENDING' })
  await harness.mine(REQUIRED - 1)
  expect(await harness.read(id)).toMatchObject({ status: 'Processing' })
  await harness.mine()
  const { json } = await ann.ask('GET', path)
  expect(json).toMatchObject({
    status: 'Completed',
    externalUserId: '',
    Token: { id: ETHER },
    approvers: [ann.userId, ben.userId, cem.userId],
  })
  expect(BigInt(String(json['fee']))).toBeGreaterThan(0n)
  expect(await balance(to)).toBe(AMOUNT)
  expect(await toldOf(harness, id)).toEqual([
    'withdrawal.created',
    'withdrawal.approved',
    'withdrawal.processing',
    'withdrawal.completed',
  ])
  await expectWhole(harness)
})

test('a token still at a deposit address is swept for a withdrawal [I17]', async () => {
  const contract = await anvil.create()
  const token = tokenId(SEPOLIA, contract)
  const harness = await openWithdrawingWorld(anvil, { tokens: [listed(SEPOLIA, contract)] })
  await verified(harness)
  const { address } = await harness.world.issue(USER)
  await anvil.payToken(contract, address, 500n)
  await harness.mine(REQUIRED)
  const [operator] = [await harness.colleague('operator')]
  const to = randomWallet('unswept')
  const id = await created(operator, { tokenId: token, amount: '400', recipient: to })
  await harness.spend()
  expect(await harness.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'funds' })
  expect(await harness.conclude(id, 12)).toMatchObject({ status: 'Completed' })
  expect(await tokens(contract, to)).toBe(400n)
  expect(await harness.world.balance(token)).toBe(100n)
  await expectWhole(harness)
})

test('unswept money is reported after a long time, until it is paid [W20]', async () => {
  const contract = await anvil.create()
  const token = tokenId(SEPOLIA, contract)
  const harness = await openWithdrawingWorld(anvil, { tokens: [listed(SEPOLIA, contract)] })
  await verified(harness)
  const { address } = await harness.world.issue(USER)
  await anvil.payToken(contract, address, 500n)
  await harness.mine(REQUIRED)
  const id = await created(await harness.colleague('operator'), { tokenId: token, amount: '400' })
  // No sweep happens meanwhile.
  await processWithdrawals(harness.spender)
  await harness.world.clock.advance(harness.spender.gasWaitMs)
  for (let looks = 0; looks < 2; looks += 1) await processWithdrawals(harness.spender)
  const told = { code: 'withdrawal.waiting', subject: id, times: 1 }
  expect(await harness.world.alerts()).toMatchObject([told])
  expect(await harness.conclude(id, 12)).toMatchObject({ status: 'Completed' })
  expect(await harness.world.alerts()).toEqual([])
  await expectWhole(harness)
})

test('a withdrawal from a blacklisted settlement address is returned once [E23]', async () => {
  const contract = await anvil.create()
  const token = tokenId(SEPOLIA, contract)
  const harness = await openWithdrawingWorld(anvil, { tokens: [listed(SEPOLIA, contract)] })
  await verified(harness)
  await anvil.payToken(contract, harness.settlement, 500n)
  await harness.mine(REQUIRED)
  const operator = await harness.colleague('operator')
  await anvil.call(contract, 'blacklist(address,bool)', [harness.settlement, true])
  const id = await created(operator, { tokenId: token, amount: '400' })
  expect(await harness.world.balance(token)).toBe(100n)
  expect(await harness.conclude(id, 3)).toMatchObject({
    status: 'Failed',
    failureCode: 'RECIPIENT_REFUSES',
    txnHash: null,
  })
  await harness.spend()
  expect(await harness.world.balance(token)).toBe(500n)
  expect(await toldOf(harness, id)).toEqual([
    'withdrawal.created',
    'withdrawal.approved',
    'withdrawal.failed',
  ])
  const told = { code: 'withdrawal.refused', subject: `${token} ${harness.settlement}`, times: 1 }
  expect(await harness.world.alerts()).toMatchObject([told])
  await anvil.call(contract, 'blacklist(address,bool)', [harness.settlement, false])
  const next = await created(operator, { tokenId: token, amount: '400' })
  expect((await harness.conclude(next)).status).toBe('Completed')
  expect(await harness.world.alerts()).toEqual([])
  await expectWhole(harness)
})

test('a blacklisted recipient raises no alert [E23]', async () => {
  const contract = await anvil.create()
  const token = tokenId(SEPOLIA, contract)
  const harness = await openWithdrawingWorld(anvil, { tokens: [listed(SEPOLIA, contract)] })
  await verified(harness)
  await anvil.payToken(contract, harness.settlement, 500n)
  await harness.mine(REQUIRED)
  const recipient = randomWallet('blacklisted')
  await anvil.call(contract, 'blacklist(address,bool)', [recipient, true])
  const operator = await harness.colleague('operator')
  const id = await created(operator, { tokenId: token, amount: '400', recipient })
  expect(await harness.conclude(id, 3)).toMatchObject({ failureCode: 'RECIPIENT_REFUSES' })
  expect(await harness.world.alerts()).toEqual([])
})

test.each([
  ['at our own address', 'settlement'],
  ['at the address of a user', 'deposit'],
])('a token missing %s is not paid out until an operator closes the alert [E09]', async (_, of) => {
  const [burnt, sound] = [await anvil.create(), await anvil.create()]
  const listing = [listed(SEPOLIA, burnt), listed(SEPOLIA, sound)]
  const harness = await openWithdrawingWorld(anvil, { tokens: listing })
  await verified(harness)
  const { address } = await harness.world.issue(USER)
  const at = of === 'deposit' ? parseHolder(SEPOLIA, address) : harness.settlement
  for (const contract of [burnt, sound]) await anvil.payToken(contract, harness.settlement, 500n)
  await harness.mine(REQUIRED)
  // Unconfirmed deposits stay: no sweep moves them.
  await anvil.payToken(burnt, address, 200n)
  await harness.mine()
  await anvil.call(burnt, 'burnFrom(address,uint256)', [at, 100n])
  await harness.mine()
  const operator = await harness.colleague('operator')
  const id = await created(operator, { tokenId: tokenId(SEPOLIA, burnt), amount: '400' })
  const other = await created(operator, { tokenId: tokenId(SEPOLIA, sound), amount: '400' })
  await harness.world.auditCycle()
  expect((await harness.conclude(other, 6)).status).toBe('Completed')
  expect((await harness.read(id)).status).toBe('Pending')
  const subject = `${tokenId(SEPOLIA, burnt)} ${at}`
  const alert = { code: 'ledger.difference', subject } as const
  expect(await harness.world.database.transaction((tx) => resolveAlert(tx, alert))).toBe(true)
  expect((await harness.conclude(id, 6)).status).toBe('Completed')
})

test('no withdrawal is signed while the nodes of a chain disagree [N05]', async () => {
  const harness = await openWithdrawingWorld(anvil)
  const { database } = harness.world
  const alert = { code: 'chain.disputed', subject: SEPOLIA } as const
  await database.transaction((tx) => raiseAlert(tx, { ...alert, message: 'as a test says' }))
  const id = await created(await harness.colleague('operator'), {})
  await harness.spend()
  expect(await harness.read(id)).toMatchObject({ status: 'Pending', txnHash: null })
  await database.transaction((tx) => resolveAlert(tx, alert))
  expect((await harness.conclude(id)).status).toBe('Completed')
})

test('a reverted withdrawal fails when final, and is returned once [W22]', async () => {
  const contract = await anvil.create()
  const token = tokenId(SEPOLIA, contract)
  const harness = await openWithdrawingWorld(anvil, { tokens: [listed(SEPOLIA, contract)] })
  await verified(harness)
  await anvil.payToken(contract, harness.settlement, 500n)
  await harness.mine(REQUIRED)
  const operator = await harness.colleague('operator')
  const id = await created(operator, { tokenId: token, amount: '400' })
  await anvil.rpc('evm_setAutomine', [false])
  await harness.spend()
  // The call would have succeeded at signing, and fails when mined.
  const before = await harness.read(id)
  expect(before.status).toBe('Processing')
  await anvil.rpc('anvil_dropTransaction', [before.txnHash])
  await anvil.rpc('evm_setAutomine', [true])
  await anvil.call(contract, 'pause(bool)', [true])
  await harness.mine(3)
  await harness.spend()
  await harness.mine(REQUIRED)
  await harness.mine()
  expect(await harness.read(id)).toMatchObject({
    status: 'Failed',
    failureCode: 'REVERTED',
    txnHash: before.txnHash,
  })
  expect((await harness.read(id)).fee).toBeGreaterThan(0n)
  expect(await harness.world.balance(token)).toBe(500n)
  await expectWhole(harness)
})

test('a reorged completed withdrawal keeps its status and its bytes [R09]', async () => {
  const harness = await openWithdrawingWorld(anvil)
  const operator = await harness.colleague('operator')
  const to = randomWallet('reorged')
  const id = await created(operator, { recipient: to })
  const { txnHash } = await harness.conclude(id)
  const reserved = () => harness.world.balance(ETHER, 'claim:reserved')
  expect(await reserved()).toBe(0n)
  await anvil.rpc('evm_setAutomine', [false])
  await anvil.reorg(1 + 2 * REQUIRED)
  await harness.mine()
  expect(await harness.world.state()).toMatchObject({ condition: 'frozen' })
  expect(await harness.read(id)).toMatchObject({ status: 'Completed', txnHash })
  expect([await reserved(), await balance(to)]).toEqual([AMOUNT, 0n])
  await harness.spend()
  await harness.mine(2)
  expect(await balance(to)).toBe(0n)
  await harness.world.resume()
  for (let round = 0; round < 3; round += 1) {
    await harness.spend()
    await harness.mine(1 + REQUIRED)
  }
  expect([await reserved(), await balance(to)]).toEqual([0n, AMOUNT])
  expect(await harness.read(id)).toMatchObject({ status: 'Completed', txnHash })
  expect(await toldOf(harness, id)).toEqual([
    'withdrawal.created',
    'withdrawal.approved',
    'withdrawal.processing',
    'withdrawal.completed',
  ])
  await expectWhole(harness)
})

test('a recipient with code gets the gas it needs, up to a limit [E24]', async () => {
  const harness = await openWithdrawingWorld(anvil)
  const operator = await harness.colleague('operator')
  const eater = await anvil.create(gasGluttonInitCode(30_000n))
  const glutton = await anvil.create(gasGluttonInitCode(5_000_000n))
  const refused = await created(operator, { recipient: glutton })
  const paid = await created(operator, { recipient: eater })
  expect(await harness.conclude(paid)).toMatchObject({ status: 'Completed' })
  expect(await balance(eater)).toBe(AMOUNT)
  expect(await harness.read(refused)).toMatchObject({
    status: 'Failed',
    failureCode: 'RECIPIENT_REFUSES',
  })
  expect(await balance(glutton)).toBe(0n)
  await expectWhole(harness)
})

test('a withdrawal to a deposit address is a deposit there, once [E16]', async () => {
  const harness = await openWithdrawingWorld(anvil)
  const operator = await harness.colleague('operator')
  const { address } = await harness.world.issue(USER)
  const available = await harness.world.balance(ETHER)
  const id = await created(operator, { recipient: address })
  expect(await harness.conclude(id)).toMatchObject({ status: 'Completed' })
  const { txnHash } = await harness.read(id)
  const deposits = await harness.world.deposits()
  expect(deposits.map((one) => [one.txnHash, one.amount, one.status])).toEqual([
    [txnHash, AMOUNT, 'Confirmed'],
  ])
  expect(await harness.world.balance(ETHER)).toBe(available)
  await expectWhole(harness)
})

async function created(by: Colleague, more: Record<string, unknown>): Promise<string> {
  const answer = await by.ask('POST', '/withdrawals', {
    chainId: SEPOLIA,
    tokenId: ETHER,
    amount: AMOUNT.toString(),
    recipient: randomWallet('anybody'),
    reference: `${Math.random()}`,
    ...more,
  })
  expect(answer).toMatchObject({ status: 201 })
  return idIn(answer.json['withdrawal'])
}

/** Queries the contracts as the program does at its start. */
async function verified({ world }: WithdrawingWorld): Promise<void> {
  const { database, catalogue } = world
  const adapter = world.adapter(SEPOLIA)
  const chains = { get: () => adapter, all: () => [adapter], close: async () => undefined }
  await verifyTokens({ database, chains }, catalogue)
}

async function toldOf({ world }: WithdrawingWorld, id: string): Promise<string[]> {
  const told = await world.events()
  return told.filter(({ payload }) => payload['id'] === id).map(({ type }) => type)
}

function balance(address: string): Promise<bigint> {
  return anvil.rpc<string>('eth_getBalance', [address, 'latest']).then(BigInt)
}

/** The balance of a holder according to the test token. */
async function tokens(contract: string, holder: string): Promise<bigint> {
  const data = `0x70a08231${holder.slice(2).toLowerCase().padStart(64, '0')}`
  return BigInt(await anvil.rpc<string>('eth_call', [{ to: contract, data }, 'latest']))
}

/** The ledger matches its postings and the chain, to the base unit. */
async function expectWhole({ world }: WithdrawingWorld): Promise<void> {
  expect(await auditLedger(world)).toEqual([])
  expect((await world.audit()).findings).toEqual([])
}
