import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkReferences } from '../../src/store/backup-rows.ts'
import { type Session, withSession } from '../../src/store/connection.ts'
import { openTestDatabase } from '../support/database.ts'
import type { TestDatabase } from '../support/database.ts'

// Each row belongs to a parent without a foreign key for it (docs/decisions/0023).
const ORG = '01990000-0000-7000-8000-000000000001'
const ACCOUNT = '01990000-0000-7000-8000-000000000002'
const EVENT = '01990000-0000-7000-8000-000000000003'
const OTHER = '01990000-0000-7000-8000-000000000004'
const NOBODY = '01990000-0000-7000-8000-00000000000f'

interface Keys {
  org: string
  parent: string
}

const KINDS: Record<
  string,
  { parent: string; row: (keys: Keys, id: string) => RawBuilder<unknown> }
> = {
  events: {
    parent: ORG,
    row: ({ org }, id) => sql`
        insert into events (org_id, id, sequence, type, subject_id, body, created_at)
        values (${org}, ${id}, ${next()}, 'x', 'x', '{}', now())`,
  },
  balances: {
    parent: ORG,
    row: ({ org }, id) => sql`
        insert into balances (org_id, chain_id, token_id, account, amount, updated_at)
        values (${org}, 'c', ${id}, 'claim:available', 0, now())`,
  },
  incoming_transfers: {
    parent: ACCOUNT,
    row: ({ org, parent }, id) => sql`
        insert into incoming_transfers (
               org_id, id, purpose, place, chain_id, txn_hash, position, account_id, token_id,
               account_chain_id, external_user_id, address, amount, net_movement, status, booked,
               block_height, block_hash, created_at, updated_at)
        values (${org}, ${id}, 'deposit', 'deposits', 'c', ${id}, 'tx', ${parent}, 't', 'c', 'u',
                'a', 1, 1, 'Detected', 'unconfirmed', 1, 'h', now(), now())`,
  },
  deliveries: {
    parent: EVENT,
    row: ({ org, parent }) => sql`
        insert into deliveries (org_id, event_id, endpoint_id, sequence, state)
        values (${org}, ${parent}, ${org}, 1, 'failed')
            on conflict do nothing`,
  },
  delivery_attempts: {
    parent: EVENT,
    row: ({ org, parent }) => sql`
        insert into delivery_attempts (org_id, event_id, endpoint_id, number, url, request_headers,
                                       started_at, finished_at)
        values (${org}, ${parent}, ${org}, 1, 'https://hooks.example.com/', '{}', now(), now())`,
  },
}

/** Other columns that reference the parent, or that other rows reference. */
const OTHER_KEYS: Record<string, string[]> = {
  events: ['id'],
  incoming_transfers: ['account_id'],
  deliveries: ['event_id'],
  delivery_attempts: ['event_id'],
}

let numbers = 0
function next(): number {
  numbers += 1
  return numbers
}

function freshId(): string {
  return `01990000-0000-7000-8000-0000${next().toString(16).padStart(8, '0')}`
}

let testing: TestDatabase

beforeAll(async () => {
  testing = await openTestDatabase()
  await asSuperuser((session) =>
    session.script(`
      insert into organizations (id, name, mac, created_at, updated_at)
      values ('${ORG}', 'Acme', '', now(), now()), ('${OTHER}', 'Other', '', now(), now());
      insert into accounts (org_id, id, chain_id, external_user_id, address, wallet_number,
                            path_index, mac, created_at, updated_at)
      values ('${ORG}', '${ACCOUNT}', 'c', 'u', 'a', 0, 0, '', now(), now());
      insert into events (org_id, id, sequence, type, subject_id, body, created_at)
      values ('${ORG}', '${EVENT}', 1000000, 'x', 'x', '{}', now())`),
  )
  return () => testing.close()
})

function asSuperuser<T>(work: (session: Session) => Promise<T>): Promise<T> {
  return withSession(testing.adminUrl, work)
}

function insert(kind: string, keys: Keys, id = freshId()): Promise<number> {
  const row = KINDS[kind]?.row(keys, id) ?? sql``
  return asSuperuser((session) => session.run(row))
}

describe.each(Object.keys(KINDS))('a row of %s [I1]', (kind) => {
  const parent = KINDS[kind]?.parent ?? ''

  test('must have a parent of its organization', async () => {
    await insert(kind, { org: ORG, parent })
    const orphans: Keys[] = [
      { org: NOBODY, parent },
      ...(parent === ORG
        ? []
        : [
            { org: OTHER, parent },
            { org: ORG, parent: NOBODY },
          ]),
    ]
    for (const keys of orphans) {
      await expect(insert(kind, keys)).rejects.toMatchObject({ code: '23503' })
    }
  })

  test('cannot change its parent', async () => {
    const id = freshId()
    await insert(kind, { org: ORG, parent }, id)
    const key = { events: 'id', balances: 'token_id', incoming_transfers: 'id' }[kind] ?? 'event_id'
    const one = sql`${sql.id(key)} = ${key === 'event_id' ? parent : id}`
    for (const column of ['org_id', ...(OTHER_KEYS[kind] ?? [])]) {
      const moved = asSuperuser((session) =>
        session.run(sql`update ${sql.id(kind)} set ${sql.id(column)} = ${OTHER} where ${one}`),
      )
      await expect(moved).rejects.toThrow('does not change')
    }
  })

  test('fails the check at the end of a restore when its parent is missing', async () => {
    const id = freshId()
    await asSuperuser(async (session) => {
      await session.run(sql`set session_replication_role = replica`)
      const row = KINDS[kind]?.row({ org: NOBODY, parent: parent === ORG ? NOBODY : parent }, id)
      await session.run(row ?? sql``)
      const words = `The backup has 1 rows of ${kind} without their parent rows.`
      await expect(checkReferences(session)).rejects.toThrow(words)
      await session.run(sql`delete from ${sql.id(kind)} where org_id = ${NOBODY}`)
      await expect(checkReferences(session)).resolves.toBeUndefined()
    })
  })
})

describe.each([
  ['organizations', OTHER],
  ['accounts', ACCOUNT],
  ['events', EVENT],
])('a row of %s [I1]', (table, row) => {
  test('cannot be deleted and cannot change its key', async () => {
    const one = sql`id = ${row}`
    for (const [statement, words] of [
      [sql`delete from ${sql.id(table)} where ${one}`, 'append-only'],
      [sql`truncate ${sql.id(table)} cascade`, 'append-only'],
      [sql`update ${sql.id(table)} set id = ${NOBODY} where ${one}`, 'does not change'],
    ] as const) {
      const done = asSuperuser((session) => session.run(statement))
      await expect(done).rejects.toThrow(words)
    }
  })
})

test('an uncommitted parent is not visible to other transactions [I1]', async () => {
  const id = freshId()
  await asSuperuser(async (session) => {
    await session.run(sql`begin`)
    await session.run(KINDS['events']?.row({ org: ORG, parent: ORG }, id) ?? sql``)
    const early = insert('deliveries', { org: ORG, parent: id })
    await expect(early).rejects.toMatchObject({ code: '23503' })
    await session.run(sql`commit`)
    await insert('deliveries', { org: ORG, parent: id })
  })
})
