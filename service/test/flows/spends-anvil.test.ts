import { startFaultProxy } from '@sluice/simulator'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { auditLedger } from '../../src/audit/run.ts'
import { compareSenders } from '../../src/transactions/prepare.ts'
import { listForeign } from '../../src/transactions/core/read.ts'
import { type AnvilChain, startAnvilChain } from '../support/anvil-chain.ts'
import { randomWallet } from '../support/random-wallet.ts'
import { openSpendingWorld, type SpendingWorld } from '../support/spending-world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const AMOUNT = 10n ** 15n
const GWEI = 10n ** 9n

let anvil: AnvilChain
beforeAll(async () => {
  anvil = await startAnvilChain(SEPOLIA)
})
afterAll(() => anvil.stop())
beforeEach(async () => {
  await anvil.rpc('evm_setAutomine', [true])
  await crowd(GWEI)
})

/** Mines, and runs the scanner. */
async function mine(spending: SpendingWorld, blocks = 1): Promise<void> {
  await anvil.mine(blocks)
  await spending.world.settle()
}

function balance(address: string): Promise<bigint> {
  return anvil.rpc<string>('eth_getBalance', [address, 'latest']).then(BigInt)
}

/** The ledger matches its postings and the chain, to the base unit. */
async function expectWhole({ world }: SpendingWorld): Promise<void> {
  expect(await auditLedger(world)).toEqual([])
  expect((await world.audit()).findings).toEqual([])
}

describe('spends on anvil', () => {
  test('a dropped nonce is found within 3 polls, and all 21 complete once [W15]', async () => {
    const spending = await openSpendingWorld(anvil)
    await anvil.rpc('evm_setAutomine', [false])
    const to = randomWallet('gap')
    const paid: string[] = []
    for (let at = 0; at < 16; at += 1) paid.push((await spending.pay(to, AMOUNT)).subjectId)
    const { txnHash } = await spending.spend(paid[0] ?? '')
    await anvil.rpc('anvil_dropTransaction', [txnHash])
    expect(await spending.pay(to, AMOUNT)).toMatchObject({ sent: { outcome: 'busy' } })
    await mine(spending)
    expect(await balance(to)).toBe(0n)
    let polls = 0
    for (let found = 0; found === 0 && polls < 3; polls += 1) found = (await spending.tend()).again
    await mine(spending)
    for (let at = 0; at < 5; at += 1) paid.push((await spending.pay(to, AMOUNT)).subjectId)
    await mine(spending)
    await mine(spending, REQUIRED)
    expect(await balance(to)).toBe(AMOUNT * 21n)
    for (const subjectId of paid)
      expect(await spending.spend(subjectId)).toMatchObject({ state: 'Settled', succeeded: true })
    expect((await spending.spend(paid[0] ?? '')).txnHash).toBe(txnHash)
    await expectWhole(spending)
  })

  test('the original completes the spend although its replacement was sent [W18]', async () => {
    const spending = await openSpendingWorld(anvil)
    await anvil.rpc('evm_setAutomine', [false])
    const to = randomWallet('bumped')
    const { subjectId } = await spending.pay(to, AMOUNT)
    const [original] = (await spending.spend(subjectId)).transactions
    await crowd(20n * GWEI)
    await mine(spending)
    await crowd(20n * GWEI)
    await mine(spending)
    expect(await balance(to)).toBe(0n)
    expect(await spending.tend(2)).toMatchObject({ bumped: 1 })
    const { txnHash: replacement, transactions } = await spending.spend(subjectId)
    expect(transactions).toHaveLength(2)
    await anvil.rpc('anvil_dropTransaction', [replacement])
    await crowd(GWEI)
    const raw = `0x${Buffer.from(original?.raw ?? []).toString('hex')}`
    await anvil.rpc('eth_sendRawTransaction', [raw])
    await mine(spending)
    await mine(spending, REQUIRED)
    const { state, txnHash } = await spending.spend(subjectId)
    expect({ state, txnHash }).toEqual({ state: 'Settled', txnHash: original?.txnHash })
    expect(await balance(to)).toBe(AMOUNT)
    expect(spending.told.filter((one) => one.startsWith('paid'))).toHaveLength(1)
    await expectWhole(spending)
  })

  test('a replacement is accepted by the node and included [W18]', async () => {
    const spending = await openSpendingWorld(anvil)
    await anvil.rpc('evm_setAutomine', [false])
    const to = randomWallet('replaced')
    const { subjectId } = await spending.pay(to, AMOUNT)
    await crowd(20n * GWEI)
    await mine(spending)
    expect(await spending.tend(1)).toMatchObject({ bumped: 1 })
    await crowd(20n * GWEI)
    await mine(spending)
    const [, second] = (await spending.spend(subjectId)).transactions
    expect(await spending.spend(subjectId)).toMatchObject({
      state: 'Included',
      txnHash: second?.txnHash,
    })
    expect(await balance(to)).toBe(AMOUNT)
    await expectWhole(spending)
  })

  test.each([
    { name: 'the answer is lost', action: { do: 'dropAfter' } as const },
    {
      name: 'the node returns an error',
      action: { do: 'error', code: -32_000, message: 'fee too low', accepted: true } as const,
    },
    {
      name: 'the node calls it known',
      action: { do: 'error', code: -32_000, message: 'already known', accepted: true } as const,
    },
  ])('a broadcast is one payment although $name [W13]', async ({ name, action }) => {
    const proxy = await startFaultProxy({ target: anvil.url, seed: name })
    onTestFinished(() => proxy.stop())
    const spending = await openSpendingWorld(anvil, { chain: { nodes: [proxy.url] } })
    proxy.rules.add({ match: { method: 'eth_sendRawTransaction' }, action })
    const to = randomWallet(name)
    const { subjectId, sent } = await spending.pay(to, AMOUNT)
    expect(sent).toMatchObject({ outcome: 'sent' })
    await spending.tend()
    expect(await spending.send(subjectId, to, AMOUNT)).toEqual({ outcome: 'declined' })
    await included(spending, subjectId)
    await mine(spending, REQUIRED)
    expect(await spending.spend(subjectId)).toMatchObject({ state: 'Settled', nonce: 0 })
    expect(await balance(to)).toBe(AMOUNT)
    expect((await spending.pay(to, AMOUNT)).sent).toMatchObject({ spend: { nonce: 1 } })
    await spending.world.settle()
    await expectWhole(spending)
  })

  test('a database without its spends signs nothing and reports them [W25]', async () => {
    const startHeight = await anvil.height()
    const before = await openSpendingWorld(anvil, { chain: { startHeight } })
    const to = randomWallet('forgotten')
    const hashes = []
    for (let at = 0; at < 3; at += 1) {
      const { subjectId } = await before.pay(to, AMOUNT)
      hashes.push((await before.spend(subjectId)).txnHash)
    }
    const after = await openSpendingWorld(anvil, { chain: { startHeight }, wei: 0n })
    expect(after.settlement).toBe(before.settlement)
    await mine(after, REQUIRED)
    const subject = await after.pay(to, AMOUNT)
    expect(subject.sent).toMatchObject({ outcome: 'halted' })
    expect((await after.world.alerts()).map(({ code }) => code)).toContain('spend.forgotten')
    await compareSenders(after.deps)
    await after.world.rescan(startHeight + 1, await anvil.height())
    await after.world.settle()
    const filter = { chainId: SEPOLIA, sender: after.settlement }
    const found = await after.world.database.transaction((tx) => listForeign(tx, filter))
    expect(found.map(({ txnHash }) => txnHash)).toEqual(hashes)
    expect(await balance(to)).toBe(AMOUNT * 3n)
  })

  test('a payment dropped by a reorg is rebroadcast with the same bytes [R09]', async () => {
    const spending = await openSpendingWorld(anvil)
    const to = randomWallet('reorged')
    const { subjectId } = await spending.pay(to, AMOUNT)
    const txnHash = await included(spending, subjectId)
    await anvil.rpc('evm_setAutomine', [false])
    await anvil.reorg(1)
    await mine(spending)
    expect(await spending.spend(subjectId)).toMatchObject({ state: 'Sent', block: null })
    await spending.tend()
    await mine(spending)
    await mine(spending, REQUIRED)
    expect(await spending.spend(subjectId)).toMatchObject({ state: 'Settled', txnHash })
    expect(await balance(to)).toBe(AMOUNT)
    await expectWhole(spending)
  })
})

/** Its hash, once it is included: anvil mines a moment after it has answered. */
function included(spending: SpendingWorld, subjectId: string): Promise<string> {
  return vi.waitFor(
    async () => {
      await spending.world.settle()
      const { state, txnHash } = await spending.spend(subjectId)
      expect(state).toBe('Included')
      return txnHash
    },
    { timeout: 20_000, interval: 50 },
  )
}

/** Sets the gas price of the next block. */
function crowd(price: bigint): Promise<unknown> {
  return anvil.rpc('anvil_setNextBlockBaseFeePerGas', [`0x${price.toString(16)}`])
}
