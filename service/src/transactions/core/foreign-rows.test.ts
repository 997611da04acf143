import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseChain, parseHolder } from '../../../test/adapters/brands.ts'
import { type TestDatabase, openTestDatabase } from '../../../test/support/database.ts'
import { withSession } from '../../store/connection.ts'
import { selectPaying, upsertForeign } from './foreign-rows.ts'

const ORG = '01990000-0000-7000-8000-00000000000a'
const CHAIN = parseChain('bip122:000000000933ea01ad0ee984209779ba')
const SENDER = parseHolder(CHAIN, 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx')

let harness: TestDatabase
beforeAll(async () => {
  harness = await openTestDatabase()
  await withSession(harness.adminUrl, (session) =>
    session.script(`
      insert into organizations
      values ('${ORG}', 'Acme', 1, 0, now(), now(), '');
      insert into senders
             (chain_id, address, org_id, purpose, wallet_number, path_index, next_nonce, created_at,
              updated_at)
      values ('${CHAIN}', '${SENDER}', '${ORG}', 'settlement', 0, 0, 0, now(), now())`),
  )
})
afterAll(() => harness.close())

test.each([
  ['counts as paying if it pays a spend of ours after a reorg', false, true],
  ['counts as paying after it once paid a spend of ours', true, false],
])('a foreign transaction %s', async (_, first, then) => {
  const txnHash = `first ${first}`
  const foreign = { chainId: CHAIN, txnHash, orgId: ORG, sender: SENDER, nonce: null }
  const seen = (pays: boolean, block: { height: number; hash: string }) =>
    harness.database.transaction((tx) => upsertForeign(tx, { ...foreign, pays, block }))
  await seen(first, { height: 7, hash: 'a' })
  await seen(then, { height: 8, hash: 'b' })
  const asked = { chainId: CHAIN, hashes: [txnHash] }
  expect(await harness.database.transaction((tx) => selectPaying(tx, asked))).toEqual([txnHash])
})
