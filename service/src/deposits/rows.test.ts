import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, openTestDatabase } from '../../test/support/database.ts'
import { depositOf } from '../../test/support/sample-deposit.ts'
import { withSession } from '../store/connection.ts'
import type { Tx } from '../store/database.ts'
import { type Deposit, MOVES } from './deposit.ts'
import { insertNew, lockBelowMinimum, lockById, lockPresent, moveRows } from './rows.ts'

const OTHER_ORG = '01990000-0000-7000-8000-00000000000f'

let harness: TestDatabase
beforeAll(async () => {
  harness = await openTestDatabase()
  const { orgId, accountId, chainId } = depositOf()
  await withSession(harness.adminUrl, (session) =>
    session.script(`
      insert into organizations
      select id::uuid, 'Acme', 1, 0, now(), now(), ''
        from unnest(array['${orgId}', '${OTHER_ORG}']) id;
      insert into accounts (org_id, id, chain_id, external_user_id, address, wallet_number,
                            path_index, mac, created_at, updated_at)
      select o.id, '${accountId}', '${chainId}', 'ann', o.id::text, 0, 0, '', now(), now()
        from organizations o`),
  )
})
afterAll(() => harness.close())

describe('deposits in the database', () => {
  test('are inserted only with a new identity [I3]', async () => {
    const [one, two, three] = [fresh(), fresh(), fresh()]
    expect(await step((tx) => insertNew(tx, [one, two]))).toEqual([one, two])
    const again = { ...two, id: harness.ids.next() }
    expect(await step((tx) => insertNew(tx, [again, three]))).toEqual([three])
    const stored = await step((tx) => lockById(tx, three.id))
    expect(stored).toEqual({
      ...three,
      createdAt: harness.clock.now(),
      updatedAt: harness.clock.now(),
    })
    expect(await step((tx) => lockById(tx, again.id))).toBeNull()
  })

  test('move if their state permits it, and are returned as stored [I3]', async () => {
    const deposits = [fresh(), fresh(), fresh()]
    const [first, second, third] = deposits as [Deposit, Deposit, Deposit]
    await step((tx) => insertNew(tx, deposits))
    await step((tx) => moveRows(tx, { transfers: [second], move: MOVES.hold, cause: 'doubt' }))
    await harness.clock.advance(5_000)
    const tip = { height: 21, hash: '0x15' }
    const moved = await step((tx) =>
      moveRows(tx, { transfers: deposits, move: MOVES.confirm, tip }),
    )
    expect(moved.map(({ id }) => id)).toEqual([first.id, third.id])
    for (const deposit of moved) {
      const stored = await step((tx) => lockById(tx, deposit.id))
      expect(stored).toEqual({ ...deposit, createdAt: stored?.createdAt })
      expect(stored).toMatchObject({ status: 'Confirmed', booked: 'available', heldCause: '' })
      expect(stored).toMatchObject({ confirmedHeight: 21, confirmedAt: harness.clock.now() })
    }
    const [orphan] = await step((tx) => moveRows(tx, { transfers: moved, move: MOVES.orphan }))
    expect(await step((tx) => lockById(tx, first.id))).toMatchObject({
      status: 'Orphaned',
      confirmedAt: orphan?.confirmedAt,
      confirmedHeight: 21,
    })
  })

  test('keep their release, and the cause of a hold [I3]', async () => {
    const deposit = fresh()
    await step((tx) => insertNew(tx, [deposit]))
    const [held] = await step((tx) =>
      moveRows(tx, { transfers: [deposit], move: MOVES.hold, cause: 'a look' }),
    )
    expect(held).toMatchObject({ status: 'Held', heldCause: 'a look', cleared: false })
    const deposits = held === undefined ? [] : [held]
    const [released] = await step((tx) =>
      moveRows(tx, { transfers: deposits, move: MOVES.release }),
    )
    expect(released).toMatchObject({ status: 'Detected', heldCause: '', cleared: true })
    const stored = await step((tx) => lockById(tx, deposit.id))
    expect(stored).toEqual({ ...released, createdAt: stored?.createdAt })
  })

  test('are found by organization and id, not by id alone [S10]', async () => {
    const deposit = fresh()
    await step((tx) => insertNew(tx, [deposit]))
    const foreign = { ...deposit, orgId: OTHER_ORG }
    expect(await step((tx) => lockPresent(tx, [foreign]))).toEqual([])
    const move = { transfers: [foreign], move: MOVES.confirm }
    expect(await step((tx) => moveRows(tx, move))).toEqual([])
    expect(await step((tx) => lockPresent(tx, [deposit]))).toEqual([
      { id: deposit.id, status: 'Detected', blockHash: deposit.block.hash },
    ])
  })

  test('belong to an account of their organization [I1]', async () => {
    const stranger = { ...fresh(), accountId: harness.ids.next() }
    const alien = { ...fresh(), orgId: harness.ids.next() }
    for (const wrong of [stranger, alien]) {
      const done = step((tx) => insertNew(tx, [fresh(), wrong, fresh()]))
      await expect(done).rejects.toMatchObject({ code: '23503' })
      expect(await step((tx) => lockById(tx, wrong.id))).toBeNull()
    }
  })

  test('below the minimum are found by account', async () => {
    const deposits = [fresh(), fresh()]
    await step((tx) => insertNew(tx, deposits))
    const [small] = await step((tx) =>
      moveRows(tx, { transfers: deposits.slice(0, 1), move: MOVES.setAside }),
    )
    const { chainId } = depositOf()
    const found = await step((tx) => lockBelowMinimum(tx, { chainId, deposits }))
    expect(found.map(({ id }) => id)).toEqual([small?.id])
    const strangers = deposits.map((deposit) => ({ ...deposit, accountId: OTHER_ORG }))
    const none = await step((tx) => lockBelowMinimum(tx, { chainId, deposits: strangers }))
    expect(none).toEqual([])
  })

  test('are read without a sequential scan, however many there are [O05]', async () => {
    await step((tx) =>
      insertNew(
        tx,
        Array.from({ length: 4_000 }, () => fresh()),
      ),
    )
    await withSession(harness.adminUrl, (session) => session.script('analyze incoming_transfers'))
    const deposits = [fresh(), fresh(), fresh()]
    await step(async (tx) => {
      const before = await scansOf(tx)
      await insertNew(tx, deposits)
      await lockPresent(tx, deposits)
      await moveRows(tx, { transfers: deposits, move: MOVES.confirm })
      expect(await scansOf(tx)).toBe(before)
      await tx.many(sql`select amount from incoming_transfers`)
      expect(await scansOf(tx)).toBe(before + 1)
    })
  })
})

/** Sequential scans of the table by this connection. */
async function scansOf(tx: Tx): Promise<number> {
  const { scans } = await tx.one(sql<{ scans: number }>`
    select coalesce(sum(seq_scan), 0)::int8 as scans
      from pg_stat_xact_user_tables
     where relname = 'incoming_transfers'`)
  return scans
}

/** A deposit of a new transaction. */
function fresh(): Deposit {
  const id = harness.ids.next()
  return depositOf({ id, txnHash: id })
}

function step<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return harness.database.transaction(work)
}
