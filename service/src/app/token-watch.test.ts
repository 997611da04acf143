import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, openTestDatabase } from '../../test/support/database.ts'
import { openCatalogue } from '../catalogue/find.ts'
import { type OperatorToken, operatorToken } from '../catalogue/operator-token.ts'
import {
  readChecksInForce,
  recordTokenCheck,
  resumeToken,
  suspendToken,
} from '../catalogue/token-check.ts'
import { listAlerts } from '../journal/list-alerts.ts'
import { raiseAlert } from '../journal/raise-alert.ts'
import { parseChain, parseToken } from '../../test/adapters/brands.ts'
import { watchTokens } from './token-watch.ts'

const CHAIN = parseChain('eip155:11155111')
const OWN = parseToken(`${CHAIN}/erc20:0x5FbDB2315678afecb367f032d93F642f64180aa3`)
const OTHER = parseToken(`${CHAIN}/erc20:0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512`)

let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

test('what is wrong with a token is no news once the operator has left the token off', async () => {
  await mismatch(OWN)
  await mismatch(OTHER)
  await tick([OWN, OTHER])
  expect(await open()).toEqual([`token.mismatch ${OWN}`, `token.mismatch ${OTHER}`])
  expect(await inForce([OWN, OTHER])).toEqual([OWN, OTHER])
  await tick([OTHER])
  expect(await open()).toEqual([`token.mismatch ${OTHER}`])
  expect(await inForce([OTHER])).toEqual([OTHER])
  await tick([], [])
  expect(await open()).toEqual([])
  expect(await inForce([], [])).toEqual([])
})

test('a suspended token is told while it is there, and told again when it comes back', async () => {
  const suspended = { tokenId: OWN, chainId: CHAIN, cause: 'it moved 99 for 100' }
  await db.database.transaction(async (tx) => {
    await suspendToken(tx, suspended)
    await raiseAlert(tx, { code: 'token.suspended', subject: OWN, message: suspended.cause })
  })
  await tick([OWN])
  expect(await open()).toEqual([`token.suspended ${OWN}`])
  await tick([])
  expect(await open()).toEqual([])
  await tick([OWN])
  await tick([OWN])
  const [again] = await alerts()
  expect(again).toMatchObject({
    code: 'token.suspended',
    message: `The token ${OWN} is suspended: it moved 99 for 100.`,
    times: 1,
  })
  await db.database.transaction((tx) => resumeToken(tx, { tokenId: OWN }))
  await tick([OWN])
  expect(await open()).toEqual([])
})

/** As the loop does it, with a configuration of these tokens; no node is there to be asked. */
async function tick(tokens: readonly string[], chains = [{ id: CHAIN }]): Promise<void> {
  const none = { all: () => [], get: () => null, close: async () => undefined }
  await watchTokens({
    database: db.database,
    chains: none,
    catalogue: catalogueOf(tokens, chains),
  })
}

function catalogueOf(tokens: readonly string[], chains = [{ id: CHAIN }]) {
  const entries = tokens.map((id) => {
    const given: OperatorToken = { id, name: 'Own', symbol: 'OWN', decimals: 6 }
    const entry = operatorToken(given)
    if ('problem' in entry) throw new Error(entry.problem)
    return entry
  })
  return openCatalogue({ chains, tokens: entries })
}

async function mismatch(tokenId: typeof OWN): Promise<void> {
  await db.database.transaction(async (tx) => {
    await recordTokenCheck(tx, { tokenId, chainId: CHAIN, state: 'mismatch', found: '18 OWN' })
    await raiseAlert(tx, { code: 'token.mismatch', subject: tokenId, message: '18, not 6' })
  })
}

async function inForce(tokens: readonly string[], chains = [{ id: CHAIN }]): Promise<string[]> {
  const checks = await db.database.transaction((tx) =>
    readChecksInForce(tx, catalogueOf(tokens, chains)),
  )
  return checks.map(({ tokenId }) => tokenId)
}

const alerts = () => db.database.transaction((tx) => listAlerts(tx, { open: true }))

async function open(): Promise<string[]> {
  return (await alerts()).map(({ code, subject }) => `${code} ${subject}`).toSorted()
}
