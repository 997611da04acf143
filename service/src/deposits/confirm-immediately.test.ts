import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseToken } from '../../test/adapters/brands.ts'
import { type TestDatabase, openTestDatabase } from '../../test/support/database.ts'
import { depositOf } from '../../test/support/sample-deposit.ts'
import { ALL_CHAINS, type ChainEntry } from '../catalogue/chains.ts'
import { openCatalogue } from '../catalogue/find.ts'
import { operatorToken } from '../catalogue/operator-token.ts'
import type { TokenEntry } from '../catalogue/tokens.ts'
import { resumeToken, suspendToken } from '../catalogue/token-check.ts'
import { withSession } from '../store/connection.ts'
import type { Tx } from '../store/database.ts'
import { type Immediate, confirmImmediately, movementKey } from './confirm-immediately.ts'
import { type Deposit, type IncomingTransfer, MOVES } from './deposit.ts'
import { insertNew, moveRows } from './rows.ts'
import { TRUSTING } from '../../test/support/trusting.ts'

const TOKEN = tokenAt(1, 1n)
const LARGE = tokenAt(2, 10n)
const catalogue = openCatalogue({ chains: [], tokens: [TOKEN, LARGE] })
const tip = { height: 21, hash: '0x15' }
const ENTRY = ALL_CHAINS.find(({ id }) => id === depositOf().chainId) as ChainEntry

let harness: TestDatabase
beforeAll(async () => {
  harness = await openTestDatabase()
  const { orgId, accountId, accountChainId, externalUserId, address } = depositOf()
  await withSession(harness.adminUrl, (session) =>
    session.script(`
      insert into organizations values ('${orgId}', 'Acme', 1, 0, now(), now(), '');
      insert into accounts (org_id, id, chain_id, external_user_id, address, wallet_number,
                            path_index, mac, created_at, updated_at)
      values ('${orgId}', '${accountId}', '${accountChainId}', '${externalUserId}', '${address}',
              0, 0, '', now(), now())`),
  )
})
afterAll(() => harness.close())

describe('a deposit in a block that has its confirmations', () => {
  test('is confirmed if there is no doubt', async () => {
    const [native, token] = [fresh(), fresh({ tokenId: TOKEN.id })]
    expect(await recorded([native, token])).toEqual(
      [native, token].map((deposit) => ({
        ...deposit,
        status: 'Confirmed',
        booked: 'available',
        confirmedHeight: tip.height,
        confirmedAt: harness.clock.now(),
      })),
    )
  })

  test.each<[string, Partial<Deposit>, Partial<Immediate>]>([
    ['its block lacks confirmations [I5]', { block: { height: 10, hash: '0x0a' } }, {}],
    ['it moved less than its log says [E16]', { tokenId: TOKEN.id, netMovement: 71n }, {}],
    ['its movement was not queried [E16]', { tokenId: TOKEN.id }, { movements: new Map() }],
    ['it is an internal transfer [E02]', { position: 'call:0' }, {}],
    ['its token is unknown [E17]', { tokenId: parseToken(unknown(3)) }, {}],
    ['its token has a minimum [I12]', { tokenId: LARGE.id }, {}],
    ['it matures later [B05]', { maturesAt: 12 }, {}],
  ])('waits if %s', async (_what, more, immediate) => {
    const deposit = fresh(more)
    expect(await recorded([deposit], immediate)).toEqual([deposit])
  })

  test('waits if an address of ours sent it in an unknown transaction [W25]', async () => {
    const [ours, other] = [fresh(), fresh()]
    const forgottenAmong = async () => new Set([ours.id])
    expect(await statuses([ours, other], { forgottenAmong })).toEqual(['Detected', 'Confirmed'])
  })

  test('waits while its token is suspended [E16]', async () => {
    const { id: tokenId } = TOKEN
    const { chainId } = depositOf()
    await step((tx) => suspendToken(tx, { tokenId, chainId, cause: 'a lie' }))
    expect(await statuses([fresh({ tokenId }), fresh()])).toEqual(['Detected', 'Confirmed'])
    await step((tx) => resumeToken(tx, { tokenId }))
    expect(await statuses([fresh({ tokenId })])).toEqual(['Confirmed'])
  })

  test('waits if the account has deposits below the minimum [I12]', async () => {
    const small = fresh()
    await step(async (tx) => {
      await insertNew(tx, [small])
      await moveRows(tx, { transfers: [small], move: MOVES.setAside })
    })
    expect(await statuses([fresh()])).toEqual(['Detected'])
    await step((tx) => moveRows(tx, { transfers: [small], move: MOVES.hold, cause: 'a test' }))
    expect(await statuses([fresh()])).toEqual(['Confirmed'])
  })
})

async function statuses(deposits: Deposit[], more: Partial<Immediate> = {}): Promise<string[]> {
  return (await recorded(deposits, more)).map(({ status }) => status)
}

/** The records of new deposits; everything proves them but for `more`. */
async function recorded(
  deposits: Deposit[],
  more: Partial<Immediate> = {},
): Promise<readonly IncomingTransfer[]> {
  const evidence = { before: 5n, after: 75n, expected: 0n }
  const movements = new Map(deposits.map((deposit) => [movementKey(deposit), evidence]))
  const forgottenAmong = async () => new Set<string>()
  const immediate = { upTo: 9, entry: ENTRY, tip, movements, forgottenAmong, ...more }
  const serviceKey = TRUSTING
  return step((tx) =>
    confirmImmediately(tx, { serviceKey, catalogue, transfers: deposits, immediate }),
  )
}

function step<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return harness.database.transaction(work)
}

/** A deposit that is not recorded. */
function fresh(more: Partial<Deposit> = {}): Deposit {
  const id = harness.ids.next()
  return depositOf({ id, txnHash: `0x${id.replaceAll('-', '').padEnd(64, '0')}`, ...more })
}

function unknown(digit: number): string {
  return `eip155:11155111/erc20:0x${String(digit).repeat(40)}`
}

function tokenAt(digit: number, minimumAmount: bigint): TokenEntry {
  const given = { id: unknown(digit), name: 'Own', symbol: 'OWN', decimals: 6, minimumAmount }
  const entry = operatorToken(given)
  if ('problem' in entry) throw new Error(entry.problem)
  return entry
}
