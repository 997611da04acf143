import { sql } from 'kysely'
import { publicKeysOf } from '../../service/test/support/signer.ts'
import { noteBaseAccount } from '../../service/src/accounts/base-account.ts'
import { openAccount } from '../../service/src/accounts/open.ts'
import { openOwnAddress } from '../../service/src/accounts/own-address.ts'
import { loadConfig } from '../../service/src/app/config.ts'
import { openKeys } from '../../service/src/app/keys.ts'
import { systemRandom } from '../../service/src/base/random.ts'
import { startChain } from '../../service/src/catalogue/chain-state.ts'
import { CHAINS } from '../../service/src/catalogue/chains.ts'
import { withSession, type Session } from '../../service/src/store/connection.ts'
import { type Child, startChild } from '../harness/children.ts'
import { readLimit, timeCatchUp } from '../harness/catch-up.ts'
import {
  type Keys,
  foundTenant,
  makeKeys,
  openBenchDatabase,
  writeConfig,
} from '../harness/installation.ts'
import { type Reading, check, interleave, judge, ratio } from '../harness/measure.ts'
import { type Postgres, startPostgres } from '../harness/postgres.ts'
import type { Report, Sizes } from '../harness/report.ts'
import { LEDGERS, originLedger, plannedDrops } from './make-ledgers.ts'
import type { LedgersNews } from './serve-ledgers.ts'

const CHAIN_ID = 'xrpl:testnet'
const TEMPLATE = 'bench_ledgers'
const LIMIT = 'fetch and JSON.parse'
const OURS = 'sluice'
const USERS = 200
const WARM_LEDGERS = 64

interface Stage {
  postgres: Postgres
  keys: Keys
  node: Child<LedgersNews>
  news: LedgersNews
  profile: string | undefined
}

/**
 * Benchmark 12: a scanner catching up with an XRP Ledger, against what it takes to fetch and parse
 * the same ledgers.
 */
export async function benchLedgers(sizes: Sizes): Promise<Report> {
  const keys = await makeKeys()
  const postgres = await startPostgres()
  try {
    const { base, tags } = await fill(postgres, keys)
    const program = new URL('serve-ledgers.ts', import.meta.url)
    const count = sizes.ledgers + WARM_LEDGERS
    const node = await startChild<LedgersNews>(program, [count, base, tags.join(',')])
    const news = await node.hear((one) => one, 300_000)
    const stage = { postgres, keys, node, news, profile: sizes.profile }
    try {
      return await compare(stage, sizes)
    } finally {
      await node.stop()
    }
  } finally {
    await postgres.stop()
    await keys.remove()
  }
}

async function compare(stage: Stage, { ledgers, rounds }: Sizes): Promise<Report> {
  const sides = [
    { name: LIMIT, run: () => limit(stage) },
    { name: OURS, run: () => catchUp(stage) },
  ]
  const comparison = await interleave(sides, rounds)
  const value = ratio(comparison, OURS, LIMIT)
  return {
    number: 12,
    title: 'Catching up with an XRP Ledger, ledgers a second',
    sizes: { ledgers, bytes: stage.news.bytes, rounds },
    comparison,
    verdicts: [judge({ what: `${OURS} ÷ ${LIMIT}`, value, floor: 0, goal: 0.5, bound: 'least' })],
    skipped: [],
  }
}

/** One organization with a base account that is ready, and users with tags. */
async function fill(postgres: Postgres, keys: Keys): Promise<{ base: string; tags: number[] }> {
  const urls = await postgres.create(TEMPLATE)
  const database = openBenchDatabase(urls)
  const { orgId } = await foundTenant(database, keys, { name: 'Ledgers' })
  const config = loadConfig(await writeConfig(keys, { urls, roles: 'scanner' }))
  const { serviceKey, keyring } = await openKeys(config, systemRandom)
  const own = { serviceKey, signer: publicKeysOf(keyring) }
  const entry = CHAINS.find(({ id }) => id === CHAIN_ID)
  if (entry === undefined) throw new Error(`${CHAIN_ID} is not in the catalogue`)
  const address = await database.transaction(async (tx) => {
    const wanted = { keys: own, entry, orgId, purpose: 'settlement' } as const
    const { address: base } = await openOwnAddress(tx, wanted)
    const ready = { readyHeight: LEDGERS.origin, missing: '' }
    await noteBaseAccount(tx, { orgId, chainId: entry.id, address: base, ...ready })
    // No address is given out on a chain that was never reached.
    const { height, hash } = originLedger()
    const tip = { height, hash }
    const start = { chainId: entry.id, genesis: 'network-1', tipTime: 0, headHeight: height }
    await startChain(tx, { ...start, tip, final: tip })
    return base
  })
  const tags: number[] = []
  for (let user = 0; user < USERS; user += 1) {
    const wanted = { keys: own, entry, orgId, externalUserId: `user ${user}` }
    const { account } = await database.forOrg(orgId, (tx) => openAccount(tx, wanted))
    tags.push(account.destinationTag ?? 0)
  }
  await database.close()
  // Each round reaches the chain for the first time.
  await withSession(postgres.adminUrl(TEMPLATE), (session) =>
    session.script('delete from chain_states'),
  )
  return { base: address, tags }
}

async function limit({ node, news }: Stage): Promise<Reading> {
  node.send({ head: news.last })
  const url = `http://127.0.0.1:${news.port}`
  const program = new URL('fetch-ledgers.ts', import.meta.url)
  return readLimit(program, [url, news.first + WARM_LEDGERS + 1, news.last])
}

async function catchUp({ postgres, keys, node, news, profile }: Stage): Promise<Reading> {
  const { first, last } = news
  const { rate, cpuMs } = await timeCatchUp({
    postgres,
    keys,
    template: TEMPLATE,
    chainId: CHAIN_ID,
    chain: { nodes: [`http://127.0.0.1:${news.port}`], startHeight: first + 1 },
    warm: first + WARM_LEDGERS,
    last,
    creditedUpTo: last,
    setHead: (head) => node.send({ head }),
    checkLedger: (session) => checkLedger(session, news),
    profile,
  })
  return { rate, more: { cpuMsALedger: cpuMs } }
}

/** Each payment exactly once, credited and with events. */
async function checkLedger(session: Session, { first, last }: LedgersNews): Promise<void> {
  const heights = Array.from({ length: last - first }, (_, at) => first + 1 + at)
  const slots = Array.from({ length: LEDGERS.deposits }, (_, slot) => slot)
  const drops = heights.flatMap((height) => slots.map((slot) => plannedDrops(height, slot)))
  const wanted = {
    deposits: drops.length,
    amount: drops.reduce((sum, one) => sum + one, 0n),
    confirmed: drops.length,
    unattributed: 0,
  }
  const found = await session.one(sql<Record<string, number | bigint>>`
    select (select count(*) from incoming_transfers) as deposits,
           (select sum(amount) from incoming_transfers) as amount,
           (select count(*) from incoming_transfers where status = 'Confirmed') as confirmed,
           (select count(*) from unattributed_deposits) as unattributed`)
  for (const [what, value] of Object.entries(wanted)) {
    check(found[what] === value, what, { found: String(found[what]), wanted: String(value) })
  }
}
