import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withSession } from '../../src/store/connection.ts'
import { inspectLogins } from '../../src/store/logins.ts'
import type { EmbeddedServer } from '../../src/store/embedded.ts'
import { type ServerFolder, makeServerFolder } from './server.ts'

let folder: ServerFolder
let server: EmbeddedServer
beforeAll(async () => {
  folder = await makeServerFolder()
  server = await folder.start({ settings: { fsync: 'off', full_page_writes: 'off' } })
  await withSession(server.superuserUrl, async (session) => {
    await session.script('create role bypasser login bypassrls')
    await session.script('create role everything login')
    await session.script('grant sluice_owner, sluice_engine, sluice_api to everything')
  })
})
afterAll(() => folder.clear())

/** A login that the server admits without a password. */
function as(user: string): string {
  const url = new URL(server.urls.owner)
  url.searchParams.set('user', user)
  return url.href
}

describe('the inspection of logins', () => {
  test('finds no flaw in those of the embedded database', async () => {
    expect(await inspectLogins(server.urls)).toEqual([])
    expect(await inspectLogins({ ...server.urls, owner: '' })).toEqual([])
  })

  test('names a superuser once, though all share the login', async () => {
    const url = as('postgres')
    expect(await inspectLogins({ owner: url, engine: url, api: url })).toEqual([
      { flaw: 'superuser', login: 'postgres' },
      { flaw: 'same-login', login: 'postgres' },
      { flaw: 'no-password', login: 'postgres' },
    ])
  })

  test('names one login that has the rights of all three roles', async () => {
    const url = as('everything')
    expect(await inspectLogins({ owner: url, engine: url, api: url })).toEqual([
      { flaw: 'owner-at-run-time', login: 'everything' },
      { flaw: 'same-login', login: 'everything' },
      { flaw: 'no-password', login: 'everything' },
    ])
  })

  test('names a login that bypasses row-level security', async () => {
    expect(await inspectLogins({ ...server.urls, api: as('bypasser') })).toEqual([
      { flaw: 'bypassrls', login: 'bypasser' },
      { flaw: 'no-password', login: 'bypasser' },
    ])
  })
})
