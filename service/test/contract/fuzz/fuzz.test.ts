import { randomUUID } from 'node:crypto'
import { seeded } from '@sluice/simulator'
import { beforeAll, expect, test } from 'vitest'
import { type Answer, type Json, type Question, ask, query } from '../world/ask.ts'
import { personOf, tenantOf, theWorld } from '../world/given.ts'
import { payerOf } from '../world/pay.ts'
import { command } from '../world/programs.ts'
import { wrongsOfRefusal } from '../world/refusal.ts'
import { countRows } from '../world/rows.ts'
import { CHAIN } from '../world/state.ts'
import { type Document, readDocument } from './document.ts'
import { type Shot, type Who, drawShot } from './requests.ts'
import { type Good, openValues } from './values.ts'

/** `SLUICE_FUZZ_REQUESTS=100000 SLUICE_FUZZ_SEED=7` sends more and other requests. */
const DEFAULT = process.env['SLUICE_TEST_TIER'] === 'short' ? 500 : 5_000
const REQUESTS = Number(process.env['SLUICE_FUZZ_REQUESTS'] ?? DEFAULT)
const SEED = process.env['SLUICE_FUZZ_SEED'] ?? 'contract'
const AT_ONCE = 8
const COMPLAINTS_MAX = 20
const TOLD_MAX = 500
const PATH_LENGTH_MAX = 4_096
const MS_A_REQUEST = 100

const tenant = tenantOf('fuzz')
const { coin, usd, limited } = theWorld().tokens
const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7'
let key = tenant.apiKey
let document: Document
let good: Good

beforeAll(async () => {
  const { status, json } = await ask('/openapi.json')
  expect(status).toBe(200)
  document = readDocument(json)
  await payerOf(9).fund(tenant, { [usd]: 10n ** 9n, [coin]: 10n ** 17n })
  good = await goodValues()
})

/** Valid values for requests and bodies. */
async function goodValues(): Promise<Good> {
  const users = ['ann', 'bob', 'cem']
  const addresses = await Promise.all(
    users.map(async (userId) => {
      const path = `/payments/deposit-address${query({ chainId: CHAIN, tokenId: usd, userId })}`
      const { json } = await ask(path, { key })
      return Object(json['address']).properties.address as unknown
    }),
  )
  const body = { chainId: CHAIN, tokenId: usd, amount: '1', recipient: RECIPIENT }
  const withdrawals = await Promise.all(
    users.map(async () => {
      const question = { key, method: 'POST', body: { ...body, reference: randomUUID() } }
      return Object((await ask('/withdrawals', question)).json['withdrawal']) as Json
    }),
  )
  const { json } = await ask('/events?limit=20', { key })
  const events = (json['events'] as Json[]).map(({ id }) => id)
  const page = await ask('/accounts?limit=1', { key })
  return {
    chainId: [CHAIN, CHAIN, CHAIN, 'eip155:1', 'xrpl:mainnet'],
    tokenId: [usd, usd, coin, limited, 'eip155:1/slip44:60'],
    userId: users,
    externalUserId: users,
    address: addresses,
    recipient: [RECIPIENT, RECIPIENT.toLowerCase(), addresses[0]],
    amount: ['1', '7', '100', '1000000000000'],
    id: [...withdrawals.map((one) => one['id']), ...events, CHAIN, randomUUID()],
    ids: [withdrawals.map((one) => one['id'])],
    reference: [...withdrawals.map((one) => one['reference']), ...references()],
    enabledOnly: ['true', 'false'],
    limit: [1, 2, 500],
    wait: [0, 1],
    cursor: [page.json['nextCursor']],
    from: ['2020-01-01', '2026-01-31T09:30:00.000Z'],
    to: ['2100-01-01'],
    txnHash: [`0x${'ab'.repeat(32)}`],
    // No outside address may receive events.
    webhookUrl: [`http://127.0.0.1:${theWorld().webhookPorts[1]}/fuzz`, 'https://127.0.0.1/'],
    username: tenant.people.map(({ username }) => username),
    // Of so many guesses one might be right.
    totpCode: ['00000x', '12345'],
  }
}

function references(): string[] {
  return Array.from({ length: 200 }, () => randomUUID())
}

function credentialOf(who: Who): Question {
  const token = (role: string) => personOf(tenant, role).accessToken
  if (who === 'key') return { key }
  if (who === 'nobody') return {}
  if (who === 'nonsense') return { key: 'nonsense' }
  if (who === 'both') return { key, token: token('viewer') }
  return { token: token(who) }
}

/** Violations of an answer as sentences; empty if it is documented. */
function judge({ operation, who, isBent, path }: Shot, answer: Answer): string[] {
  const { status, json, text } = answer
  if (status >= 500) return [`it is ${status}`]
  if (status >= 400) {
    const wrongs = text === '' ? [] : wrongsOfRefusal(answer)
    if (wrongs.length > 0) return wrongs
  }
  if (isBent && [200, 400, 401, 403, 404].includes(status)) return []
  const answers = operation.answers.get(status)
  if (answers === undefined) return [`${operation.id} has no ${status}`]
  const isOpen = operation.security.length === 0
  const refused = { nobody: 401, nonsense: 401, both: 400 } as const
  if (!isOpen && who in refused) {
    const wanted = refused[who as keyof typeof refused]
    // A path that does not exist, or is too long, is reported without credentials.
    const isUnread = status === 404 || (status === 400 && path.length > PATH_LENGTH_MAX)
    if (status !== wanted && !isUnread) return [`${who} is answered with ${status}`]
  }
  return answers.wrongsOf(json)
}

/** Numbers of created rows according to the answers. */
const made = { accounts: 0, withdrawals: 0, withdrawal_approvals: 0, sessions: 0, api_keys: 0 }

function note({ operation }: Shot, { status, json }: Answer): void {
  if (status === 201 && operation.id === 'getDepositAddress') made.accounts += 1
  if (status === 201 && operation.id === 'postWithdrawals') {
    made.withdrawals += 1
    // The creator is the first approver.
    made.withdrawal_approvals += 1
  }
  if (status === 200 && operation.id === 'postLogin') made.sessions += 1
  if (status === 201 && ['postApiKey', 'postApiKeyRotate'].includes(operation.id))
    made.api_keys += 1
  if (status === 200 && operation.id === 'patchApiKey') {
    made.api_keys += 1
    key = String(json['apiKey'])
  }
}

test(
  `${REQUESTS} random requests of the document get documented answers`,
  async () => {
    const before = await countRows(tenant)
    const complaints: unknown[] = []
    const seen = new Map<string, number>()
    let next = 0
    const shoot = async () => {
      while (next < REQUESTS && complaints.length < COMPLAINTS_MAX) {
        const number = (next += 1)
        const random = seeded(`${SEED}:${number}`)
        const values = openValues(random, { good, resolve: document.resolve })
        const shot = drawShot(random, { operation: random.pick(document.operations), values })
        const asked = { ...shot.question, ...credentialOf(shot.who) }
        const answer = await ask(shot.path, asked)
        note(shot, answer)
        const outcome = `${shot.operation.id} ${answer.status}`
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
        const wrongs = judge(shot, answer)
        if (wrongs.length > 0) {
          const { path, who, question } = shot
          const said = answer.text.slice(0, TOLD_MAX)
          complaints.push({ number, wrongs, who, path: path.slice(0, TOLD_MAX), question, said })
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, shoot))
    expect(complaints).toEqual([])
    const succeeded = new Set(
      [...seen.keys()].filter((one) => one.includes(' 20')).map((one) => one.split(' ')[0]),
    )
    // Not every operation can succeed by luck: a fresh code of a person is needed for some.
    expect(succeeded.size).toBeGreaterThan(15)
    await expectNothingLeft(before)
  },
  60_000 + REQUESTS * MS_A_REQUEST,
)

/** Refused requests left no rows, and balances match the ledger. */
async function expectNothingLeft(before: Record<string, number>): Promise<void> {
  const after = await countRows(tenant)
  for (const [table, count] of Object.entries(made))
    expect([table, after[table]]).toEqual([table, (before[table] ?? 0) + count])
  expect(after['users']).toBe(before['users'])
  const report = await command<{ drift: number; chains: { findings: unknown[] }[] }>(
    theWorld().config,
    ['audit'],
  )
  expect(report.drift).toBe(0)
  expect(report.chains.flatMap(({ findings }) => findings)).toEqual([])
}
