import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Refusal } from '../../src/base/fault.ts'
import { sendSpend } from '../../src/transactions/send.ts'
import type { Database, Tx } from '../../src/store/database.ts'
import { approveWithdrawal, proveByCode } from '../../src/withdrawals/approve/approve.ts'
import { cancelWithdrawal } from '../../src/withdrawals/approve/cancel.ts'
import { createWithdrawal } from '../../src/withdrawals/request/create.ts'
import { requestFor } from '../../src/withdrawals/pay/payment-request.ts'
import type { WithdrawalDeps } from '../../src/withdrawals/pay/inspect.ts'
import type { Withdrawal } from '../../src/withdrawals/withdrawal.ts'
import { SeededRandom } from '../support/clock.ts'
import {
  type Desk,
  newReference,
  openDesk,
  RECIPIENT,
  type Signer,
} from '../support/withdrawal-desk.ts'

const ROUNDS = 1_000
const LONG = 300_000
const DAY_MS = 86_400_000

let desk: Desk
let database: Database
let ben: Signer
let cem: Signer
const random = new SeededRandom('withdrawal races')
beforeAll(async () => {
  desk = await openDesk()
  database = desk.door.harness.database
  await desk.fund(10n ** 9n)
  await desk.addGas(10n ** 15n)
  ben = await desk.signer()
  cem = await desk.signer()
  await desk.signer()
})
afterAll(() => desk.close())

test(
  'two concurrent approvals are never both the last one, in 1,000 rounds [A08]',
  async () => {
    await desk.threshold(3)
    const ids: string[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await created()
      ids.push(id)
      const [one, other] = await together(
        (meet) => approve(id, ben.userId, meet),
        (meet) => approve(id, cem.userId, meet),
      )
      const statuses = [statusOf(one), statusOf(other)].sort()
      expect(statuses, `round ${round}`).toEqual(['Pending', 'PendingApproval'])
    }
    await expectOutcome(ids, { approvals: 3, told: 'withdrawal.approved' })
  },
  LONG,
)

test(
  'either an approval or a concurrent cancellation wins, in 1,000 rounds [A09]',
  async () => {
    await desk.threshold(2)
    const outcomes = { released: 0, cancelled: 0 }
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await created()
      const reserved = await reservedOf(id)
      const [approved, cancelled] = await together(
        (meet) => approve(id, ben.userId, meet),
        (meet) => cancel(id, meet),
      )
      const { status } = await desk.read(id)
      // A released withdrawal may be cancelled; a cancelled one may not be approved.
      expect(statusOf(cancelled), `round ${round}`).toBe('Cancelled')
      expect(['Pending', 'WITHDRAWAL_NOT_PENDING']).toContain(statusOf(approved))
      expect(status).toBe('Cancelled')
      expect([reserved, await reservedOf(id)]).toEqual([60n, 0n])
      outcomes[statusOf(approved) === 'Pending' ? 'released' : 'cancelled'] += 1
    }
    expect(Object.values(outcomes)).not.toContain(0)
  },
  LONG,
)

test(
  'either a cancellation or a concurrent signature wins, in 1,000 rounds [A10]',
  async () => {
    await desk.threshold(1)
    const outcomes = { signed: 0, cancelled: 0 }
    const deps = desk.deps()
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await created()
      const [signed, cancelled] = await together(
        (meet) => sign(id, deps, meet),
        (meet) => cancel(id, meet),
      )
      const { status, txnHash } = await desk.read(id)
      const spends = await desk.rows(`select txn_hash from spends where subject_id = '${id}'`)
      const isSigned = status === 'Processing'
      expect([status, spends.length], `round ${round}`).toEqual(
        isSigned ? ['Processing', 1] : ['Cancelled', 0],
      )
      expect(spends.map((row) => row['txn_hash'])).toEqual(isSigned ? [txnHash] : [])
      expect(statusOf(cancelled)).toBe(isSigned ? 'WITHDRAWAL_NOT_PENDING' : 'Cancelled')
      expect(statusOf(signed)).toBe(isSigned ? 'sent' : 'declined')
      expect(await reservedOf(id)).toBe(isSigned ? 60n : 0n)
      outcomes[isSigned ? 'signed' : 'cancelled'] += 1
      await desk.door.harness.database.transaction((tx) =>
        tx.run(sql`update spends set state = 'Settled' where state = 'Sent'`),
      )
    }
    expect(Object.values(outcomes)).not.toContain(0)
  },
  LONG,
)

/** Called inside a transaction: returns once the other side is in a transaction as well. */
type Meet = () => Promise<void>

type Outcome = { done: unknown } | { refused: string }

/**
 * Two sessions, each in its own transaction before either begins its work; then one of them, drawn
 * at random, gets a start of a few turns.
 */
async function together(
  ...works: ((meet: Meet) => Promise<unknown>)[]
): Promise<[Outcome, Outcome]> {
  const barrier = meeting(works.length)
  const [ahead = 0, turns = 0] = random.bytes(2)
  const runs = works.map(async (work, at) => {
    const isLate = at === ahead % 2
    try {
      const done = await work(async () => {
        await barrier()
        const wait = isLate ? turns % 12 : 0
        for (let turn = 0; turn < wait; turn += 1) await nextTurn()
      })
      return { done }
    } catch (error) {
      if (error instanceof Refusal) return { refused: error.code }
      throw error
    }
  })
  const [one, other] = await Promise.all(runs)
  if (one === undefined || other === undefined) throw new Error('two are together')
  return [one, other]
}

/** Only the first attempt waits: a step that lost a conflict is retried alone. */
function meeting(size: number): () => Promise<void> {
  let arrived = 0
  let open: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  return async () => {
    arrived += 1
    if (arrived >= size) open()
    await gate
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function approve(id: string, userId: string, meet: Meet): Promise<Withdrawal> {
  const { catalogue } = desk.door.deps
  const approval = { catalogue, orgId: desk.orgId, userId, maxAgeMs: DAY_MS, id }
  return database.forOrg(desk.orgId, async (tx) => {
    await entered(tx, meet)
    return approveWithdrawal(
      tx,
      desk.serviceKey,
      approval,
      proveByCode(async () => 1),
    )
  })
}

function cancel(id: string, meet: Meet): Promise<Withdrawal> {
  const { catalogue } = desk.door.deps
  const cancellation = { catalogue, orgId: desk.orgId, userId: desk.apiUserId, id }
  return database.forOrg(desk.orgId, async (tx) => {
    await entered(tx, meet)
    return cancelWithdrawal(tx, desk.serviceKey, cancellation)
  })
}

/** The signing step of the real spends module; it meets the other side at its claim. */
async function sign(id: string, deps: WithdrawalDeps, meet: Meet) {
  const { recipient: to, amount, chainId, tokenId } = await desk.read(id)
  const { settlement: from } = desk
  const quote = await desk.chain.quote()
  if (!quote.ok) throw new Error('no terms')
  const mandate = requestFor(deps, {
    orgId: desk.orgId,
    id,
    intent: { chainId, tokenId, from, to, amount, memo: null },
    terms: quote.terms,
  })
  const claim = async (tx: Tx) => {
    await entered(tx, meet)
    return mandate.claim(tx)
  }
  return sendSpend(deps, { ...mandate, claim })
}

async function entered(tx: Tx, meet: Meet): Promise<void> {
  await tx.run(sql`select 1`)
  await meet()
}

async function created(): Promise<string> {
  const { catalogue } = desk.door.deps
  const request = {
    chainId: 'eip155:1',
    tokenId: 'eip155:1/slip44:60',
    amount: '60',
    recipient: RECIPIENT,
    reference: newReference(),
    memo: null,
    internalNote: null,
    externalUserId: null,
  }
  const initiator = { id: desk.apiUserId, role: 'api' } as const
  const creation = { catalogue, orgId: desk.orgId, initiator, request, fee: 0n }
  const { id } = await database.forOrg(desk.orgId, (tx) =>
    createWithdrawal(tx, desk.serviceKey, creation, async () => ({
      chain: () => true,
      token: () => true,
      isVerifying: () => false,
    })),
  )
  return id
}

function statusOf(outcome: Outcome): string {
  if ('refused' in outcome) return outcome.refused
  const { status, outcome: sent } = Object(outcome.done)
  return String(status ?? sent)
}

async function reservedOf(id: string): Promise<bigint> {
  const [row] = await desk.rows(`
    select coalesce(sum(case when credit = 'claim:reserved' then amount else -amount end), 0)
           as held
      from postings where reference_id = '${id}' and 'claim:reserved' in (debit, credit)`)
  return BigInt(String(row?.['held']))
}

async function expectOutcome(
  ids: readonly string[],
  { approvals, told }: { approvals: number; told: string },
): Promise<void> {
  const counts = await desk.rows(`
    select withdrawal_id, count(*) as n from withdrawal_approvals
     where withdrawal_id in (${quoted(ids)}) group by withdrawal_id`)
  expect(counts).toHaveLength(ids.length)
  expect(counts.filter((row) => row['n'] !== approvals)).toEqual([])
  const events = await desk.rows(`
    select subject_id, count(*) as n from events
     where type = '${told}' and subject_id in (${quoted(ids)}) group by subject_id`)
  expect(events).toHaveLength(ids.length)
  expect(events.filter((row) => row['n'] !== 1)).toEqual([])
}

function quoted(ids: readonly string[]): string {
  return ids.map((id) => `'${id}'`).join(', ')
}
