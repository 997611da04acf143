import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { devWallet, freePort, mined, send } from '@sluice/simulator'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { withSession } from '../../src/store/connection.ts'
import { codeOf } from '../contract/world/sign-in.ts'
import { CHAIN, COIN, CONFIRMATIONS, makePaidHarness, type PaidHarness } from './paid-harness.ts'
import { PASSPHRASE, build, serve, type Started, sluiceJson, until, untilReady } from './program.ts'

beforeAll(build)

const CANARY = 'canary-3f9c2b7e51d84a06'
const ONE_ETHER = 10n ** 18n
/** Large enough that the fee is a small part of it. */
const AMOUNT = (ONE_ETHER / 100n).toString()

test('K03 no secret is ever logged, measured or stored', async () => {
  // A node's URL is a secret if its path has a key; no server listens there.
  const secretNode = `http://127.0.0.1:${await freePort()}/v2/${CANARY}`
  const harness = await makePaidHarness([secretNode])
  const metricsPort = await freePort()
  const env = { SLUICE_LOG_LEVEL: 'debug', SLUICE_METRICS_PORT: String(metricsPort) }
  const service = serve(harness.config, { env })
  await untilReady(harness.port, service)
  const { config, apiKey, words, databaseUrl, receiver } = harness
  const { user, recoveryCodes, token } = await joinAsAdmin(harness)
  await harness.patch('/organisation/webhook', { webhookUrl: `${receiver.url}/hook` })
  const rotated = await harness.patch('/organisation/webhook/signing-secret', {})
  const { body: organization } = await harness.get('/organisation')
  await harness.pay(await harness.addressOf('alice'), 0)
  await harness.anvil.mine(CONFIRMATIONS)
  await until('deliveries', () => (receiver.received.length >= 4 ? true : null))
  const { accessToken } = user
  const codes = [-2, -1, 0, 1].map((steps) => codeOf(user, steps))
  await withdrawSigned(harness, service, accessToken)
  // Refused requests are logged too, and what was wrong in them must not be.
  await fetch(`${harness.baseUrl}/payments?userId=x`, { headers: { 'x-api-key': `${apiKey}x` } })
  await fetch(`${harness.baseUrl}/payments`, { headers: { authorization: `Bearer ${apiKey}` } })
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  expect(await service.end()).toBe(0)
  const said = service.output() + metrics
  expect(said).toContain('"level":"debug"')
  // The node was queried; the log names it by the rest of its URL.
  expect(said).toContain(new URL(secretNode).origin)
  const serviceKey = readFileSync(join(dirname(config), 'data', 'service.key'))
  const secrets = [
    apiKey,
    ...threesOf(words),
    user.password,
    user.totpSecret,
    token,
    ...recoveryCodes,
    accessToken,
    accessToken.split('.').at(-1) ?? '',
    String(rotated.body['webhookSigningSecret']),
    String(organization['webhookSigningSecret']),
    PASSPHRASE,
    ...formsOf(serviceKey),
  ]
  const logged = [...secrets, databaseUrl, CANARY, ...codes.map((code) => `"${code}"`)]
  expect(logged.filter((secret) => said.includes(secret))).toEqual([])
  const stored = await storedRows(databaseUrl)
  expect(stored).toContain('"recipient"')
  expect([...secrets, CANARY].filter((secret) => stored.includes(secret))).toEqual([])
})

/** Alice accepts the invitation of the first admin. */
async function joinAsAdmin({ config, orgId, baseUrl }: PaidHarness) {
  const invite = `user invite-admin --org ${orgId} --username alice`.split(' ')
  const { id, token } = await sluiceJson<{ id: string; token: string }>(config, invite)
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify({ token, ...body }) }
    return (await (await fetch(`${baseUrl}${path}`, init)).json()) as Record<string, unknown>
  }
  const totpSecret = String((await post('/auth/invitation', {}))['totpSecret'])
  const password = `the password of ${id}`
  const totpCode = codeOf({ totpSecret })
  const accepted = await post('/auth/invitation/accept', { password, totpCode })
  const { accessToken, recoveryCodes } = accepted as {
    accessToken: string
    recoveryCodes: string[]
  }
  return { user: { id, password, totpSecret, accessToken }, recoveryCodes, token }
}

/** A withdrawal that a person asks for, is signed, and arrives. */
async function withdrawSigned(
  { anvil, baseUrl, databaseUrl }: PaidHarness,
  service: Started,
  accessToken: string,
): Promise<void> {
  const payer = devWallet(0)
  const own = await until('its own addresses', () => ownAddresses(databaseUrl))
  for (const to of own) await mined(anvil, await send(anvil, payer, { to, value: ONE_ETHER }))
  await anvil.mine(CONFIRMATIONS)
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }
  const recipient = devWallet(5).address
  const wanted = { chainId: CHAIN, tokenId: COIN, amount: AMOUNT, recipient, reference: 'K03' }
  const ask = async () => {
    const body = JSON.stringify(wanted)
    const answer = await fetch(`${baseUrl}/withdrawals`, { method: 'POST', headers, body })
    return answer.status === 201 ? true : null
  }
  await until('a withdrawal', ask, () => service.output().slice(-4_000))
  const isOver = async () => {
    await anvil.mine(1)
    const answer = await fetch(`${baseUrl}/withdrawals`, { headers })
    return (await answer.text()).includes('"Completed"') ? true : null
  }
  await until('its end', isOver, () => service.output().slice(-4_000))
}

/** Settlement account and gas wallet, as soon as they are there. */
async function ownAddresses(databaseUrl: string): Promise<string[] | null> {
  const rows = await withSession(databaseUrl, (session) =>
    session.many(sql<{ address: string }>`
      select address
        from watched_addresses
       where purpose in ('settlement', 'gas')`),
  )
  return rows.length === 2 ? rows.map(({ address }) => address) : null
}

/** Every row of every table, as text. */
async function storedRows(databaseUrl: string): Promise<string> {
  return withSession(databaseUrl, async (session) => {
    const tables = await session.many(sql<{ name: string }>`
      select table_name as name
        from information_schema.tables
       where table_schema = 'public'
         and table_type = 'BASE TABLE'`)
    expect(tables.length).toBeGreaterThan(30)
    const texts: string[] = []
    for (const { name } of tables) {
      const rows = await session.many(
        sql<{ row: unknown }>`select to_jsonb(t) as row from ${sql.table(name)} t`,
      )
      texts.push(JSON.stringify(rows))
    }
    return texts.join('\n')
  })
}

/** A key in each notation: as in its file, in hex, and in base64. */
function formsOf(key: Buffer): string[] {
  const text = key.toString('utf8').trim()
  return [text, key.toString('hex'), key.toString('base64'), key.toString('base64url')]
}

/** Three words of a seed beside each other: one or two may well be those of a log line. */
function threesOf(words: string): string[] {
  const all = words.split(' ')
  return all.slice(2).map((word, at) => `${all[at]} ${all[at + 1]} ${word}`)
}
