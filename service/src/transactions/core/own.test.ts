import type { ChainId } from '@sluice/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SeededRandom } from '../../../test/support/clock.ts'
import { type TestDatabase, openTestDatabase } from '../../../test/support/database.ts'
import { openServiceKey } from '../../keys/service-key.ts'
import { createOrganization } from '../../orgs/create-organization.ts'
import { ownTransactions, recordOwnTransaction } from './own.ts'
import type { OwnTransaction } from './spend.ts'

const [CHAIN, ELSEWHERE] = ['eip155:1', 'eip155:56'] as [ChainId, ChainId]

let harness: TestDatabase
let orgId: string
let other: string

beforeAll(async () => {
  harness = await openTestDatabase()
  orgId = await organization()
  other = await organization()
})
afterAll(() => harness.close())

describe('transactions signed by us', () => {
  test('are found by chain and hash, with their purpose [I16]', async () => {
    const sweep = own({ txnHash: '0x01', purpose: 'sweep' })
    const payment = own({ txnHash: '0x02', purpose: 'withdrawal' })
    await record(sweep)
    await record(payment)
    expect(await known(CHAIN, ['0x01', '0x02', '0x03'])).toEqual(
      new Map([
        ['0x01', sweep],
        ['0x02', payment],
      ]),
    )
    expect(await known(CHAIN, [])).toEqual(new Map())
  })

  test('with the same hash on another chain are distinct [E21]', async () => {
    await record(own({ txnHash: '0x11' }))
    expect(await known(ELSEWHERE, ['0x11'])).toEqual(new Map())
    await record(own({ txnHash: '0x11', chainId: ELSEWHERE, orgId: other }))
    expect((await known(ELSEWHERE, ['0x11'])).get('0x11')).toMatchObject({ orgId: other })
  })

  test('are recorded once [W24]', async () => {
    const sweep = own({ txnHash: '0x21' })
    await record(sweep)
    await record(sweep)
    expect(await known(CHAIN, ['0x21'])).toEqual(new Map([['0x21', sweep]]))
  })

  test('have one organization and one purpose [I8]', async () => {
    const sweep = own({ txnHash: '0x31' })
    await record(sweep)
    await expect(record({ ...sweep, orgId: other })).rejects.toThrow(
      'two organizations or purposes',
    )
    await expect(record({ ...sweep, purpose: 'withdrawal' })).rejects.toThrow(
      'two organizations or purposes',
    )
    expect(await known(CHAIN, ['0x31'])).toEqual(new Map([['0x31', sweep]]))
  })

  test('cannot be recorded by the API [S14]', async () => {
    const asApi = harness.database.forOrg(orgId, (tx) =>
      recordOwnTransaction(tx, own({ txnHash: '0x41' })),
    )
    await expect(asApi).rejects.toMatchObject({ code: '42501' })
  })
})

function own(given: Partial<OwnTransaction>): OwnTransaction {
  return { chainId: CHAIN, txnHash: '0x00', orgId, purpose: 'sweep', ...given }
}

function record(transaction: OwnTransaction): Promise<void> {
  return harness.database.transaction((tx) => recordOwnTransaction(tx, transaction))
}

function known(chainId: ChainId, hashes: readonly string[]) {
  return harness.database.transaction((tx) => ownTransactions(tx, chainId, hashes))
}

async function organization(): Promise<string> {
  const random = new SeededRandom(harness.ids.next())
  const serviceKey = openServiceKey({ key: random.bytes(32), random })
  return harness.database.transaction(async (tx) => {
    const given = { name: 'Anna & Co', actor: 'test', random }
    return (await createOrganization(tx, serviceKey, given)).organization.id
  })
}
