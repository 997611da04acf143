import { expect, onTestFinished, test, vi } from 'vitest'
import { spenderLoops } from '../../src/app/spender-loops.ts'
import { listOwnAddresses } from '../../src/accounts/own-address.ts'
import { openFeeBook } from '../../src/gas/fee-book.ts'
import { readRescan, requestRescan } from '../../src/scanner/rescan.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'
import type { World } from '../support/world.ts'
import { openFaulty } from './fault-world.ts'
import { chainWorldOf, runProgram, running } from './running-world.ts'

const SECOND_MS = 1_000
/** Polls of a chain during the time that is counted. */
const SECONDS = 20

test('a chain without news reads little from the database, and a new block at once', async () => {
  const { chain, payer, world } = await openFaulty()
  await payer.payAnything()
  chain.mine(REQUIRED + 1)
  const program = await runProgram(world, [SEPOLIA])
  await program.pass(10 * SECOND_MS)
  await payer.expectAllCredited()
  const count = countTransactions(world)
  await program.pass(SECONDS * SECOND_MS)
  // A scanner that never rests has at least five for each poll.
  expect(count()).toBeLessThan(2 * SECONDS)
  await payer.payAnything()
  chain.mine(REQUIRED + 1)
  await program.pass(2 * SECOND_MS)
  await payer.expectAllCredited()
})

test('a rescan that is requested during a rest is done within seconds', async () => {
  const { chain, world } = await openFaulty()
  const program = await runProgram(world, [SEPOLIA])
  chain.mine(REQUIRED + 1)
  await program.pass(10 * SECOND_MS)
  const { height } = chain.head()
  const range = { chainId: SEPOLIA, from: height, to: height, actor: 'cli:test' }
  const { id } = await world.database.transaction((tx) => requestRescan(tx, range))
  await program.pass(6 * SECOND_MS)
  const rescan = await world.database.transaction((tx) => readRescan(tx, id))
  expect(rescan?.state).toBe('done')
})

test('a spender without work reads little, and serves a new organization soon', async () => {
  const { world } = await openFaulty()
  await world.settle()
  const own = chainWorldOf(world)
  const loops = spenderLoops(own, world.keys, openFeeBook(own.chains, own.clock))
  const spending = await running(world, loops, 2)
  await spending.pass(5 * SECOND_MS)
  const count = countTransactions(world)
  await spending.pass(SECONDS * SECOND_MS)
  // A look each second, a renewal of the lease each other second, and one round.
  expect(count()).toBeLessThan(3 * SECONDS)
  const orgId = await world.found('Later')
  await spending.pass(3 * SECOND_MS)
  expect(await ownAddressesOf(world, orgId)).toBeGreaterThan(0)
})

/** Counts the transactions of the service from now on. */
function countTransactions({ database }: World): () => number {
  const spied = vi.spyOn(database, 'transaction')
  const snapshots = vi.spyOn(database, 'snapshot')
  onTestFinished(() => {
    spied.mockRestore()
    snapshots.mockRestore()
  })
  return () => spied.mock.calls.length + snapshots.mock.calls.length
}

async function ownAddressesOf({ database }: World, orgId: string): Promise<number> {
  const own = await database.transaction((tx) => listOwnAddresses(tx, { chainId: SEPOLIA }))
  return own.filter((one) => one.orgId === orgId).length
}
