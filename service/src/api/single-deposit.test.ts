import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Door,
  ETHER,
  ETHEREUM,
  openDoor,
  toChainId,
  toTokenId,
} from '../../test/support/door.ts'
import { parseAddress } from '../chains/format-address.ts'
import { emitConfirmed } from '../deposits/emit.ts'
import { readDeposit } from '../deposits/list.ts'
import { withSession } from '../store/connection.ts'
import { insertWaiting } from '../sweeps/rows.ts'

const CHAIN = toChainId(ETHEREUM)
const TOKEN = toTokenId(ETHER)
const NOBODY = '019b76da-0000-7000-8000-000000000000'
const HASH = `0x${'c'.repeat(64)}`

let door: Door
beforeAll(async () => {
  door = await openDoor()
})
afterAll(() => door.close())

type Row = Record<string, unknown>
let users = 0
let account: Row
let id = ''

/** A deposit of a new user. */
beforeEach(async () => {
  const query = new URLSearchParams({ chainId: CHAIN, tokenId: TOKEN, userId: `user ${users++}` })
  const opened = await door.ask(`/payments/deposit-address?${query.toString()}`)
  account = Object(opened.json['address']) as Row
  await door.pay(addressOf(account), [7n])
  const { json } = await door.ask(`/payments?userId=${String(account['externalUserId'])}`)
  id = String(Object(Object(json['payments'])[0])['id'])
})

const addressOf = (of: Row) => String(Object(of['properties'])['address'])
const execute = (statement: string) =>
  withSession(door.harness.adminUrl, (session) => session.script(statement))

async function shown(): Promise<Row> {
  const { status, json } = await door.ask(`/deposits/${id}`)
  expect(status).toBe(200)
  return Object(json['deposit']) as Row
}

/** Credits the deposit and emits its event. */
async function confirm(): Promise<void> {
  const { database, clock } = door.harness
  const at = new Date(clock.now()).toISOString()
  await execute(`
    update incoming_transfers
       set status = 'Confirmed', booked = 'available', confirmed_at = '${at}'
     where id = '${id}'`)
  await database.transaction(async (tx) => {
    const deposit = await readDeposit(tx, { orgId: door.a.orgId, id })
    emitConfirmed(tx, door.deps.catalogue, deposit, deposit.block)
  })
}

/** Plans a sweep of the address of the deposit. */
async function planSweep(): Promise<void> {
  const address = parseAddress(CHAIN, addressOf(account))
  if (address === null) throw new Error('no address')
  const { orgId } = door.a
  const sweep = { orgId, chainId: CHAIN, tokenId: TOKEN, address, amount: 7n }
  await door.harness.database.transaction((tx) => insertWaiting(tx, [sweep]))
}

/** Signs the waiting sweep of the address, and includes it. */
async function sendSweep(nonce: number): Promise<void> {
  const { orgId } = door.a
  const address = addressOf(account).toLowerCase()
  const at = new Date(door.harness.clock.now()).toISOString()
  const spend = door.harness.ids.next()
  await execute(`
    insert into senders (chain_id, address, org_id, purpose, wallet_number, path_index,
                         next_nonce, created_at, updated_at)
    values ('${CHAIN}', '${address}', '${orgId}', 'deposit', 0, 0, 0, '${at}', '${at}')
    on conflict do nothing;
    insert into spends (org_id, id, chain_id, purpose, subject_id, sender, nonce, token_id,
                        recipient, amount, state, max_fee, txn_hash, created_at, updated_at)
    select org_id, '${spend}', chain_id, 'sweep', id, address, ${nonce}, token_id, address, 7,
           'Sent', 0, '${HASH}', '${at}', '${at}'
      from sweeps where address = '${address}' and state = 'Waiting';
    update sweeps set state = 'Sent', spend_id = '${spend}', updated_at = '${at}'
     where address = '${address}' and state = 'Waiting'`)
}

const endSweep = (state: 'Done' | 'Failed') =>
  execute(`
    update sweeps set state = '${state}', updated_at = '${new Date(
      door.harness.clock.now(),
    ).toISOString()}'
     where address = '${addressOf(account).toLowerCase()}' and state = 'Sent'`)

describe('GET /deposits/:id', () => {
  test('returns the fields of the list, the account and the address', async () => {
    const { json } = await door.ask(`/payments?q=${id}`)
    const [listed] = Object(json['payments']) as Row[]
    expect(await shown()).toEqual({
      ...listed,
      orgDepositAccountId: account['orgDepositAccountId'],
      recipientAddress: addressOf(account),
      destinationTag: null,
      heldReason: null,
      detectedAt: listed?.['createdAt'],
      notification: null,
      sweep: null,
    })
  })

  test('shows why a deposit is held', async () => {
    await execute(`
      update incoming_transfers
         set status = 'Held', booked = 'held', held_cause = 'An operator holds it.'
       where id = '${id}'`)
    expect(await shown()).toMatchObject({ status: 'Held', heldReason: 'An operator holds it.' })
  })

  test('shows the destination tag of its account', async () => {
    const accountId = String(account['orgDepositAccountId'])
    await execute(`update accounts set destination_tag = 77 where id = '${accountId}'`)
    expect(await shown()).toMatchObject({ destinationTag: '77' })
  })

  test('shows the event that reports the credit, and its delivery', async () => {
    await confirm()
    const { json } = await door.ask(`/events?subjectId=${id}&type=deposit.confirmed`)
    const [event] = Object(json['events']) as Row[]
    expect(await shown()).toMatchObject({
      status: 'Confirmed',
      notification: {
        eventId: event?.['id'],
        timestamp: event?.['timestamp'],
        delivery: { state: 'none', attemptCount: 0 },
      },
    })
  })

  test('shows the sweep that moves it, and the next one after a failure', async () => {
    await confirm()
    await planSweep()
    expect(await shown()).toMatchObject({ sweep: { status: 'Waiting', txnHash: null } })
    await sendSweep(0)
    expect(await shown()).toMatchObject({ sweep: { status: 'Sent', txnHash: HASH } })
    await endSweep('Failed')
    expect(await shown()).toMatchObject({ sweep: null })
    await planSweep()
    await sendSweep(1)
    await endSweep('Done')
    expect(await shown()).toMatchObject({ sweep: { status: 'Done', txnHash: HASH } })
  })

  test('does not show a sweep that was signed before the credit', async () => {
    await planSweep()
    await sendSweep(0)
    await door.harness.clock.advance(1_000)
    await confirm()
    expect(await shown()).toMatchObject({ sweep: null })
    await door.harness.clock.advance(1_000)
    await endSweep('Done')
    expect(await shown()).toMatchObject({ sweep: null })
    await planSweep()
    expect(await shown()).toMatchObject({ sweep: { status: 'Waiting' } })
  })

  test('is NOT_FOUND for an unknown id and for a deposit of another organization', async () => {
    const unknown = await door.ask(`/deposits/${NOBODY}`)
    expect(unknown).toMatchObject({ status: 404, json: { error: 'NOT_FOUND' } })
    for (const [path, key] of [
      [`/deposits/${id}`, door.b.key],
      ['/deposits/x', door.a.key],
      [`/deposits/${String(account['orgDepositAccountId'])}`, door.a.key],
    ] as const) {
      const { status, json } = await door.ask(path, { key })
      expect([status, json['error'], json['message']]).toEqual([
        404,
        'NOT_FOUND',
        unknown.json['message'],
      ])
    }
  })
})
