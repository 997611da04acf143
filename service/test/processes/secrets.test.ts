import { freePort } from '@sluice/simulator'
import { beforeAll, expect, test } from 'vitest'
import { CONFIRMATIONS, makePaidHouse } from './paid-house.ts'
import { PASSPHRASE, build, serve, sluiceJson, until, untilReady } from './program.ts'

beforeAll(build)

test('K03 no secret is ever logged or measured', async () => {
  const house = await makePaidHouse()
  const metricsPort = await freePort()
  const env = { SLUICE_LOG_LEVEL: 'debug', SLUICE_METRICS_PORT: String(metricsPort) }
  const service = serve(house.config, { env })
  await untilReady(house.port, service)
  const { config, orgId, apiKey, words, databaseUrl, receiver } = house
  const newUser = `user create --org ${orgId} --username alice --role admin`.split(' ')
  const user = await sluiceJson<{ password: string; totpSecret: string }>(config, newUser)
  await house.patch('/organisation/webhook', { webhookUrl: `${receiver.url}/hook` })
  const rotated = await house.patch('/organisation/webhook/signing-secret', {})
  const { body: organization } = await house.get('/organisation')
  await house.pay(await house.addressOf('alice'), 0)
  await house.anvil.mine(CONFIRMATIONS)
  await until('deliveries', () => (receiver.received.length >= 4 ? true : null))
  // Refused requests are logged too, and what was wrong in them must not be.
  await fetch(`${house.baseUrl}/payments?userId=x`, { headers: { 'x-api-key': `${apiKey}x` } })
  await fetch(`${house.baseUrl}/payments`, { headers: { authorization: `Bearer ${apiKey}` } })
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  expect(await service.end()).toBe(0)
  const said = service.output() + metrics
  expect(said).toContain('"level":"debug"')
  const secrets = [
    apiKey,
    ...threesOf(words),
    user.password,
    user.totpSecret,
    String(rotated.body['webhookSigningSecret']),
    String(organization['webhookSigningSecret']),
    PASSPHRASE,
    databaseUrl,
  ]
  expect(secrets.filter((secret) => said.includes(secret))).toEqual([])
})

/** Three words of a seed beside each other: one or two may well be those of a log line. */
function threesOf(words: string): string[] {
  const all = words.split(' ')
  return all.slice(2).map((word, at) => `${all[at]} ${all[at + 1]} ${word}`)
}
