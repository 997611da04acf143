import { expect, test } from 'vitest'
import { tronSender } from '../adapters/tron-world.ts'
import {
  COIN,
  CONTRACT,
  created,
  deposited,
  expectWhole,
  foreign,
  FUNDED,
  gasOf,
  opened,
  router,
  SHASTA,
  signedFor,
  SOLID_LAG,
  TRX,
  USDT,
  WINDOW_BLOCKS,
} from '../support/tron-harness.ts'

test('TRX is sent once to an address that is not activated [T13]', async () => {
  const harness = await opened()
  const to = tronSender(501).address
  const id = await created(harness, { recipient: to, amount: String(20n * TRX) })
  expect(await harness.conclude(id)).toMatchObject({ status: 'Completed' })
  expect(harness.chain.balance(to)).toBe(20n * TRX)
  const { json } = await harness.operator.ask('GET', `/withdrawals/${id}`)
  expect(json).toMatchObject({ status: 'Completed', fee: '1100000' })
  expect(harness.chain.blockOf(String(json['txnHash']))).not.toBeNull()
  expect(await harness.world.balance(COIN)).toBe(FUNDED - 20n * TRX)
  await expectWhole(harness)
})

test('a memo is part of the payment', async () => {
  const harness = await opened()
  const to = tronSender(502).address
  const id = await created(harness, { recipient: to, amount: String(30n * TRX), memo: 'invoice 7' })
  const { txnHash } = await harness.conclude(id)
  const found = harness.chain.blockOf(String(txnHash))?.executed ?? []
  const [paid] = found.filter(({ transaction }) => transaction.id === txnHash)
  expect(Buffer.from(paid?.transaction.data ?? '', 'hex').toString()).toBe('invoice 7')
  await expectWhole(harness)
})

test('a token at an address that is not activated is swept and paid out [I17]', async () => {
  const harness = await opened()
  const { address } = await harness.world.issue('ann', SHASTA)
  harness.chain.payToken({ to: address, amount: 50n * TRX, token: CONTRACT })
  await harness.mine(1 + SOLID_LAG)
  expect(harness.chain.balance(address)).toBe(0n)
  const to = tronSender(503).address
  const id = await created(harness, { tokenId: USDT, recipient: to, amount: String(40n * TRX) })
  expect(await harness.conclude(id, 12)).toMatchObject({ status: 'Completed' })
  expect(harness.chain.tokens(CONTRACT, to)).toBe(40n * TRX)
  expect(harness.chain.tokens(CONTRACT, harness.settlement)).toBe(10n * TRX)
  expect(harness.chain.tokens(CONTRACT, address)).toBe(0n)
  // The top-up has activated the address, and is not burnt completely.
  expect(harness.chain.balance(address)).toBeGreaterThan(0n)
  await expectWhole(harness)
})

test('TRX to a contract fails before signing, and is returned [V04]', async () => {
  const harness = await opened()
  const id = await created(harness, { recipient: router(harness), amount: String(20n * TRX) })
  expect(await harness.conclude(id)).toMatchObject({
    status: 'Failed',
    failureCode: 'RECIPIENT_REFUSES',
    txnHash: null,
  })
  expect(await signedFor(harness)).toBe(0)
  expect(await harness.world.balance(COIN)).toBe(FUNDED)
})

test('a token that fails in its block is returned once, and its fee booked [T11 W22]', async () => {
  const harness = await opened()
  await deposited(harness, 'ben', 50n * TRX)
  const gas = await gasOf(harness)
  const id = await created(harness, {
    tokenId: USDT,
    recipient: tronSender(504).address,
    amount: String(5n * TRX),
  })
  harness.chain.lets = () => false
  for (let round = 0; round < 6 && (await harness.read(id)).status === 'Pending'; round += 1) {
    harness.chain.lets = () => true
    await harness.spend()
    if ((await harness.read(id)).status === 'Processing') break
    await harness.mine(1 + SOLID_LAG)
  }
  harness.chain.setToken(CONTRACT, { isPaused: true })
  await harness.mine(1 + SOLID_LAG)
  harness.chain.setToken(CONTRACT, { isPaused: false })
  expect(await harness.read(id)).toMatchObject({ status: 'Failed', failureCode: 'REVERTED' })
  expect(await harness.world.balance(USDT)).toBe(50n * TRX)
  expect(await gasOf(harness)).toBeLessThan(gas)
  await expectWhole(harness)
})

test.each(['mute', 'denying'] as const)(
  'a token that moves is paid out although its answer is %s [T14]',
  async (manner) => {
    const harness = await opened()
    await deposited(harness, 'ben', 50n * TRX)
    harness.chain.setToken(CONTRACT, { manner })
    const to = tronSender(514).address
    const id = await created(harness, { tokenId: USDT, recipient: to, amount: String(5n * TRX) })
    expect(await harness.conclude(id, 12)).toMatchObject({ status: 'Completed' })
    expect(harness.chain.tokens(CONTRACT, to)).toBe(5n * TRX)
    expect(await harness.world.balance(USDT)).toBe(45n * TRX)
    await expectWhole(harness)
  },
)

test('a token that returns false in a successful transaction is not paid [T14]', async () => {
  const harness = await opened()
  const { chain } = harness
  await deposited(harness, 'ben', 50n * TRX)
  const to = tronSender(512).address
  const wanted = { tokenId: USDT, recipient: to, amount: String(5n * TRX) }
  const id = await created(harness, wanted)
  for (let round = 0; (await harness.read(id)).status === 'Pending'; round += 1) {
    if (round === 6) throw new Error('it is never sent')
    chain.lets = () => true
    await harness.mine(1 + SOLID_LAG)
    chain.lets = () => false
    await harness.spend()
  }
  chain.setToken(CONTRACT, { manner: 'quiet' })
  for (const holder of chain.head().state?.tokens.keys() ?? []) {
    chain.head().state?.tokens.set(holder, 0n)
  }
  chain.lets = () => true
  await harness.mine(1 + SOLID_LAG)
  expect(chain.blockOf(String((await harness.read(id)).txnHash))).not.toBeNull()
  expect(chain.tokens(CONTRACT, to)).toBe(0n)
  expect(await harness.read(id)).toMatchObject({ status: 'Processing' })
  const codes = (await harness.world.alerts()).map(({ code }) => code)
  expect(codes).toEqual(expect.arrayContaining(['spend.unproven', 'token.suspended']))
})

test('a withdrawal is paid once by a node that loses its answers [T08 W13]', async () => {
  const harness = await opened()
  const to = tronSender(505).address
  const id = await created(harness, { recipient: to, amount: String(20n * TRX) })
  await harness.spend()
  for (let round = 0; round < 3; round += 1) {
    harness.chain.pool.clear()
    harness.chain.known.clear()
    await harness.mine(4)
    await harness.spend()
  }
  expect((await harness.read(id)).status).toBe('Processing')
  await harness.mine(1 + SOLID_LAG)
  expect(await harness.read(id)).toMatchObject({ status: 'Completed' })
  expect(harness.chain.balance(to)).toBe(20n * TRX)
  expect(await signedFor(harness)).toBe(1)
})

test('a withdrawal that expires is signed again, and paid once [T07 W07]', async () => {
  const harness = await opened()
  const { chain } = harness
  const to = tronSender(506).address
  const id = await created(harness, { recipient: to, amount: String(20n * TRX) })
  chain.lets = () => false
  await harness.spend()
  const first = String((await harness.read(id)).txnHash)
  const raw = chain.pool.get(first)
  await harness.mine(WINDOW_BLOCKS - 40)
  await harness.spend()
  // The head is past the end of the window, the solid block is not.
  expect(await signedFor(harness)).toBe(1)
  await harness.mine(60)
  await harness.spend()
  expect(await signedFor(harness)).toBe(2)
  expect((await harness.read(id)).txnHash).not.toBe(first)
  chain.lets = () => true
  // The old bytes are expired, even if another party kept them.
  if (raw !== undefined) {
    chain.known.delete(first)
    expect(chain.take(raw).code).not.toBe('SUCCESS')
  }
  await harness.mine(1 + SOLID_LAG)
  const done = await harness.read(id)
  expect(done.status).toBe('Completed')
  expect(done.txnHash).not.toBe(first)
  expect(chain.balance(to)).toBe(20n * TRX)
  await expectWhole(harness)
})

test('a payment whose block is replaced is rebroadcast with the same bytes [R09]', async () => {
  const harness = await opened()
  const { chain } = harness
  const to = tronSender(508).address
  const id = await created(harness, { recipient: to, amount: String(20n * TRX) })
  await harness.spend()
  await harness.mine(2)
  const { txnHash } = await harness.read(id)
  chain.reorg({ depth: 4 })
  chain.known.delete(String(txnHash))
  await harness.mine()
  expect(chain.balance(to)).toBe(0n)
  await harness.mine(4)
  await harness.spend()
  await harness.mine(1 + SOLID_LAG)
  expect(await harness.read(id)).toMatchObject({ status: 'Completed', txnHash })
  expect(chain.balance(to)).toBe(20n * TRX)
  expect(await signedFor(harness)).toBe(1)
})

test('an unknown transaction of ours halts its sender [W19 W25]', async () => {
  const harness = await opened()
  await foreign(harness, { to: tronSender(509).address, amount: 7n * TRX })
  await harness.mine(1)
  const codes = (await harness.world.alerts()).map(({ code }) => code)
  expect(codes).toContain('spend.forgotten')
  const to = tronSender(510).address
  const id = await created(harness, { recipient: to, amount: String(20n * TRX) })
  expect(await harness.conclude(id, 3)).toMatchObject({ status: 'Pending' })
  expect(harness.chain.balance(to)).toBe(0n)
})

test('an unknown transaction that pays a pending withdrawal completes it once [W25]', async () => {
  const harness = await opened()
  const { chain } = harness
  const to = tronSender(511).address
  const id = await created(harness, { recipient: to, amount: String(20n * TRX) })
  chain.lets = () => false
  await harness.spend()
  const first = String((await harness.read(id)).txnHash)
  const second = await foreign(harness, { to, amount: 20n * TRX })
  chain.lets = (hash) => hash !== first
  await harness.mine(1 + SOLID_LAG)
  expect(await harness.read(id)).toMatchObject({ status: 'Completed', txnHash: second })
  chain.lets = () => false
  await harness.mine(WINDOW_BLOCKS)
  await harness.spend()
  expect(await signedFor(harness)).toBe(1)
  expect(chain.balance(to)).toBe(20n * TRX)
})
