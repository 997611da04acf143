import { base58Of, startTronNode, type TronChain, type TronNode } from '@sluice/simulator'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { derivationOf, signerPath } from '../../src/accounts/signer-path.ts'
import { auditLedger } from '../../src/audit/run.ts'
import { verifyTokens } from '../../src/catalogue/verify-tokens.ts'
import type { Address } from '../../src/chains/port.ts'
import { parseChain, parseToken } from '../adapters/brands.ts'
import { tronSender } from '../adapters/tron-world.ts'
import { idIn } from '../support/withdrawal-desk.ts'
import {
  type Colleague,
  openWithdrawingWorld,
  type WithdrawingWorld,
} from '../support/withdrawing-world.ts'

const SHASTA = parseChain('tron:shasta')
const COIN = `${SHASTA}/slip44:195`
/** As the catalogue has it. */
const CONTRACT = 'TG3XXyExBkPp9nzdajDZsozEu4BkaSJozs'
const USDT = `${SHASTA}/trc20:${CONTRACT}`
const SOLID_LAG = 18
const TRX = 1_000_000n
const FUNDED = 1_000n * TRX
/** Blocks that a transaction's window is long, and some more. */
const WINDOW_BLOCKS = 230

interface Tron extends WithdrawingWorld {
  node: TronNode
  chain: TronChain
  operator: Colleague
}

test('T13 coins go out to an address that was never activated, and arrive once', async () => {
  const house = await opened()
  const to = tronSender(501).address
  const id = await created(house, { recipient: to, amount: String(20n * TRX) })
  expect(await house.conclude(id)).toMatchObject({ status: 'Completed' })
  expect(house.chain.balance(to)).toBe(20n * TRX)
  const { json } = await house.operator.ask('GET', `/withdrawals/${id}`)
  expect(json).toMatchObject({ status: 'Completed', fee: '1100000' })
  expect(house.chain.blockOf(String(json['txnHash']))).not.toBeNull()
  expect(await house.world.balance(COIN)).toBe(FUNDED - 20n * TRX)
  await expectWhole(house)
})

test('a memo goes with the payment', async () => {
  const house = await opened()
  const to = tronSender(502).address
  const id = await created(house, { recipient: to, amount: String(30n * TRX), memo: 'invoice 7' })
  const { txnHash } = await house.conclude(id)
  const found = house.chain.blockOf(String(txnHash))?.executed ?? []
  const [paid] = found.filter(({ transaction }) => transaction.id === txnHash)
  expect(Buffer.from(paid?.transaction.data ?? '', 'hex').toString()).toBe('invoice 7')
  await expectWhole(house)
})

test('I17 a token on an address that was never activated is swept, and goes out', async () => {
  const house = await opened()
  const { address } = await house.world.issue('ann', SHASTA)
  house.chain.payToken({ to: address, amount: 50n * TRX, token: CONTRACT })
  await house.mine(1 + SOLID_LAG)
  expect(house.chain.balance(address)).toBe(0n)
  const to = tronSender(503).address
  const id = await created(house, { tokenId: USDT, recipient: to, amount: String(40n * TRX) })
  expect(await house.conclude(id, 12)).toMatchObject({ status: 'Completed' })
  expect(house.chain.tokens(CONTRACT, to)).toBe(40n * TRX)
  expect(house.chain.tokens(CONTRACT, house.settlement)).toBe(10n * TRX)
  expect(house.chain.tokens(CONTRACT, address)).toBe(0n)
  // What the gas wallet gave has activated the address, and has not all been burnt.
  expect(house.chain.balance(address)).toBeGreaterThan(0n)
  await expectWhole(house)
})

test('V04 coins for a contract fail before anything is signed, and are given back', async () => {
  const house = await opened()
  const id = await created(house, { recipient: router(house), amount: String(20n * TRX) })
  expect(await house.conclude(id)).toMatchObject({
    status: 'Failed',
    failureCode: 'RECIPIENT_REFUSES',
    txnHash: null,
  })
  expect(await signedFor(house)).toBe(0)
  expect(await house.world.balance(COIN)).toBe(FUNDED)
})

test('T11 W22 a token that fails in its block is given back once, its fee booked', async () => {
  const house = await opened()
  await deposited(house, 'ben', 50n * TRX)
  const gas = await gasOf(house)
  const id = await created(house, {
    tokenId: USDT,
    recipient: tronSender(504).address,
    amount: String(5n * TRX),
  })
  house.chain.lets = () => false
  for (let round = 0; round < 6 && (await house.read(id)).status === 'Pending'; round += 1) {
    house.chain.lets = () => true
    await house.spend()
    if ((await house.read(id)).status === 'Processing') break
    await house.mine(1 + SOLID_LAG)
  }
  house.chain.setToken(CONTRACT, { isPaused: true })
  await house.mine(1 + SOLID_LAG)
  house.chain.setToken(CONTRACT, { isPaused: false })
  expect(await house.read(id)).toMatchObject({ status: 'Failed', failureCode: 'REVERTED' })
  expect(await house.world.balance(USDT)).toBe(50n * TRX)
  expect(await gasOf(house)).toBeLessThan(gas)
  await expectWhole(house)
})

test('T08 W13 a node that loses its answers is paid through once', async () => {
  const house = await opened()
  const to = tronSender(505).address
  const id = await created(house, { recipient: to, amount: String(20n * TRX) })
  await house.spend()
  for (let round = 0; round < 3; round += 1) {
    house.chain.pool.clear()
    house.chain.known.clear()
    await house.mine(4)
    await house.spend()
  }
  expect((await house.read(id)).status).toBe('Processing')
  await house.mine(1 + SOLID_LAG)
  expect(await house.read(id)).toMatchObject({ status: 'Completed' })
  expect(house.chain.balance(to)).toBe(20n * TRX)
  expect(await signedFor(house)).toBe(1)
})

test('T07 W07 what nobody includes is made anew when it has expired, and paid once', async () => {
  const house = await opened()
  const { chain } = house
  const to = tronSender(506).address
  const id = await created(house, { recipient: to, amount: String(20n * TRX) })
  chain.lets = () => false
  await house.spend()
  const first = String((await house.read(id)).txnHash)
  const raw = chain.pool.get(first)
  await house.mine(WINDOW_BLOCKS - 40)
  await house.spend()
  // The head has passed the end, the solid chain has not.
  expect(await signedFor(house)).toBe(1)
  await house.mine(60)
  await house.spend()
  expect(await signedFor(house)).toBe(2)
  chain.lets = () => true
  // Whoever keeps the old bytes cannot bring them in any more.
  if (raw !== undefined) {
    chain.known.delete(first)
    expect(chain.take(raw).code).not.toBe('SUCCESS')
  }
  await house.mine(1 + SOLID_LAG)
  const done = await house.read(id)
  expect(done.status).toBe('Completed')
  expect(done.txnHash).not.toBe(first)
  expect(chain.balance(to)).toBe(20n * TRX)
  await expectWhole(house)
})

test('T07 W25 no successor names a block that we have not read', async () => {
  const house = await opened()
  const { chain } = house
  const id = await created(house, { recipient: tronSender(508).address, amount: String(20n * TRX) })
  chain.lets = () => false
  await house.spend()
  await house.mine(WINDOW_BLOCKS + SOLID_LAG)
  // What solid blocks above our tip hold, one of ours perhaps, is not known here.
  chain.mine(2 * SOLID_LAG)
  await house.spend()
  expect(await signedFor(house)).toBe(1)
  await house.mine(1)
  await house.spend()
  expect(await signedFor(house)).toBe(2)
  expect(await house.read(id)).toMatchObject({ status: 'Processing' })
})

test('T07 after three successors it fails, and is given back once', async () => {
  const house = await opened()
  const { chain } = house
  const to = tronSender(507).address
  const id = await created(house, { recipient: to, amount: String(20n * TRX) })
  chain.lets = () => false
  for (let round = 0; round < 8; round += 1) {
    await house.spend()
    await house.mine(WINDOW_BLOCKS)
  }
  expect(await signedFor(house)).toBe(4)
  expect(await house.read(id)).toMatchObject({ status: 'Failed', failureCode: 'EXPIRED' })
  expect(await house.world.balance(COIN)).toBe(FUNDED)
  chain.lets = () => true
  await house.spend()
  await house.mine(1 + SOLID_LAG)
  expect(chain.balance(to)).toBe(0n)
  expect(await signedFor(house)).toBe(4)
  await expectWhole(house)
})

test('R09 a payment whose block is replaced goes out again with the same bytes', async () => {
  const house = await opened()
  const { chain } = house
  const to = tronSender(508).address
  const id = await created(house, { recipient: to, amount: String(20n * TRX) })
  await house.spend()
  await house.mine(2)
  const { txnHash } = await house.read(id)
  chain.reorg({ depth: 4 })
  chain.known.delete(String(txnHash))
  await house.mine()
  expect(chain.balance(to)).toBe(0n)
  await house.mine(4)
  await house.spend()
  await house.mine(1 + SOLID_LAG)
  expect(await house.read(id)).toMatchObject({ status: 'Completed', txnHash })
  expect(chain.balance(to)).toBe(20n * TRX)
  expect(await signedFor(house)).toBe(1)
})

test('W19 W25 a transaction of ours that we do not remember halts its sender', async () => {
  const house = await opened()
  await foreign(house, { to: tronSender(509).address, amount: 7n * TRX })
  await house.mine(1)
  const codes = (await house.world.alerts()).map(({ code }) => code)
  expect(codes).toContain('spend.forgotten')
  const to = tronSender(510).address
  const id = await created(house, { recipient: to, amount: String(20n * TRX) })
  expect(await house.conclude(id, 3)).toMatchObject({ status: 'Pending' })
  expect(house.chain.balance(to)).toBe(0n)
})

test('W25 one that pays what a withdrawal waits for is that withdrawal, paid once', async () => {
  const house = await opened()
  const { chain } = house
  const to = tronSender(511).address
  const id = await created(house, { recipient: to, amount: String(20n * TRX) })
  chain.lets = () => false
  await house.spend()
  const first = String((await house.read(id)).txnHash)
  const second = await foreign(house, { to, amount: 20n * TRX })
  chain.lets = (hash) => hash !== first
  await house.mine(1 + SOLID_LAG)
  expect(await house.read(id)).toMatchObject({ status: 'Completed', txnHash: second })
  chain.lets = () => false
  await house.mine(WINDOW_BLOCKS)
  await house.spend()
  expect(await signedFor(house)).toBe(1)
  expect(chain.balance(to)).toBe(20n * TRX)
})

/** Pays from the settlement account behind the service's back. */
async function foreign(
  { world, settlement }: Tron,
  { to, amount }: { to: Address; amount: bigint },
): Promise<string> {
  const { database, keys } = world
  const [adapter, entry] = [world.adapter(SHASTA), world.entry(SHASTA)]
  const path = await database.transaction((tx) =>
    signerPath(tx, keys, { entry, address: settlement }),
  )
  if (path === null) throw new Error('no settlement account')
  const tokenId = parseToken(COIN)
  const intent = { chainId: SHASTA, tokenId, from: settlement, to, amount, memo: null }
  const caps = { absolute: 100n * TRX, gasLimit: 1n, tokenGasLimit: 1n, relativePercent: null }
  const quote = await adapter.quote(intent, caps)
  if (!quote.ok) throw new Error(quote.message)
  const unsigned = adapter.craft(intent, quote.terms, { kind: 'nonce', nonce: 777 })
  const at = derivationOf(entry, path)
  const signed = adapter.combine(
    unsigned,
    unsigned.digests.map((digest) => keys.keyring.sign(at, digest)),
  )
  await adapter.broadcast(signed.raw)
  return signed.txnHash
}

/** How many transactions were ever signed for withdrawals. */
async function signedFor({ world }: Tron): Promise<number> {
  const { count } = await world.database.transaction((tx) =>
    tx.one(sql<{ count: number }>`
      select count(*)::int as count
        from spend_transactions t
        join spends s
          on s.org_id = t.org_id
         and s.id = t.spend_id
       where s.purpose = 'withdrawal'`),
  )
  return count
}

async function opened(): Promise<Tron> {
  const node = await startTronNode({ solidLag: SOLID_LAG })
  onTestFinished(() => node.stop())
  const { chain } = node
  chain.deployToken({ name: 'Tether USD', symbol: 'USDT', decimals: 6, address: CONTRACT })
  chain.mine(30)
  const hand = {
    id: SHASTA,
    url: node.url,
    settles: SOLID_LAG + 1,
    feeCap: 100n * TRX,
    pay: async (to: string, amount: bigint) => chain.pay({ to, amount }),
    mine: async (blocks = 1) => chain.mine(blocks),
  }
  const house = await openWithdrawingWorld(hand, { wei: FUNDED })
  const { database, catalogue } = house.world
  const adapter = house.world.adapter(SHASTA)
  const chains = { get: () => adapter, all: () => [adapter], close: async () => undefined }
  await verifyTokens({ database, chains }, catalogue)
  return { ...house, node, chain, operator: await house.colleague('operator') }
}

async function created({ operator }: Tron, more: Record<string, unknown>): Promise<string> {
  const body = { chainId: SHASTA, tokenId: COIN, reference: `${Math.random()}`, ...more }
  const answer = await operator.ask('POST', '/withdrawals', body)
  expect(answer).toMatchObject({ status: 201 })
  return idIn(answer.json['withdrawal'])
}

async function deposited(house: Tron, user: string, amount: bigint): Promise<void> {
  const { address } = await house.world.issue(user, SHASTA)
  house.chain.payToken({ to: address, amount, token: CONTRACT })
  await house.mine(1 + SOLID_LAG)
}

function gasOf({ world }: Tron): Promise<bigint> {
  return world.balance(COIN, 'claim:gas')
}

/** A contract that is no token. */
function router({ chain }: Tron): string {
  chain.runScript(() => ({}))
  const [id] = [...chain.pool.keys()].slice(-1)
  const value = chain.pool.get(id ?? '')?.value['contract_address']
  return base58Of(String(value))
}

async function expectWhole({ world }: Tron): Promise<void> {
  expect(await auditLedger(world)).toEqual([])
  expect((await world.audit(SHASTA)).findings).toEqual([])
}
