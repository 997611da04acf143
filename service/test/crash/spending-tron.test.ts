import { startTronNode, type TronChain } from '@sluice/simulator'
import type { TokenId } from '@sluice/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listOwnAddresses } from '../../src/accounts/own-address.ts'
import { auditLedger } from '../../src/audit/run.ts'
import { verifyTokens } from '../../src/catalogue/verify-tokens.ts'
import { openFeeBook } from '../../src/gas/fee-book.ts'
import { SWEEP_POINTS } from '../../src/sweeps/crash-points.ts'
import { SPEND_POINTS } from '../../src/transactions/core/crash-points.ts'
import { tronSender } from '../adapters/tron-world.ts'
import { withdraw } from '../support/money-world.ts'
import { COIN, CONTRACT, SHASTA, TRX, USDT, WINDOW_BLOCKS } from '../support/tron-harness.ts'
import { openWorld } from '../support/world.ts'
import { type MoneyPoint, MortalHarness, tokenOf } from './crashing-spender.ts'
import { expectSettled } from './expect-settled.ts'

const SOLID_LAG = 4
const STAKE = 200_000n * TRX
const FUNDED = 5_000n * TRX
const AMOUNT = 30n * TRX
const ROUNDS_MAX = 14
const PAUSE_MS = 15_000
/** Points at which a process dies in one life, one after the other. */
const TOGETHER = 9
const POINTS: readonly MoneyPoint[] = [...SPEND_POINTS, ...SWEEP_POINTS]
const CHUNKS = Array.from({ length: Math.ceil(POINTS.length / TOGETHER) }, (_, at) =>
  POINTS.slice(at * TOGETHER, (at + 1) * TOGETHER),
)

/** A harness that dies as planned, and its chain. */
interface Crashing {
  harness: MortalHarness
  chain: TronChain
  coin: TokenId
  dollar: TokenId
}

describe('a process that pays on TRON and dies', () => {
  let crashing: Crashing
  let lives = 0
  beforeAll(async () => {
    crashing = await open()
  })
  afterAll(() => crashing.harness.close())

  const cases = [1, 2].flatMap((pass) => CHUNKS.map((points) => ({ pass, points })))
  test.each(cases.map((one) => [one.pass, one.points.join(', '), one.points] as const))(
    'pays each once with death at pass %i of %s [W03 W12 W13 W15 T07 T08]',
    async (pass, _names, points) => {
      const { harness } = crashing
      harness.plan(points.map((point) => ({ stage: 'withdrawal', point, pass })))
      harness.enter('withdrawal')
      const left = () => points.filter((point) => harness.passes('withdrawal', point) < pass)
      // Two senders run at once: the open work of one passes no point while the other dies.
      for (let more = 0; more <= pass && left().length > 0; more += 1) {
        lives += 1
        await live(crashing, lives)
      }
      harness.enter(null)
      expect(left()).toEqual([])
      expect(harness.deaths).toBe(points.length)
      await expectSettled(harness.world)
    },
  )

  test('every hold is released, and ledger and chain agree [W01]', async () => {
    const { chain } = crashing
    const { world, failures } = crashing.harness
    await world.clock.advance(11 * 60_000)
    await again(crashing, 3)
    const loans = await world.database.transaction((tx) =>
      tx.many(sql<{ state: string; address: string }>`select state, address from energy_loans`),
    )
    expect(loans.length).toBeGreaterThan(0)
    for (const { state } of loans) expect(state).toBe('Returned')
    const lent = [...(chain.head().state?.delegations.values() ?? [])]
    expect(lent.filter((stake) => stake > 0n)).toEqual([])
    expect(await auditLedger(world)).toEqual([])
    expect((await world.audit(SHASTA)).findings).toEqual([])
    expect(failures).toEqual([])
  })
})

/**
 * A life: a token is swept from an address that was never activated, coins and a token are paid;
 * the node drops its pool once, a reorg removes a block with a payment, and one transaction
 * expires.
 */
async function live(crashing: Crashing, number: number): Promise<void> {
  const { harness, chain, coin, dollar } = crashing
  const { world } = harness
  // Three at once, so that each has a successor and all are included.
  const recipients = [coin, coin, dollar].map((tokenId, at) => ({
    tokenId,
    recipient: tronSender(9_000 + 3 * number + at).address,
  }))
  for (const { tokenId, recipient } of recipients) {
    const reference = `life ${number} ${recipient}`
    const entry = world.entry(SHASTA)
    const fees = openFeeBook({ get: () => world.adapter(SHASTA) }, world.clock)
    const wanted = { tokenId, recipient, amount: AMOUNT, reference }
    await withdraw({ world, spender: { entry, fees } }, wanted)
  }
  const { address } = await world.issue(`user ${number}`, SHASTA)
  chain.payToken({ to: address, amount: AMOUNT, token: CONTRACT })
  await harness.mine(1 + SOLID_LAG)
  await harness.round()
  // The nodes drop pending transactions, which then stay out of blocks until they expire.
  chain.pool.clear()
  chain.known.clear()
  await again(crashing, 1, 4)
  chain.lets = () => false
  await harness.round()
  await harness.mine(WINDOW_BLOCKS)
  await harness.round()
  chain.lets = () => true
  await harness.mine(1)
  chain.reorg({ depth: 1 })
  chain.known.clear()
  await harness.settle()
  await again(crashing, 1, 4)
  const isOver = () =>
    chain.tokens(CONTRACT, address) === 0n &&
    recipients.every(({ tokenId, recipient }) => heldBy(chain, recipient, tokenId) === AMOUNT)
  for (let rounds = 0; !isOver(); rounds += 1) {
    if (rounds === ROUNDS_MAX) throw new Error('it is never carried out')
    await again(crashing, 1)
  }
  await again(crashing, 2)
  for (const { tokenId, recipient } of recipients) {
    expect(heldBy(chain, recipient, tokenId)).toBe(AMOUNT)
  }
}

/** Rounds of the spender, with as many blocks after each as make it final. */
async function again({ harness }: Crashing, rounds: number, blocks = 1 + SOLID_LAG): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await harness.world.clock.advance(PAUSE_MS)
    await harness.round()
    await harness.mine(blocks)
  }
}

function heldBy(chain: TronChain, holder: string, tokenId: string): bigint {
  return tokenId === COIN ? chain.balance(holder) : chain.tokens(CONTRACT, holder)
}

async function open(): Promise<Crashing> {
  const seed = 'spending on TRON'
  const node = await startTronNode({ solidLag: SOLID_LAG })
  const { chain } = node
  chain.deployToken({ name: 'Tether USD', symbol: 'USDT', decimals: 6, address: CONTRACT })
  chain.mine(5)
  const blockTime = () => chain.head().time
  const world = await openWorld({ seed, blockTime, chains: [{ id: SHASTA, nodes: [node.url] }] })
  const { database, orgId, catalogue } = world
  const harness = new MortalHarness({
    world,
    chainId: SHASTA,
    mine: (blocks) => chain.mine(blocks),
    bumpAfter: 3,
    stop: () => node.stop(),
  })
  await harness.settle()
  await harness.round()
  const own = await database.transaction((tx) => listOwnAddresses(tx, { chainId: SHASTA, orgId }))
  for (const { address, purpose } of own) {
    chain.pay({ to: address, amount: FUNDED })
    if (purpose === 'settlement')
      chain.payToken({ to: address, token: CONTRACT, amount: 100n * AMOUNT })
  }
  await harness.mine(1 + SOLID_LAG)
  const gas = own.find(({ purpose }) => purpose === 'gas')?.address ?? ''
  chain.stake(gas, STAKE)
  await harness.mine(1)
  const adapter = world.adapter(SHASTA)
  const chains = { get: () => adapter, all: () => [adapter], close: async () => undefined }
  await verifyTokens({ database, chains }, catalogue)
  return { harness, chain, coin: tokenOf(world, COIN), dollar: tokenOf(world, USDT) }
}
