import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { withSession } from '../../src/store/connection.ts'
import { type AnvilChain, startAnvilChain } from '../support/anvil-chain.ts'
import { ETHER } from '../support/opened-world.ts'
import { randomWallet } from '../support/random-wallet.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'
import { install, type Installation } from './installation.ts'
import { build, makeHome, serve, sluice, sluiceJson, startSigner, until } from './program.ts'

beforeAll(build)

const AMOUNT = 10n ** 16n
const FUNDS = 10n ** 20n
const RECIPIENT = randomWallet('of the signer')

test('a withdrawal waits while the signer is gone, and is paid once when it is back', async () => {
  const { anvil, installation } = await openService()
  const { config } = installation
  const first = startSigner(config)
  const service = serve(config)
  const context = () => service.output().slice(-4_000)
  const own = await until('its own addresses', () => ownAddresses(installation), context)
  for (const address of own) await anvil.pay(address, FUNDS)
  await anvil.mine(REQUIRED)
  await first.end('SIGKILL')
  await until('the request', () => request(installation), context)
  await until('the wait', async () => {
    return (await shown(installation)).waitingFor === 'signer' ? true : null
  })
  await until('the alert', async () => ((await alerts(config)).includes('signer.away') ? 1 : null))
  const doctor = await sluice(config, ['doctor'])
  expect(doctor).toMatchObject({ code: 3 })
  expect(doctor.stdout).toMatch(/^BAD {2}keys: signer: /m)

  const second = startSigner(config)
  const isOver = async () => {
    await anvil.mine(1)
    return (await shown(installation)).status === 'Completed' ? true : null
  }
  await until('its end', isOver, () => context() + second.output())
  expect(BigInt(await anvil.rpc<string>('eth_getBalance', [RECIPIENT, 'latest']))).toBe(AMOUNT)
  expect(await signedFor(installation)).toBe(1)
  await until('no alert', async () => ((await alerts(config)).includes('signer.away') ? null : 1))
  expect((await sluice(config, ['doctor'])).stdout).toMatch(/^ok {3}keys: the signer answers/m)
  expect(await second.end('SIGTERM')).toBe(0)
  expect(await service.end('SIGTERM')).toBe(0)
})

test('a service without the passphrase of the seed says so, and its signer too', async () => {
  const installation = await install()
  const service = serve(installation.config, {
    env: { SLUICE_SEED_PASSPHRASE: 'another passphrase than this' },
  })
  expect(await service.exited).toBe(2)
  expect(service.output()).toContain('The seed cannot be decrypted')
  expect(service.output()).toContain('The signer did not start')
})

async function openService(): Promise<{ anvil: AnvilChain; installation: Installation }> {
  const anvil = await startAnvilChain(SEPOLIA)
  onTestFinished(() => anvil.stop())
  const installation = await install({
    chains: { [SEPOLIA]: { nodes: [anvil.url], confirmations: REQUIRED } },
    pollMs: 50,
    signerSocket: join(makeHome(), 'signer.sock'),
  })
  return { anvil, installation }
}

async function ownAddresses({ databaseUrl }: Installation): Promise<string[] | null> {
  const rows = await withSession(databaseUrl, (session) =>
    session.many(sql<{ address: string }>`
      select address
        from watched_addresses
       where purpose in ('settlement', 'gas')`),
  )
  return rows.length === 2 ? rows.map(({ address }) => address) : null
}

/** Requests the withdrawal; null until the settlement account is funded. */
async function request({ baseUrl, apiKey }: Installation): Promise<true | null> {
  const wanted = { reference: 'one', chainId: SEPOLIA, tokenId: ETHER, recipient: RECIPIENT }
  const answer = await fetch(`${baseUrl}/withdrawals`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ ...wanted, amount: `${AMOUNT}` }),
  })
  return answer.status === 201 ? true : null
}

/** The only withdrawal, as the API shows it. */
async function shown({ get }: Installation): Promise<Record<string, unknown>> {
  const { body } = await get('/withdrawals')
  const [only] = body['withdrawals'] as Record<string, unknown>[]
  return only ?? {}
}

async function alerts(config: string): Promise<string[]> {
  const open = await sluiceJson<{ code: string }[]>(config, ['alert', 'list'])
  return open.map(({ code }) => code)
}

/** Transactions that were signed for withdrawals. */
async function signedFor({ databaseUrl }: Installation): Promise<number> {
  const { count } = await withSession(databaseUrl, (session) =>
    session.one(sql<{ count: number }>`
      select count(*)::int as count
        from spend_transactions t
        join spends s
          on s.org_id = t.org_id
         and s.id = t.spend_id
       where s.purpose = 'withdrawal'`),
  )
  return count
}
