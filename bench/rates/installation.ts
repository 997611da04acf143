import {
  type Anvil,
  deploy,
  devWallet,
  freePort,
  invoke,
  mined,
  send,
  startAnvil,
  testTokenInitCode,
} from '@sluice/simulator'
import { sql } from 'kysely'
import { type Session, withSession } from '../../service/src/store/connection.ts'
import { foundTenant, makeKeys, openBenchDatabase, writeConfig } from '../harness/installation.ts'
import { check, until } from '../harness/measure.ts'
import { startPostgres } from '../harness/postgres.ts'
import { startSluice } from '../harness/program.ts'

export const CHAIN_ID = 'eip155:11155111'
export const COIN = `${CHAIN_ID}/slip44:60`
/** Base units that settlement account and gas wallet begin with. */
const FUNDS = 10n ** 20n
const BLOCK_SECONDS = '0.25'
const CONFIRMATIONS = 2
const TOKEN = { name: 'Test Dollar', symbol: 'TUSD', decimals: 6 }
const DATABASE = 'bench_rates'
const LIMIT_MS = 60_000
const payer = devWallet(0)

/** The whole program on an anvil, with a funded organization of one signer. */
export interface Harness {
  anvil: Anvil
  session: Session
  /** The test token's id and its contract. */
  token: string
  contract: string
  /** Asks as the organization; throws where the answer is not a success. */
  ask: (path: string, body?: object) => Promise<unknown>
  /** A payment from outside: base units of the coin, or of the token. */
  pay: (to: string, amount: bigint, contract?: string) => Promise<void>
}

/** Starts an installation, runs some work in it, and stops it. */
export async function inHarness<T>(work: (harness: Harness) => Promise<T>): Promise<T> {
  const closers: (() => Promise<unknown>)[] = []
  try {
    const anvil = await startAnvil({ chainId: 11155111, args: ['--block-time', BLOCK_SECONDS] })
    closers.push(() => anvil.stop())
    const { address: contract } = await makeToken(anvil)
    const keys = await makeKeys()
    closers.push(() => keys.remove())
    const postgres = await startPostgres()
    closers.push(() => postgres.stop())
    const urls = await postgres.create(DATABASE)
    const database = openBenchDatabase(urls)
    const { apiKey } = await foundTenant(database, keys, { name: 'Payer' })
    await database.close()
    const port = await freePort()
    const token = `${CHAIN_ID}/erc20:${contract}`
    const chains = { [CHAIN_ID]: { nodes: [anvil.url], confirmations: CONFIRMATIONS } }
    const tokens = [{ id: token, ...TOKEN, sweepAmount: '1' }]
    const roles = 'api,scanner,spender'
    const service = startSluice(await writeConfig(keys, { urls, roles, port, chains, tokens }))
    closers.push(() => service.stop())
    return await withSession(postgres.adminUrl(DATABASE), async (session) => {
      const ask = askerOf(`http://127.0.0.1:${port}`, apiKey)
      const pay: Harness['pay'] = (to, amount, of) => payFrom(anvil, to, amount, of)
      const harness = { anvil, session, token, contract, ask, pay }
      await fund(harness)
      return work(harness)
    })
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}

/** Counts rows that a condition holds for; the text is of this folder. */
export async function count(session: Session, table: string, condition: string): Promise<number> {
  const { rows } = await session.one(sql<{ rows: number }>`
    select count(*) as rows from ${sql.raw(table)} where ${sql.raw(condition)}`)
  return rows
}

async function makeToken(anvil: Anvil) {
  const made = await deploy(anvil, payer, testTokenInitCode(TOKEN))
  await mined(anvil, made)
  const minted = [payer.address, 10n ** 18n]
  await mined(anvil, await invoke(anvil, payer, made.address, 'mint(address,uint256)', minted))
  return made
}

async function payFrom(anvil: Anvil, to: string, amount: bigint, contract?: string) {
  if (contract === undefined) await send(anvil, payer, { to, value: amount, gas: 21_000 })
  else await invoke(anvil, payer, contract, 'transfer(address,uint256)', [to, amount])
}

/** Waits for the own addresses, and pays to them until the ledger has it. */
async function fund({ session, pay }: Pick<Harness, 'session' | 'pay'>): Promise<void> {
  const isOwn = `purpose in ('settlement', 'gas')`
  const isOpen = async () => (await count(session, 'watched_addresses', isOwn)) === 2
  await until(isOpen, LIMIT_MS, 'own addresses')
  const own = await session.many(sql<{ address: string }>`
    select address from watched_addresses where purpose in ('settlement', 'gas')`)
  for (const { address } of own) await pay(address, FUNDS)
  const isThere = `account in ('claim:available', 'claim:gas') and amount = ${FUNDS}`
  const isFunded = async () => (await count(session, 'balances', isThere)) === 2
  await until(isFunded, LIMIT_MS, 'the funds')
}

function askerOf(url: string, apiKey: string): Harness['ask'] {
  return async (path, body) => {
    const answer = await fetch(`${url}${path}`, {
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    const said: unknown = await answer.json()
    check(answer.ok, `an answer to ${path}`, { said })
    return said
  }
}
