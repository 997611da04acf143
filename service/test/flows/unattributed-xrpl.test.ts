import { signXrpl, startXrplNode, type XrplNode, xrplWallet } from '@sluice/simulator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccountOwner } from '../../src/accounts/account.ts'
import { noteBaseAccount } from '../../src/accounts/base-account.ts'
import { openOwnAddress } from '../../src/accounts/own-address.ts'
import { macOfAccount } from '../../src/accounts/row-mac.ts'
import { insertAccount } from '../../src/accounts/rows.ts'
import type { Address } from '../../src/chains/port.ts'
import { assignUnattributed, listUnattributed } from '../../src/deposits/assign.ts'
import { listAudit } from '../../src/audit-log/list-audit.ts'
import { disableUser, changeUser } from '../../src/orgs/change-user.ts'
import { stillSignsBy } from '../../src/orgs/still-signs.ts'
import { withSession } from '../../src/store/connection.ts'
import { parseChain } from '../adapters/brands.ts'
import { addPerson } from '../support/sign-in.ts'
import { openWorld, type World } from '../support/world.ts'

const XRPL = parseChain('xrpl:testnet')
const XRP = 'xrpl:testnet/slip44:144'
const TAG_MAX = 4_294_967_295

let node: XrplNode
let world: World
let base: Address
let tag = 0
/** Approvers. */
let alice = ''
let bert = ''
beforeAll(async () => {
  node = await startXrplNode()
  node.chain.close(3)
  world = await openWorld({ seed: 'unattributed', chains: [{ id: XRPL, nodes: [node.url] }] })
  await world.settle(XRPL)
  const { orgId, keys } = world
  const opened = { keys, entry: world.entry(XRPL), orgId, purpose: 'settlement' } as const
  base = await world.database.transaction(async (tx) => {
    const { address } = await openOwnAddress(tx, opened)
    return address
  })
  node.chain.pay({ to: base, amount: 10_000_000n })
  await closed()
  const readyHeight = node.chain.closed().height
  const note = { orgId, chainId: XRPL, address: base, readyHeight, missing: '' }
  await world.database.transaction((tx) => noteBaseAccount(tx, note))
  tag = (await world.issue('ann', XRPL)).destinationTag ?? 0
  alice = await approver()
  bert = await approver()
})
afterAll(async () => {
  await world?.close()
  await node?.stop()
})

test('a payment without a known tag is unattributed and reported [X03 X04]', async () => {
  const { chain } = node
  chain.pay({ to: base, amount: 5_000_000n, tag })
  chain.pay({ to: base, amount: 3_000_000n })
  chain.pay({ to: base, amount: 2_000_000n, tag: 0 })
  chain.pay({ to: base, amount: 1_000_000n, tag: 7 })
  await closed()
  expect(await standing()).toEqual({
    'claim:available': 5_000_000n,
    'claim:gas': 10_000_000n,
    'claim:unattributed': 6_000_000n,
    [`place:settlement:${base}`]: 21_000_000n,
  })
  expect((await waiting()).map((one) => [one.amount, one.tag])).toEqual([
    [3_000_000n, null],
    [2_000_000n, 0],
    [1_000_000n, 7],
  ])
  const alerts = (await world.alerts()).filter(({ code }) => code === 'deposit.unattributed')
  expect(alerts).toHaveLength(3)
  expect((await world.deposits()).map(({ amount, status }) => [amount, status])).toEqual([
    [5_000_000n, 'Confirmed'],
  ])
})

test('an unattributed payment that two approvers assign is an ordinary deposit', async () => {
  const id = await idOf(3_000_000n)
  expect(await say(id, alice)).toMatchObject({ state: 'Proposed', proposedBy: alice })
  await expect(say(id, alice)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  await expect(say(id, bert, 'nobody')).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  expect(await standing()).toMatchObject({ 'claim:unattributed': 6_000_000n })
  const done = await say(id, bert)
  expect(done).toMatchObject({ state: 'Assigned', assignedBy: bert })
  await closed()
  expect(await standing()).toMatchObject({
    'claim:available': 8_000_000n,
    'claim:unattributed': 3_000_000n,
  })
  const deposit = (await world.deposits()).find(({ id: one }) => one === done.depositId)
  expect(deposit).toMatchObject({ status: 'Confirmed', externalUserId: 'ann', amount: 3_000_000n })
  const told = await world.events('deposit.detected', 'deposit.confirmed')
  expect(told.filter(({ payload }) => payload['id'] === done.depositId)).toHaveLength(2)
  await expect(say(id, await approver())).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const audit = await world.database.transaction((tx) => listAudit(tx, { limit: 10 }))
  expect(audit.map(({ action, actor }) => [action, actor])).toEqual(
    expect.arrayContaining([
      ['deposit.propose-assignment', `user:${alice}`],
      ['deposit.assign', `user:${bert}`],
    ]),
  )
})

test('an assignment to another user restarts the approval', async () => {
  await world.issue('bob', XRPL)
  const id = await idOf(2_000_000n)
  await say(id, alice)
  expect(await say(id, bert, 'bob')).toMatchObject({ state: 'Proposed', proposedBy: bert })
  await expect(say(id, bert, 'bob')).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  expect(await say(id, alice, 'bob')).toMatchObject({ state: 'Assigned' })
  await closed()
})

test('an assignment by a disabled or unknown approver does not count [A11 A13]', async () => {
  const { serviceKey } = world.keys
  node.chain.pay({ to: base, amount: 4_000_000n, tag: 9 })
  await closed()
  const id = await idOf(4_000_000n)
  const [carl, dora, emil] = [await approver(), await approver(), await approver()]
  const changed = (user: string) => ({ user, actor: 'cli:test' })
  await say(id, carl)
  await world.database.transaction((tx) =>
    disableUser(tx, serviceKey, changed(carl), async () => []),
  )
  expect(await say(id, dora)).toMatchObject({ state: 'Proposed', proposedBy: dora })
  await world.database.transaction((tx) =>
    changeUser(tx, serviceKey, { ...changed(dora), role: 'operator' }, async () => []),
  )
  expect(await say(id, emil)).toMatchObject({ state: 'Proposed', proposedBy: emil })
  await tamper(`update users set role = 'admin' where id = '${emil}'`)
  expect(await say(id, alice)).toMatchObject({ state: 'Proposed', proposedBy: alice })
  await tamper(`update unattributed_deposits set proposed_by = 'somebody' where id = '${id}'`)
  expect(await say(id, alice)).toMatchObject({ state: 'Proposed', proposedBy: alice })
  expect(await say(id, bert)).toMatchObject({ state: 'Assigned', assignedBy: bert })
  await closed()
})

test('a rescan changes nothing, even if the tag was assigned meanwhile [I5]', async () => {
  const { orgId } = world
  const owner = { orgId, chainId: XRPL, externalUserId: 'late' }
  const account = await world.database.transaction((tx) =>
    insertAccount(tx, tagged({ ...owner, id: tx.ids.next(), destinationTag: 7 })),
  )
  expect(account).not.toBeNull()
  const before = await standing()
  const deposits = await world.deposits()
  await world.rescan(4, node.chain.closed().height, XRPL)
  await closed()
  expect(await standing()).toEqual(before)
  expect(await world.deposits()).toEqual(deposits)
  expect((await waiting()).map((one) => one.tag)).toEqual([7])
})

test('the ledger matches the account on the chain [X05]', async () => {
  node.chain.pay({ to: base, amount: 1n, tag })
  node.chain.finishEscrow({ to: base, amount: 4n, tag })
  node.chain.payInVain({ to: base, amount: 9n, tag })
  await closed()
  const held = node.chain.account(base)?.balance
  expect((await standing())[`place:settlement:${base}`]).toBe(held)
  expect((await world.audit(XRPL)).findings).toEqual([])
})

test('the largest possible tag is an ordinary tag [X04]', async () => {
  const owner = { orgId: world.orgId, chainId: XRPL, externalUserId: 'max' }
  node.chain.pay({ to: base, amount: 11n, tag: TAG_MAX })
  await closed()
  expect((await waiting()).find(({ amount }) => amount === 11n)).toMatchObject({ tag: TAG_MAX })
  await world.database.transaction((tx) =>
    insertAccount(tx, tagged({ ...owner, id: tx.ids.next(), destinationTag: TAG_MAX })),
  )
  const txnHash = node.chain.pay({ to: base, amount: 12n, tag: TAG_MAX })
  await closed()
  expect(await creditedBy(txnHash)).toMatchObject([{ externalUserId: 'max', amount: 12n }])
})

test('a deleted account credits its delivered balance [X07]', async () => {
  const gone = xrplWallet('gone')
  node.chain.pay({ to: gone.address, amount: 3_000_000n })
  await closed()
  const leave = { TransactionType: 'AccountDelete', Destination: base, DestinationTag: tag }
  const fields = { ...node.chain.fieldsFor(gone.address), ...leave, Fee: '200000' }
  const { hash } = node.chain.submit(signXrpl(fields, gone))
  await closed()
  expect(await creditedBy(hash)).toMatchObject([
    { externalUserId: 'ann', amount: 2_800_000n, senderAddress: gone.address },
  ])
  expect((await world.audit(XRPL)).findings).toEqual([])
})

test('a payment whose ledger states no delivered amount is unattributed [X01]', async () => {
  const before = (await waiting()).length
  const promise = { to: base, amount: 10n ** 12n, tag }
  const hash = node.chain.payPartially({ ...promise, delivered: 13n, isTold: false })
  await closed()
  expect(await creditedBy(hash)).toEqual([])
  const left = await waiting()
  expect(left).toHaveLength(before + 1)
  expect(left.find(({ amount }) => amount === 13n)).toMatchObject({ txnHash: hash, tag: null })
  expect((await world.audit(XRPL)).findings).toEqual([])
})

test('a node that shows less than the ledger states holds the deposit', async () => {
  const { height } = node.chain.closed()
  node.chain.pay({ to: base, amount: 77n, tag })
  const { hash } = node.chain.close()
  // The state of that ledger differs from its transactions.
  const ledger = node.chain.ledgerOf(hash)
  const account = ledger?.accounts?.get(base)
  if (ledger?.accounts instanceof Map && account !== undefined)
    ledger.accounts.set(base, { ...account, balance: account.balance - 1n })
  node.chain.close()
  await world.settle(XRPL)
  const deposits = await world.deposits()
  const doubtful = deposits.find(({ block }) => block.height === height + 1)
  expect(doubtful).toMatchObject({ status: 'Held', amount: 77n })
})

/** The credited deposits of one transaction. */
async function creditedBy(txnHash: string) {
  const found = (await world.deposits()).filter((one) => one.txnHash === txnHash)
  return found.filter(({ status }) => status === 'Confirmed')
}

async function closed(): Promise<void> {
  node.chain.close(2)
  await world.settle(XRPL)
}

/** The largest first. */
async function waiting() {
  const found = await world.database.transaction((tx) =>
    listUnattributed(tx, { orgId: null, limit: 10 }),
  )
  return found.sort((a, b) => Number(b.amount - a.amount))
}

async function idOf(amount: bigint): Promise<string> {
  const found = (await waiting()).find((one) => one.amount === amount)
  if (found === undefined) throw new Error(`nothing of ${amount} is unattributed`)
  return found.id
}

function say(id: string, userId: string, externalUserId = 'ann') {
  const { catalogue, keys } = world
  const stillSigns = stillSignsBy(keys.serviceKey)
  const { serviceKey } = keys
  const assignment = {
    catalogue,
    serviceKey,
    stillSigns,
    id,
    externalUserId,
    userId,
    reason: 'they wrote to us',
  }
  return world.database.transaction((tx) => assignUnattributed(tx, assignment))
}

async function approver(): Promise<string> {
  const { database, clock, keys, orgId } = world
  const office = { database, clock, serviceKey: keys.serviceKey }
  return (await addPerson(office, { orgId, role: 'approver' })).userId
}

/** The row of an account under a tag of the base account, with its MAC. */
function tagged(account: AccountOwner & { id: string; destinationTag: number }) {
  const made = { ...account, address: base, wallet: 0, index: 0 }
  return { ...made, mac: macOfAccount(world.keys.serviceKey, made) }
}

/** Writes to the database as an attacker. */
function tamper(statement: string): Promise<void> {
  return withSession(world.urls.owner, (session) => session.script(statement))
}

async function standing(): Promise<Record<string, bigint>> {
  const rows = Object.entries(await world.balances())
  return Object.fromEntries(rows.map(([key, amount]) => [key.replace(`${XRP} `, ''), amount]))
}
