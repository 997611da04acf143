import { expect, test } from 'vitest'
import { assert } from '../../src/base/assert.ts'
import { suspendToken } from '../../src/catalogue/token-check.ts'
import { confirmTransfers } from '../../src/deposits/confirm.ts'
import { post } from '../../src/ledger/post.ts'
import { swept } from '../../src/ledger/spend-postings.ts'
import { judgeDue } from '../../src/scanner/judge-due.ts'
import type { Database, Tx } from '../../src/store/database.ts'
import { toStatement } from '../../src/store/statement.ts'
import { parseHolder, parseToken } from '../adapters/brands.ts'
import { METADATA } from '../support/anvil-chain.ts'
import { ETHER, simulated } from '../support/opened-world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const STRANGER = parseHolder(SEPOLIA, `0x${'aa'.repeat(20)}`)

test('a sweep read while a deposit is judged does not make it doubtful [E05]', async () => {
  const { world, chain, confirm, mine } = await simulated()
  const { address } = await world.issue('ann')
  chain.pay({ to: address, amount: 10n })
  await confirm()
  chain.payInternal({ to: address, amount: 5n })
  await mine(1)
  const [, internal] = await world.deposits()
  assert(internal !== undefined, 'no internal deposit')
  expect(internal.position).toMatch(/^call:/)
  const holder = await world.holder()
  const { height } = internal.block
  const tip = { height: height + REQUIRED, hash: '0x00' }
  const whose = { orgId: world.orgId, chainId: SEPOLIA, tokenId: parseToken(ETHER) }
  const moved = { ...whose, amount: 10n, referenceId: world.orgId, blockHeight: height + 1 }
  // As the run does that connects the block with the sweep of the first deposit.
  const connect = () =>
    world.database.transaction((tx) =>
      post(tx, [swept(moved, { from: internal.address, to: STRANGER })]),
    )
  const database = interrupted(holder.database, connect)
  const [judged] = await judgeDue({ ...holder, database }, { tip, final: null })
  expect(judged?.verdict).toEqual({ credit: true })
  // The balance was 15 before the sweep, and is 5 after it.
  expect(await world.balance(ETHER, `place:deposits:${internal.address}`)).toBe(5n)
})

test('a deposit whose token is suspended after its judgement is not credited [E08]', async () => {
  const { world, chain, mine } = await simulated()
  const token = chain.deployToken(METADATA)
  const tokenId = parseToken(`${SEPOLIA}/erc20:${token}`)
  await world.restart({ tokens: [{ id: tokenId, ...METADATA, minimumAmount: 1n }] })
  const { address } = await world.issue('ann')
  chain.payToken({ to: address, amount: 10n, token })
  await mine(1)
  const [deposit] = await world.deposits()
  assert(deposit !== undefined, 'no deposit')
  const holder = await world.holder()
  const tip = { height: deposit.block.height + REQUIRED, hash: '0x00' }
  const judged = await judgeDue(holder, { tip, final: null })
  expect(judged).toMatchObject([{ verdict: { credit: true } }])
  const { serviceKey, catalogue, entry } = holder
  await world.database.transaction((tx) =>
    suspendToken(tx, { tokenId, chainId: SEPOLIA, cause: 'it lied' }),
  )
  await world.database.transaction((tx) =>
    confirmTransfers(tx, { serviceKey, catalogue, entry, tip, judged }),
  )
  expect(await world.deposits()).toMatchObject([{ amount: 10n, status: 'Held' }])
  expect(await world.balance(tokenId)).toBe(0n)
  expect((await world.audit()).findings).toEqual([])
})

/** A database in which a commit comes between the reads of balances and of later postings. */
function interrupted(database: Database, commit: () => Promise<unknown>): Database {
  const amid =
    <T>(work: (tx: Tx) => Promise<T>) =>
    (tx: Tx): Promise<T> => {
      let isOver = false
      const many: Tx['many'] = async (query) => {
        if (!isOver && toStatement(query).text.includes('from postings')) {
          isOver = true
          await commit()
        }
        return tx.many(query)
      }
      const get = (step: Tx, name: keyof Tx) => {
        const value = name === 'many' ? many : step[name]
        return typeof value === 'function' ? value.bind(step) : value
      }
      return work(new Proxy(tx, { get: (step, name) => get(step, name as keyof Tx) }))
    }
  return {
    ...database,
    transaction: (work) => database.transaction(amid(work)),
    snapshot: (work) => database.snapshot(amid(work)),
  }
}
