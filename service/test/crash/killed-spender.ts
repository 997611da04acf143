import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { readChainState } from '../../src/catalogue/chain-state.ts'
import { type Installation, install } from '../processes/installation.ts'
import { type Started, serve } from '../processes/program.ts'
import { type AnvilChain, listed, startAnvilChain, tokenId } from '../support/anvil-chain.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'
import { ETHER } from '../support/opened-world.ts'
import { randomWallet } from '../support/random-wallet.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'
import { untilOrEnd } from './killed-harness.ts'

const ROLES = 'api,scanner,spender'
const COINS = 10n ** 17n
const DOLLARS = 25_000_000n
const FUNDS = 10n ** 20n
const TOKEN_FUNDS = 10n ** 11n
const GWEI = 10n ** 9n
/** The fee of a block that takes no transaction with an earlier quote. */
const CROWDED = 20n * GWEI
/** The answer to a repeated request whose first one succeeded. */
const TWICE = { error: 'DUPLICATE_REFERENCE', details: { sameParameters: true } }
/** Blocks without a transaction after which the program replaces it. */
const BUMP_AFTER = 2

/** A withdrawal that was requested, answered or not. */
export interface Wanted {
  reference: string
  tokenId: string
  amount: bigint
  recipient: string
}

/** The whole program on a real node, with access to its database. */
export interface KilledSpender extends Installation {
  anvil: AnvilChain
  harness: TestDatabase
  token: string
  wanted: Wanted[]
  /** Which were answered, and how. */
  heard: Map<string, number>
  start(options?: { crashAt?: string; roles?: string; config?: string }): Promise<Started>
}

/** Starts the node, creates the installation, and funds its platform addresses. */
export async function openKilledSpender(): Promise<KilledSpender> {
  const anvil = await startAnvilChain(SEPOLIA)
  onTestFinished(() => anvil.stop())
  const token = await anvil.create()
  const harness = await openTestDatabase()
  onTestFinished(() => harness.close())
  const installation = await install({
    databaseUrl: harness.adminUrl,
    chains: {
      [SEPOLIA]: {
        nodes: [anvil.url],
        confirmations: REQUIRED,
        feeBumpAfterBlocks: BUMP_AFTER,
      },
    },
    tokens: [listed(SEPOLIA, token)],
    pollMs: 50,
  })
  const killed: KilledSpender = {
    ...installation,
    anvil,
    harness,
    token,
    wanted: [],
    heard: new Map(),
    start: async ({ crashAt = '', roles = ROLES, config = installation.config } = {}) => {
      await freeLeases(harness)
      return serve(config, { args: ['--roles', roles], env: { SLUICE_CRASH_AT: crashAt } })
    },
  }
  await fund(killed)
  return killed
}

/** Ends the leases of killed or stopped processes before they expire. */
export async function freeLeases({ database }: TestDatabase): Promise<void> {
  await database.transaction((tx) => tx.run(sql`update leases set expires_at = '-infinity'`))
}

async function fund(killed: KilledSpender): Promise<void> {
  const { anvil, token } = killed
  const service = await killed.start()
  await untilOrEnd(service, 'its addresses', async () => (await ownAddresses(killed)).length === 2)
  const [settlement = '', gas = ''] = await ownAddresses(killed)
  await anvil.pay(settlement, FUNDS)
  await anvil.pay(gas, FUNDS)
  await anvil.payToken(token, settlement, TOKEN_FUNDS)
  await anvil.mine(REQUIRED)
  const isThere = async () => (await counts(killed)).funded === 3
  await untilOrEnd(service, 'the funds', isThere)
  await anvil.rpc('evm_setAutomine', [false])
  expect(await service.end()).toBe(0)
}

async function ownAddresses({ harness }: KilledSpender): Promise<string[]> {
  const rows = await harness.database.transaction((tx) =>
    tx.many(sql<{ address: string }>`
      select address
        from watched_addresses
       where purpose in ('settlement', 'gas')
       order by purpose desc`),
  )
  return rows.map(({ address }) => address)
}

/** Requests two withdrawals and deposits a token; false if the program ended. */
export async function ask(killed: KilledSpender, service: Started): Promise<boolean> {
  const { anvil, token } = killed
  want(killed)
  want(killed)
  if (!(await untilOrEnd(service, 'the withdrawals', () => askAll(killed)))) return false
  let address: string | null = null
  const user = randomWallet('user')
  const isIssued = async () => (address = await addressOf(killed, user)) !== null
  if (!(await untilOrEnd(service, 'an address', isIssued)) || address === null) return false
  await anvil.rpc('evm_setAutomine', [true])
  await anvil.payToken(token, address, DOLLARS)
  await anvil.rpc('evm_setAutomine', [false])
  return true
}

/** Makes a new withdrawal, of the native coin and of the token by turns. */
export function want({ wanted, token }: KilledSpender): Wanted {
  const isCoin = wanted.length % 2 === 0
  const reference = `withdrawal ${wanted.length}`
  const tokenOf = isCoin ? ETHER : tokenId(SEPOLIA, token)
  const amount = isCoin ? COINS : DOLLARS
  const one = { reference, tokenId: tokenOf, amount, recipient: randomWallet(reference) }
  wanted.push(one)
  return one
}

/** As a client does: repeats unanswered requests under the same reference. */
async function askAll(killed: KilledSpender): Promise<boolean> {
  const open = killed.wanted.filter(({ reference }) => !killed.heard.has(reference))
  await Promise.all(open.map((one) => request(killed, one)))
  return killed.wanted.every(({ reference }) => killed.heard.has(reference))
}

/** Requests a withdrawal, and records whether an answer came. */
export async function request(killed: KilledSpender, wanted: Wanted): Promise<void> {
  const { baseUrl, apiKey, heard } = killed
  const { reference, tokenId: id, recipient } = wanted
  const body = { reference, tokenId: id, chainId: SEPOLIA, amount: `${wanted.amount}`, recipient }
  try {
    const answer = await fetch(`${baseUrl}/withdrawals`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const told: unknown = await answer.json()
    if (answer.status === 503) return
    if (answer.status !== 201) expect(told).toMatchObject(TWICE)
    heard.set(reference, answer.status)
  } catch (error) {
    // The process does not listen yet, or any more.
    if (!(error instanceof TypeError)) throw error
  }
}

async function addressOf(killed: KilledSpender, userId: string): Promise<string | null> {
  const query = new URLSearchParams({ chainId: SEPOLIA, tokenId: ETHER, userId }).toString()
  try {
    const { status, body } = await killed.get(`/payments/deposit-address?${query}`)
    return status < 300 ? readAddress(body) : null
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return null
  }
}

function readAddress(body: Record<string, unknown>): string {
  const { properties } = body['address'] as { properties: { address: string } }
  return properties.address
}

/**
 * Carries out all requested withdrawals, with the chain events that make the point pass; false as
 * soon as the program has ended.
 */
export async function carryOut(
  killed: KilledSpender,
  service: Started,
  point = '',
): Promise<boolean> {
  const { anvil } = killed
  return untilOrEnd(service, `the end of it all ${point}`, async () => {
    const now = await counts(killed)
    if (!now.caughtUp) return false
    if (isOver(killed, now)) return true
    if (point.startsWith('untrack.') && now.atTip > 0) await anvil.reorg(1)
    else if (point.startsWith('resend.') && now.sent > 0)
      await anvil.rpc('anvil_dropAllTransactions')
    else await mine(killed, point.startsWith('bump.') && now.sent > 0 ? CROWDED : GWEI)
    return false
  })
}

async function mine({ anvil }: KilledSpender, price: bigint): Promise<void> {
  await anvil.rpc('anvil_setNextBlockBaseFeePerGas', [`0x${price.toString(16)}`])
  await anvil.mine()
}

function isOver({ wanted }: KilledSpender, now: Counts): boolean {
  return now.sent + now.included + now.unswept === 0 && now.completed === wanted.length
}

interface Counts {
  funded: number
  sent: number
  included: number
  /** Spends that are in the block at the tip. */
  atTip: number
  completed: number
  /** Deposit addresses that hold a token. */
  unswept: number
  caughtUp: boolean
}

/** Row counts of the database. */
async function counts({ harness, anvil }: KilledSpender): Promise<Counts> {
  const head = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', ['latest', false])
  return harness.database.transaction(async (tx) => {
    const state = await readChainState(tx, SEPOLIA)
    const tip = state?.tip.hash ?? ''
    const found = await tx.one(sql<Omit<Counts, 'caughtUp'>>`
      select (select count(*)
                from incoming_transfers
               where purpose <> 'deposit'
                 and status = 'Confirmed') as "funded",
             (select count(*) from spends where state = 'Sent') as "sent",
             (select count(*) from spends where state = 'Included') as "included",
             (select count(*) from spends where block_hash = ${tip}) as "atTip",
             (select count(*) from withdrawals where status = 'Completed') as "completed",
             (select count(*)
                from balances
               where account like 'place:deposits:%'
                 and token_id like '%/erc20:%'
                 and amount > 0) as "unswept"`)
    return { ...found, caughtUp: tip === head.hash }
  })
}
