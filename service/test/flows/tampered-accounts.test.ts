import { startXrplNode, type XrplNode } from '@sluice/simulator'
import { expect, onTestFinished, test } from 'vitest'
import { noteBaseAccount } from '../../src/accounts/base-account.ts'
import { openOwnAddress } from '../../src/accounts/own-address.ts'
import { assignUnattributed, listUnattributed } from '../../src/deposits/assign.ts'
import { releaseDeposit } from '../../src/deposits/hold.ts'
import { listAlerts } from '../../src/alerts/list-alerts.ts'
import { withSession } from '../../src/store/connection.ts'
import { parseChain } from '../adapters/brands.ts'
import { DEPOSIT_CHANGES } from '../support/address-attacks.ts'
import { ETHER, type Simulated, simulated } from '../support/opened-world.ts'
import { openWorld, type World } from '../support/world.ts'
import { SEPOLIA } from '../support/world-life.ts'

const XRPL = parseChain('xrpl:testnet')

test.each(DEPOSIT_CHANGES)(
  'a deposit is held when %s, and credited once the row is repaired',
  async (_name, authentic, change) => {
    const at = await simulated()
    const { world, chain, confirm } = at
    const ann = await world.issue('ann')
    const bob = await world.issue('bob')
    await keep(world)
    await asEngine(world, change({ orgId: world.orgId, chainId: SEPOLIA, thief: '' }))
    chain.pay({ to: ann.address, amount: 5n })
    chain.pay({ to: bob.address, amount: 7n })
    await confirm()
    expect(await creditedTo(world)).toEqual({ bob: 7n })
    const [held] = (await world.deposits()).filter(({ status }) => status === 'Held')
    expect(held).toMatchObject({
      amount: 5n,
      heldCause: expect.stringContaining('account.tampered'),
    })
    expect(await codes(world)).toEqual(expect.arrayContaining(['account.tampered', 'deposit.held']))
    expect(await world.balance(ETHER)).toBe(7n)

    await release(at)
    expect(await world.balance(ETHER)).toBe(authentic === 'account' ? 12n : 7n)

    await putBack(world)
    await release(at)
    expect(await world.balance(ETHER)).toBe(12n)
    expect(await creditedTo(world)).toEqual({ ann: 5n, bob: 7n })
    expect((await world.audit()).findings).toEqual([])
  },
)

test('deposits of a changed account are held, also when recorded before the change', async () => {
  const { world, chain, mine } = await simulated()
  const ann = await world.issue('ann')
  const bob = await world.issue('bob')
  chain.pay({ to: ann.address, amount: 5n })
  await mine()
  // Recorded, but not confirmed yet.
  expect(await world.deposits()).toMatchObject([{ status: 'Detected', externalUserId: 'ann' }])
  await asEngine(
    world,
    `update accounts set external_user_id = 'eve' where external_user_id = 'ann'`,
  )
  chain.pay({ to: ann.address, amount: 6n })
  chain.pay({ to: bob.address, amount: 7n })
  chain.mine(20)
  await world.settle()
  expect(await creditedTo(world)).toEqual({ bob: 7n })
  const held = (await world.deposits()).filter(({ status }) => status === 'Held')
  expect(held.map(({ amount }) => amount)).toEqual([5n, 6n])
})

test('a deposit whose record was changed to another user is held', async () => {
  const { world, chain, mine, confirm } = await simulated()
  const ann = await world.issue('ann')
  await world.issue('bob')
  chain.pay({ to: ann.address, amount: 5n })
  await mine()
  await asEngine(world, `update incoming_transfers set external_user_id = 'bob'`)
  await confirm()
  expect(await creditedTo(world)).toEqual({})
  expect(await world.deposits()).toMatchObject([{ status: 'Held' }])
})

test('a funding of a settlement address whose row was changed is held', async () => {
  const { world, chain, confirm } = await simulated()
  const parameters = { keys: world.keys, entry: world.entry(SEPOLIA), orgId: world.orgId }
  const own = await world.database.transaction((tx) =>
    openOwnAddress(tx, { ...parameters, purpose: 'settlement' }),
  )
  await asEngine(world, `update watched_addresses set purpose = 'gas', created_at = now()`)
  chain.pay({ to: own.address, amount: 5n })
  await confirm()
  expect(await world.balance(ETHER)).toBe(0n)
  expect(await world.balance(ETHER, 'claim:gas')).toBe(0n)
  expect(await codes(world)).toEqual(expect.arrayContaining(['account.tampered', 'funding.held']))
})

test('a tag whose account was changed is not credited, and other tags are', async () => {
  const node = await startXrplNode()
  onTestFinished(() => node.stop())
  const { world, base, closed } = await openXrpl(node)
  const ann = await world.issue('ann', XRPL)
  const bob = await world.issue('bob', XRPL)
  const [tagOfAnn, tagOfBob] = [ann.destinationTag ?? 0, bob.destinationTag ?? 0]
  await asEngine(
    world,
    `update accounts set destination_tag = 5 where external_user_id = 'ann';
     update accounts set destination_tag = ${tagOfAnn} where external_user_id = 'bob';
     update accounts set destination_tag = ${tagOfBob} where external_user_id = 'ann';`,
  )
  const cid = await world.issue('cid', XRPL)
  node.chain.pay({ to: base, amount: 5n, tag: tagOfAnn })
  node.chain.pay({ to: base, amount: 7n, tag: cid.destinationTag ?? 0 })
  await closed()
  expect(await creditedTo(world)).toEqual({ cid: 7n })
  const waiting = await world.database.transaction((tx) =>
    listUnattributed(tx, { orgId: null, limit: 10 }),
  )
  expect(waiting).toMatchObject([{ amount: 5n, tag: tagOfAnn }])
  expect(await codes(world)).toContain('account.tampered')
  const word = { catalogue: world.catalogue, serviceKey: world.keys.serviceKey, reason: 'a mail' }
  const assigning = world.database.transaction((tx) =>
    assignUnattributed(tx, {
      ...word,
      stillSigns: async () => true,
      id: waiting[0]?.id ?? '',
      externalUserId: 'bob',
      userId: world.orgId,
    }),
  )
  await expect(assigning).rejects.toMatchObject({ details: { reason: 'tampered' } })
})

async function openXrpl(node: XrplNode) {
  node.chain.close(3)
  const seed = expect.getState().currentTestName ?? ''
  const world = await openWorld({ seed, chains: [{ id: XRPL, nodes: [node.url] }] })
  onTestFinished(() => world.close())
  await world.settle(XRPL)
  const { orgId, keys } = world
  const opened = { keys, entry: world.entry(XRPL), orgId, purpose: 'settlement' } as const
  const { address: base } = await world.database.transaction((tx) => openOwnAddress(tx, opened))
  node.chain.pay({ to: base, amount: 10_000_000n })
  const closed = async () => {
    node.chain.close(2)
    await world.settle(XRPL)
  }
  await closed()
  const readyHeight = node.chain.closed().height
  const note = { orgId, chainId: XRPL, address: base, readyHeight, missing: '' }
  await world.database.transaction((tx) => noteBaseAccount(tx, note))
  return { world, base, closed }
}

/** The credited amounts by user. */
async function creditedTo(world: World): Promise<Record<string, bigint>> {
  const credited = (await world.deposits()).filter(({ status }) => status === 'Confirmed')
  return Object.fromEntries(credited.map(({ externalUserId, amount }) => [externalUserId, amount]))
}

/** An operator releases each held deposit; returns the result. */
async function release({ world, mine }: Simulated): Promise<void> {
  const { catalogue, database } = world
  for (const { id: depositId } of (await world.deposits()).filter((one) => one.status === 'Held')) {
    const decision = { catalogue, depositId, actor: 'cli:test', reason: 'looked at' }
    await database.transaction((tx) => releaseDeposit(tx, decision))
  }
  await mine()
}

async function codes(world: World): Promise<string[]> {
  const open = await world.database.transaction((tx) => listAlerts(tx, { open: true }))
  return open.map(({ code }) => code)
}

/** Keeps a copy of the rows, like a backup. */
function keep(world: World): Promise<void> {
  return asOwner(
    world,
    `create table kept_accounts as select * from accounts;
     create table kept_watched as select * from watched_addresses;`,
  )
}

/** Restores the fields from the copy; the MACs were not changed. */
function putBack(world: World): Promise<void> {
  return asOwner(
    world,
    `update accounts a
        set external_user_id = k.external_user_id, address = k.address
       from kept_accounts k
      where a.id = k.id;
     update watched_addresses w
        set external_user_id = k.external_user_id, account_id = k.account_id, purpose = k.purpose
       from kept_watched k
      where w.address = k.address;`,
  )
}

/** Writes to the database with the rights of the engine. */
function asEngine(world: World, statements: string): Promise<void> {
  return withSession(world.urls.engine, (session) => session.script(statements))
}

function asOwner({ urls }: World, statements: string): Promise<void> {
  return withSession(urls.owner, (session) => session.script(statements))
}
