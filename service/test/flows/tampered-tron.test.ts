import { expect, test } from 'vitest'
import { withSession } from '../../src/store/connection.ts'
import { tronSender } from '../adapters/tron-world.ts'
import {
  created,
  expectWhole,
  opened,
  signedFor,
  SOLID_LAG,
  TRX,
  type TronHarness,
  WINDOW_BLOCKS,
} from '../support/tron-harness.ts'

const AMOUNT = 20n * TRX

test('an included payment is not signed again after its row was changed [A13 W01]', async () => {
  const harness = await opened()
  const to = tronSender(601).address
  const id = await created(harness, { recipient: to, amount: String(AMOUNT) })
  expect(await harness.conclude(id)).toMatchObject({ status: 'Completed' })
  await tamper(harness, asIfSent('true'))
  await later(harness)
  expect(await signedFor(harness)).toBe(1)
  expect(harness.chain.balance(to)).toBe(AMOUNT)
  await expectStuck(harness)
  await expectWhole(harness)
})

test('an included payment is not signed again for a second reserve [A13 W01]', async () => {
  const harness = await opened()
  const to = tronSender(602).address
  const id = await created(harness, { recipient: to, amount: String(AMOUNT) })
  expect(await harness.conclude(id)).toMatchObject({ status: 'Completed' })
  await tamper(
    harness,
    `${asIfSent('true')};
     insert into postings (org_id, chain_id, token_id, debit, credit, amount, reason, reversal,
                           reference_id, block_height, created_at)
     select org_id, chain_id, token_id, credit, debit, amount, reason || '.undone', true,
            reference_id, block_height, created_at
       from postings
      where reason = 'withdrawal.paid'`,
  )
  await later(harness)
  expect(await signedFor(harness)).toBe(1)
  expect(harness.chain.balance(to)).toBe(AMOUNT)
  await expectStuck(harness)
})

test('a pending payment is not replaced by another payment that we signed [A13 A19]', async () => {
  const harness = await opened()
  const [thief, honest] = [tronSender(603).address, tronSender(604).address]
  const paid = await created(harness, { recipient: thief, amount: String(AMOUNT) })
  expect(await harness.conclude(paid)).toMatchObject({ status: 'Completed' })
  const id = await created(harness, { recipient: honest, amount: String(30n * TRX) })
  harness.chain.lets = () => false
  await harness.spend()
  await tamper(
    harness,
    `update spends s
        set recipient = o.recipient, amount = o.amount
       from spends o
      where s.subject_id = '${id}' and o.subject_id = '${paid}';
     update spend_transactions t
        set raw = o.raw
       from spends s, spends p, spend_transactions o
      where s.subject_id = '${id}' and p.subject_id = '${paid}'
        and t.spend_id = s.id and o.spend_id = p.id`,
  )
  await later(harness)
  harness.chain.lets = () => true
  await harness.mine(1 + SOLID_LAG)
  expect(await signedFor(harness)).toBe(2)
  expect(harness.chain.balance(thief)).toBe(AMOUNT)
  await expectStuck(harness)
})

/** As if not included: written by an attacker who knows the state of a pending payment. */
function asIfSent(which: string): string {
  return `
    update spends
       set state = 'Sent', succeeded = null, fee = null, block_height = null, block_hash = null,
           block_rank = null, settled_at = null
     where purpose = 'withdrawal' and ${which}`
}

/** Past the end of each signed window, in two rounds. */
async function later(harness: TronHarness): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await harness.mine(WINDOW_BLOCKS + SOLID_LAG)
    await harness.spend()
  }
  await harness.mine(1 + SOLID_LAG)
}

async function expectStuck({ world }: TronHarness): Promise<void> {
  expect((await world.alerts()).map(({ code }) => code)).toContain('spend.stuck')
}

function tamper({ world }: TronHarness, statement: string): Promise<void> {
  return withSession(world.urls.owner, async (session) => {
    await session.script(statement)
  })
}
