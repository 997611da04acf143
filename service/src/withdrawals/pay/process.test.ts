import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  CHAIN,
  type Desk,
  openDesk,
  RECIPIENT,
  type Signer,
} from '../../../test/support/withdrawal-desk.ts'
import { toTokenId, USDT } from '../../../test/support/door.ts'
import { Outage } from '../../base/fault.ts'
import { CHAINS, type ChainEntry } from '../../catalogue/chains.ts'
import { resumeToken, suspendToken } from '../../catalogue/token-check.ts'
import type { Quote, QuoteRefusal } from '../../chains/port.ts'
import { disableUser, changeUser } from '../../orgs/change-user.ts'
import { demandOf } from './demand.ts'
import { review } from './apply.ts'

const MINUTE_MS = 60_000

let desk: Desk
let ann: Signer

let quoted: Desk['chain']['quote']
beforeAll(async () => {
  desk = await openDesk()
  quoted = desk.chain.quote
})
afterAll(() => desk.close())
beforeEach(async () => {
  desk.chain.quote = quoted
  await desk.threshold(1)
  await desk.tamper("update withdrawals set status = 'Cancelled' where status like 'Pending%'")
  await desk.tamper("update spends set state = 'Settled'")
  await desk.fund(1_000n)
  await desk.addGas(10n ** 9n)
  desk.gasShort.length = 0
  ann = await desk.signer()
})

describe('on their way', () => {
  test('a withdrawal is signed, stored and emitted once, with its hash [I17]', async () => {
    const id = await desk.created()
    expect(await desk.tick()).toBe(1)
    expect(await desk.tick()).toBe(0)
    const withdrawal = await desk.read(id)
    expect(withdrawal).toMatchObject({
      status: 'Processing',
      txnHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      txnError: null,
      completedAt: null,
    })
    const told = (await desk.told('withdrawal.processing')).filter((one) => isOf(one, id))
    expect(told).toHaveLength(1)
    expect(told[0]?.payload).toMatchObject({
      status: 'Processing',
      txnHash: withdrawal.txnHash,
      toAddress: RECIPIENT,
      approvedBy: [desk.apiUserId],
    })
    expect(await desk.reserved()).toBeGreaterThanOrEqual(60n)
  })

  test('I17 the oldest goes first', async () => {
    const sent: string[] = []
    const ids = [await createdLater(), await createdLater(), await createdLater()]
    desk.chain.quote = async () => {
      const pending = await Promise.all(ids.map((id) => desk.read(id)))
      sent.push(pending.find(({ status }) => status === 'Pending')?.id ?? '')
      return quoted()
    }
    expect(await desk.tick()).toBe(3)
    expect(sent).toEqual(ids)
  })

  test('W20 one that is stuck never blocks the others', async () => {
    const stuck = await createdLater()
    const fine = await createdLater()
    const outage = await createdLater()
    const last = await createdLater()
    desk.chain.quote = answers({ [stuck]: refused('RECIPIENT_REFUSES'), [outage]: 'outage' }, [
      stuck,
      fine,
      outage,
      last,
    ])
    await expect(desk.tick()).rejects.toThrow(Outage)
    expect(await statusOf(stuck, fine, outage, last)).toEqual([
      'Failed',
      'Processing',
      'Pending',
      'Processing',
    ])
  })

  test('W20 a sender that takes no more makes its organization wait', async () => {
    const id = await desk.created()
    expect(await desk.tick(async () => ({ outcome: 'busy' }))).toBe(0)
    expect(await desk.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'confirmations' })
    expect(await desk.tick(async () => ({ outcome: 'halted', cause: 'test' }))).toBe(0)
    expect(await desk.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'operator' })
    expect(await desk.tick(async () => ({ outcome: 'frozen' }))).toBe(0)
    expect(await desk.tick(async () => ({ outcome: 'declined' }))).toBe(0)
    expect(await desk.read(id)).toMatchObject({ status: 'Pending', waitingFor: null })
  })
})

describe('refused before anything is signed', () => {
  test('E24 what the recipient refuses fails with the plain reason', async () => {
    const id = await desk.created()
    const available = await desk.available()
    desk.chain.quote = async () => refused('RECIPIENT_REFUSES')
    expect(await desk.tick()).toBe(0)
    expect(await desk.tick()).toBe(0)
    expect(await desk.read(id)).toMatchObject({
      status: 'Failed',
      failureCode: 'RECIPIENT_REFUSES',
      txnError: 'as the node says it',
      txnHash: null,
    })
    expect(await desk.available()).toBe(available + 60n)
    expect(typesOf(await desk.told(), id)).toEqual([
      'withdrawal.created',
      'withdrawal.approved',
      'balance.updated',
      'withdrawal.failed',
      'balance.updated',
    ])
  })

  test('a withdrawal without gas waits, reports it, and then fails once [W20]', async () => {
    const id = await desk.created()
    const available = await desk.available()
    desk.chain.quote = async () => refused('INSUFFICIENT_GAS')
    await desk.tick()
    expect(await desk.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'gas' })
    expect(desk.gasShort).toEqual([{ orgId: desk.orgId, chainId: CHAIN }])
    await desk.door.harness.clock.advance(59 * MINUTE_MS)
    await desk.tick()
    expect(await desk.read(id)).toMatchObject({ status: 'Pending' })
    await desk.door.harness.clock.advance(MINUTE_MS)
    await desk.tick()
    await desk.tick()
    expect(await desk.read(id)).toMatchObject({
      status: 'Failed',
      failureCode: 'INSUFFICIENT_GAS',
    })
    expect(await desk.available()).toBe(available + 60n)
    expect(typesOf(await desk.told(), id).filter((type) => type === 'withdrawal.failed')).toEqual([
      'withdrawal.failed',
    ])
  })

  test('W16 a fee above its cap is waited for, not gas, and then it fails for that', async () => {
    const id = await desk.created()
    desk.chain.quote = async () => refused('FEE_TOO_HIGH')
    await desk.tick()
    expect(await desk.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'fee' })
    expect(desk.gasShort).toEqual([])
    await desk.door.harness.clock.advance(60 * MINUTE_MS)
    await desk.tick()
    const failed = { status: 'Failed', failureCode: 'FEE_TOO_HIGH' }
    expect(await desk.read(id)).toMatchObject(failed)
  })

  test('a shortage of gas is not reported on a chain without gas wallets [X13]', async () => {
    const id = await desk.created()
    const { orgId } = desk
    const shared = CHAINS.find((entry) => !entry.hasGasWallets && entry.sharesAddresses)
    if (shared === undefined) throw new Error('no such chain')
    const letWait = (entry: ChainEntry) =>
      review({ ...desk.deps(), entry }, { orgId, id }, { code: 'INSUFFICIENT_GAS' })
    await letWait({ ...shared, id: CHAIN })
    expect(await desk.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'gas' })
    expect(desk.gasShort).toEqual([])
    await letWait(desk.deps().entry)
    expect(desk.gasShort).toHaveLength(1)
  })

  test('a withdrawal is sent when gas arrives; each wait has its own time [W20]', async () => {
    const id = await desk.created()
    desk.chain.quote = async () => refused('FEE_TOO_HIGH')
    await desk.tick()
    await desk.door.harness.clock.advance(40 * MINUTE_MS)
    desk.chain.quote = async () => refused('INSUFFICIENT_BALANCE')
    await desk.tick()
    expect(await desk.read(id)).toMatchObject({ waitingFor: 'funds' })
    await desk.door.harness.clock.advance(40 * MINUTE_MS)
    desk.chain.quote = async () => refused('INSUFFICIENT_GAS')
    await desk.tick()
    expect(await desk.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'gas' })
    desk.chain.quote = quoted
    expect(await desk.tick()).toBe(1)
    expect(await desk.read(id)).toMatchObject({ waitingFor: 'confirmations' })
  })

  test('W20 where the ledger says that gas is short, no other is quoted', async () => {
    const poor = await openDesk()
    await poor.fund(1_000n)
    const ids = [await poor.created(), await poor.created()]
    let asked = 0
    const quote = poor.chain.quote
    poor.chain.quote = async () => {
      asked += 1
      return quote()
    }
    expect(await poor.tick()).toBe(0)
    expect(asked).toBe(1)
    for (const id of ids) expect(await poor.read(id)).toMatchObject({ waitingFor: 'gas' })
    await poor.close()
  })

  test('W20 unswept money is waited for without an end, and asked for', async () => {
    await desk.fund(500n, USDT)
    await moveAway(500n)
    const id = await desk.created({ tokenId: USDT, amount: '400' })
    await desk.tick()
    await desk.door.harness.clock.advance(100 * 24 * 60 * MINUTE_MS)
    await desk.tick()
    expect(await desk.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'funds' })
    const demands = await desk.door.harness.database.transaction((tx) =>
      demandOf(tx, { chainId: CHAIN }),
    )
    expect(demands).toEqual([{ orgId: desk.orgId, tokenId: toTokenId(USDT), missing: 400n }])
  })

  test('a withdrawal of a suspended token is not signed, and others are [E09]', async () => {
    await desk.fund(5n, USDT)
    const [id, other] = [await desk.created({ tokenId: USDT, amount: '5' }), await desk.created()]
    const lying = { tokenId: toTokenId(USDT), chainId: CHAIN, cause: 'a test' }
    const { database } = desk.door.harness
    await database.transaction((tx) => suspendToken(tx, lying))
    expect(await desk.tick()).toBe(1)
    expect(await statusOf(id, other)).toEqual(['Pending', 'Processing'])
    await database.transaction((tx) => resumeToken(tx, lying))
    expect(await desk.tick()).toBe(1)
  })

  test('E09 a token that is caught lying after the quote is not signed either', async () => {
    const id = await desk.created({ tokenId: USDT, amount: '5' })
    const lying = { tokenId: toTokenId(USDT), chainId: CHAIN, cause: 'a test' }
    const { database } = desk.door.harness
    desk.chain.quote = async (...asked) => {
      await database.transaction((tx) => suspendToken(tx, lying))
      return quoted(...asked)
    }
    expect(await desk.tick()).toBe(0)
    expect(await statusOf(id)).toEqual(['Pending'])
    desk.chain.quote = quoted
    await database.transaction((tx) => resumeToken(tx, lying))
    expect(await desk.tick()).toBe(1)
  })

  test('A20 while the balance is below zero nothing of the token is signed', async () => {
    const id = await desk.created()
    const available = await desk.available()
    await takeBack(available + 1n)
    expect(await desk.available()).toBe(-1n)
    expect(await desk.tick()).toBe(0)
    expect(await desk.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'funds' })
    await desk.fund(available + 1n)
    expect(await desk.tick()).toBe(1)
  })
})

describe('the recount before a signature', () => {
  test('A11 an approver who is disabled meanwhile sends it back to be approved', async () => {
    const dan = await desk.signer()
    await desk.threshold(2)
    const id = await desk.created()
    await dan.approve(id)
    await desk.threshold(1)
    await change('disable', dan.userId)
    expect(await desk.tick()).toBe(0)
    expect(await desk.read(id)).toMatchObject({
      status: 'PendingApproval',
      approvers: [desk.apiUserId],
    })
    await ann.approve(id)
    expect(await desk.tick()).toBe(1)
    const approved = (await desk.told('withdrawal.approved')).filter((one) => isOf(one, id))
    expect(approved.map(({ payload }) => payload['approvedBy'])).toEqual([
      [desk.apiUserId, dan.userId],
      [desk.apiUserId, ann.userId],
    ])
    expect(await desk.alerts('withdrawal.tampered')).not.toContain(id)
  })

  test('A11 an initiator who may no longer create does not count', async () => {
    const eve = await desk.signer('operator')
    const made = await eve.ask('/withdrawals', 'POST', requestOf())
    const id = String(Object(made.json['withdrawal']).id)
    await change('viewer', eve.userId)
    expect(await desk.tick()).toBe(0)
    expect(await desk.read(id)).toMatchObject({ status: 'PendingApproval', approvers: [] })
    await ann.approve(id)
    expect(await desk.tick()).toBe(1)
  })

  test('A11 what is voided between the look and the signature is still seen', async () => {
    const dan = await desk.signer()
    await desk.threshold(2)
    const id = await desk.created()
    await dan.approve(id)
    await desk.threshold(1)
    desk.chain.quote = async () => {
      await change('disable', dan.userId)
      return quoted()
    }
    expect(await desk.tick()).toBe(0)
    expect(await desk.read(id)).toMatchObject({ status: 'Pending', txnHash: null })
  })

  test('A17 an approval that has become too old is void', async () => {
    await desk.threshold(2)
    const id = await desk.created()
    await ann.approve(id)
    desk.chain.quote = async () => refused('FEE_TOO_HIGH')
    await desk.door.harness.clock.advance(25 * 60 * MINUTE_MS)
    expect(await desk.tick()).toBe(0)
    expect(await desk.read(id)).toMatchObject({ status: 'PendingApproval' })
  })
})

function createdLater(): Promise<string> {
  return desk.door.harness.clock.advance(1_000).then(() => desk.created())
}

async function statusOf(...ids: string[]): Promise<string[]> {
  return Promise.all(ids.map(async (id) => (await desk.read(id)).status))
}

/** Answers to the quotes of withdrawals in the order in which they come. */
function answers(
  special: Record<string, Quote | 'outage'>,
  order: readonly string[],
): () => Promise<Quote> {
  const left = [...order]
  return async () => {
    const answer = special[left.shift() ?? ''] ?? (await quoted())
    if (answer === 'outage') throw new Outage('node', 'away')
    return answer
  }
}

function refused(code: QuoteRefusal): Quote {
  return { ok: false, code, message: 'as the node says it', details: {} }
}

type Told = Awaited<ReturnType<Desk['told']>>

function isOf({ payload }: Told[number], id: string): boolean {
  return payload['id'] === id || payload['referenceId'] === id
}

function typesOf(told: Told, id: string): string[] {
  return told.filter((one) => isOf(one, id)).map(({ type }) => type)
}

function requestOf(): Record<string, unknown> {
  return {
    chainId: CHAIN,
    tokenId: `${CHAIN}/slip44:60`,
    amount: '60',
    recipient: RECIPIENT,
    reference: desk.door.harness.ids.next(),
  }
}

function change(to: 'disable' | 'viewer', user: string): Promise<unknown> {
  const none = async () => []
  const actor = 'cli:test'
  return desk.door.harness.database.transaction((tx) =>
    to === 'disable'
      ? disableUser(tx, desk.serviceKey, { user, actor }, none)
      : changeUser(tx, desk.serviceKey, { user, actor, role: to }, none),
  )
}

/** Money that is not on the settlement account, but still at a deposit address. */
async function moveAway(amount: bigint): Promise<void> {
  await desk.book({
    debit: `place:deposits:0x${'1'.repeat(40)}`,
    credit: `place:settlement:${desk.settlement}`,
    amount,
    tokenId: toTokenId(USDT),
  })
}

/** A confirmed amount that a reorg removes. */
async function takeBack(amount: bigint): Promise<void> {
  await desk.book({
    debit: 'claim:available',
    credit: `place:settlement:${desk.settlement}`,
    amount,
    reversal: true,
  })
}
