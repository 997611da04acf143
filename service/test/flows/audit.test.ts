import type { TokenId } from '@sluice/wire'
import { expect, test } from 'vitest'
import { auditCycle, BEGINNING } from '../../src/audit/cycle.ts'
import { auditChain, auditLedger } from '../../src/audit/run.ts'
import type { ChainAdapter } from '../../src/chains/chain-adapter.ts'
import type { Address } from '../../src/chains/port.ts'
import { CLAIM, place } from '../../src/ledger/account.ts'
import { post } from '../../src/ledger/post.ts'
import type { Posting } from '../../src/ledger/posting.ts'
import { reversalOf } from '../../src/ledger/spend-postings.ts'
import { withSession } from '../../src/store/connection.ts'
import { parseHolder, parseToken } from '../adapters/brands.ts'
import { METADATA } from '../support/anvil-chain.ts'
import { withdraw, withdrawalsOf } from '../support/money-world.ts'
import { ETHER, simulated } from '../support/opened-world.ts'
import { randomWallet } from '../support/random-wallet.ts'
import { openSimulatedHarness } from '../support/simulated-harness.ts'
import type { World } from '../support/world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const ADDRESSES = 130
const TRIES_MAX = 4
const DAY_MS = 24 * 60 * 60 * 1000

test('a difference is reported once and stays open until it is resolved [E05]', async () => {
  const { world, chain, mine } = await simulated()
  const { address } = await world.issue('ann')
  chain.setBalance({ address, by: 40n })
  await mine()
  for (let cycles = 0; cycles < 3; cycles += 1) await world.auditCycle()
  expect(await world.alerts()).toMatchObject([{ code: 'ledger.difference', times: 1 }])
  chain.setBalance({ address, by: 2n })
  await mine()
  await world.auditCycle()
  expect(await world.alerts()).toMatchObject([
    { times: 2, message: expect.stringContaining('surplus of 42 base units') },
  ])
  chain.setBalance({ address, by: -42n })
  await mine()
  await world.auditCycle()
  expect(await world.alerts()).toEqual([])
  chain.setBalance({ address, by: 1n })
  await mine()
  await world.auditCycle()
  expect(await world.alerts()).toMatchObject([{ times: 1 }])
})

test('unconfirmed, held and below-minimum amounts count as our holdings [I2]', async () => {
  const { world, chain, mine } = await simulated()
  const token = chain.deployToken(METADATA)
  const id = `${SEPOLIA}/erc20:${token}`
  await world.restart({ tokens: [{ id, ...METADATA, minimumAmount: 100n }] })
  const { address } = await world.issue('ann')
  chain.payToken({ to: address, amount: 5n, token })
  await mine(5)
  chain.pay({ to: address, amount: 5n })
  await mine()
  expect((await world.deposits()).map(({ status }) => status)).toEqual(['BelowMinimum', 'Detected'])
  expect((await world.audit()).findings).toEqual([])
})

test('the audit ignores unlisted tokens and compares listed ones [E09]', async () => {
  const { world, chain, mine } = await simulated()
  const token = chain.deployToken(METADATA)
  const { address } = await world.issue('ann')
  chain.setBalance({ address, by: 7n, token })
  await mine()
  expect((await world.audit()).findings).toEqual([])
  const id = `${SEPOLIA}/erc20:${token}`
  await world.restart({ tokens: [{ id, ...METADATA }] })
  const report = await world.audit()
  expect(report).toMatchObject({ addresses: 1, findings: [{ expected: 0n, found: 7n }] })
})

test('a balance that no node returned in time comes first in the next cycle [E05]', async () => {
  const { world, chain, mine } = await simulated()
  const users = Array.from({ length: 5 }, (_, at) => `user ${at}`)
  const accounts = await Promise.all(users.map((user) => world.issue(user)))
  for (const { address } of accounts) chain.setBalance({ address, by: 1n })
  await mine()
  const auditor = world.auditor()
  const missed = new Set(accounts.map(({ address }) => address.toLowerCase()))
  let cycle: Pick<Awaited<ReturnType<typeof auditCycle>>, 'after' | 'left'> = BEGINNING
  for (let times = 0; times < 5; times += 1) {
    let answers = 7
    // Each cycle queries more balances than the node returns.
    const adapter: ChainAdapter = {
      ...auditor.adapter,
      balanceOf: (...asked) => {
        answers -= 1
        return answers < 0 ? Promise.resolve(null) : auditor.adapter.balanceOf(...asked)
      },
    }
    const now = world.clock.now()
    const next = await auditCycle({ ...auditor, adapter }, { now, ...cycle })
    for (const { tokenId, address } of next.compared) {
      if (tokenId === ETHER) missed.delete(address.toLowerCase())
    }
    cycle = next
  }
  expect([...missed]).toEqual([])
})

test('a token without readable balances does not block other addresses [E09]', async () => {
  const { world, chain, mine } = await simulated()
  const tokenId = parseToken(`${SEPOLIA}/erc20:${chain.deployToken(METADATA)}`)
  await world.restart({ tokens: [{ id: tokenId, ...METADATA }] })
  const { address } = await world.issue('ann')
  await world.clock.advance(2 * DAY_MS)
  chain.setBalance({ address, by: 1n })
  await mine()
  const auditor = world.auditor()
  const adapter: ChainAdapter = {
    ...auditor.adapter,
    balanceOf: (...asked) =>
      asked[1] === tokenId ? Promise.resolve(null) : auditor.adapter.balanceOf(...asked),
  }
  // Addresses not compared on earlier days: as many as one snapshot of the ledger holds.
  const left = Array.from({ length: 500 }, (_, at) => {
    const holder = parseHolder(SEPOLIA, `0x${(at + 1).toString(16).padStart(40, '0')}`)
    const expectation = { chainId: SEPOLIA, tokenId, address: holder, expected: 0n, height: 0 }
    return { orgId: world.orgId, ...expectation }
  })
  const now = world.clock.now()
  const first = await auditCycle({ ...auditor, adapter }, { now, after: null, left })
  expect(first.left).toEqual([])
  await auditCycle({ ...auditor, adapter }, { now, ...first })
  expect(await world.alerts()).toMatchObject([{ code: 'ledger.difference', times: 1 }])
})

test('the loop compares every address in turn [I2]', async () => {
  const { world, chain, mine } = await simulated()
  const accounts = []
  for (let at = 0; at < ADDRESSES; at += 1) accounts.push(await world.issue(`user ${at}`))
  await world.clock.advance(2 * DAY_MS)
  for (const { address } of accounts) chain.setBalance({ address, by: 1n })
  await mine()
  const found = new Set<string>()
  let after: Address | null = null
  do {
    const cycle = await world.auditCycle(SEPOLIA, after)
    after = cycle.after
    expect(cycle.compared.length).toBeLessThan(ADDRESSES)
    for (const one of cycle.compared) {
      if (one.tokenId === ETHER && one.found === 1n) found.add(one.address)
    }
  } while (after !== null)
  expect(found.size).toBe(ADDRESSES)
})

test('an overwritten balance is reported with the sum of its postings [I1]', async () => {
  const { world, chain, confirm } = await simulated()
  const { address } = await world.issue('ann')
  chain.pay({ to: address, amount: 5n })
  await confirm()
  expect(await auditLedger(world)).toEqual([])
  await withSession(world.urls.owner, (session) =>
    session.script("update balances set amount = 500 where account = 'claim:available'"),
  )
  expect(await auditLedger(world)).toMatchObject([
    { orgId: world.orgId, account: 'claim:available', stored: 500n, posted: 5n },
  ])
})

test('a token credited beyond its balance on the chain is not paid out [A18]', async () => {
  const { harness, chain, token } = await openSimulatedHarness()
  const { world, settlement } = harness
  const tokenId = parseToken(`${SEPOLIA}/erc20:${token}`)
  chain.payToken({ to: settlement, amount: 100n, token })
  await harness.mine(1 + REQUIRED)
  const slip = await book(world, { tokenId, to: settlement, amount: 620_000n })
  await world.auditCycle()
  expect(await world.alerts()).toMatchObject([{ code: 'ledger.difference' }])
  const recipient = randomWallet('slip')
  // The amount is on the chain, without a known owner.
  await withdraw(harness, { tokenId, amount: 60n, recipient, reference: 'slip' })
  for (let rounds = 0; rounds < 3; rounds += 1) {
    await harness.spend()
    await harness.mine(1 + REQUIRED)
    await world.auditCycle()
  }
  expect(await withdrawalsOf(world)).toMatchObject([{ status: 'Pending' }])
  expect(chain.balanceOf(recipient, token)).toBe(0n)
  await world.database.transaction((tx) => post(tx, [reversalOf(slip)]))
  await world.auditCycle()
  expect(await world.alerts()).toEqual([])
  await harness.spend()
  await harness.mine(1 + REQUIRED)
  expect(await withdrawalsOf(world)).toMatchObject([{ status: 'Completed' }])
  expect(chain.balanceOf(recipient, token)).toBe(60n)
})

/** A posting that only a bug of the engine would make. */
async function book(
  { database, orgId }: World,
  { tokenId, to, amount }: { tokenId: TokenId; to: Address; amount: bigint },
): Promise<Posting> {
  const [debit, credit] = [place('settlement', to), CLAIM.available]
  const about = { referenceId: orgId, blockHeight: null, reason: 'test', reversal: false }
  const booked: Posting = { orgId, chainId: SEPOLIA, tokenId, debit, credit, amount, ...about }
  await database.transaction((tx) => post(tx, [booked]))
  return booked
}

/** Runs `sluice audit` with a node that answers balance queries in its own way. */
async function auditWith(
  world: World,
  balanceOf: ChainAdapter['balanceOf'],
  pause: () => Promise<void>,
) {
  const { database, catalogue } = world
  const adapter = { ...world.adapter(), balanceOf }
  const auditor = { database, catalogue, adapter, entry: world.entry(SEPOLIA) }
  return auditChain(auditor, { triesMax: TRIES_MAX, pause })
}

test('a balance that no node returns is not compared, and is no difference [I2]', async () => {
  const { world, mine } = await simulated()
  await world.issue('ann')
  await mine()
  let pauses = 0
  const pause = async () => void (pauses += 1)
  const report = await auditWith(world, async () => null, pause)
  expect(report).toMatchObject({
    addresses: 1,
    balances: 1,
    comparisons: 0,
    findings: [],
    left: [{ tokenId: ETHER, balances: 1 }],
  })
  expect(pauses).toBe(TRIES_MAX)
  expect(await world.alerts()).toEqual([])
})

test('a balance that a node cannot return is queried again at the same block [I2]', async () => {
  const { world, chain, mine } = await simulated()
  const users = ['ann', 'bob', 'eve']
  const accounts = await Promise.all(users.map((user) => world.issue(user)))
  await mine()
  // As nodes of TRON do, it knows only the balances of its head, which has already moved on.
  chain.mine(1)
  const adapter = world.adapter()
  const isHead = async (hash: string) => (await adapter.tip()).head.hash === hash
  let pauses = 0
  const report = await auditWith(
    world,
    async (address, tokenId, ref) =>
      ref !== 'head' && (await isHead(ref.hash)) ? adapter.balanceOf(address, tokenId, ref) : null,
    async () => {
      pauses += 1
      for (const { address } of accounts) chain.setBalance({ address, by: 7n })
      await mine()
    },
  )
  expect(report).toMatchObject({ addresses: 3, balances: 3, comparisons: 3, left: [] })
  const tip = (await world.state()).tip.height
  expect(report.findings.map(({ found, height }) => ({ found, height }))).toEqual(
    users.map(() => ({ found: 7n, height: tip })),
  )
  expect(pauses).toBe(1)
})

test('a listed token without a contract has no balances to compare [I2]', async () => {
  const { world, chain, mine } = await simulated()
  const token = chain.deployToken(METADATA)
  const id = `${SEPOLIA}/erc20:${token}`
  await world.restart({ tokens: [{ id, ...METADATA }] })
  await world.issue('ann')
  await mine()
  const report = await world.audit()
  expect(report).toMatchObject({ balances: 2, comparisons: 2, left: [] })
  expect(report.noTokens.length).toBeGreaterThan(0)
  expect(report.noTokens).not.toContain(id)
})

test('a chain that is not scanned yet has no compared balances [I2]', async () => {
  const { world } = await simulated()
  await world.issue('ann')
  await withSession(world.urls.owner, (session) => session.script('delete from chain_states'))
  const report = await world.audit()
  expect(report).toMatchObject({ addresses: 1, balances: 1, comparisons: 0, findings: [] })
})

test('a chain that was never reached has nothing to compare [I2]', async () => {
  const { world } = await simulated()
  const report = await world.audit()
  expect(report).toMatchObject({ chainId: SEPOLIA, addresses: 0, comparisons: 0, findings: [] })
})
