import { freePort } from '@sluice/simulator'
import { sql } from 'kysely'
import type { SoakChain } from './chains/chain.ts'
import { unlike } from './compare-lines.ts'
import type { SoakDatabase } from './database.ts'
import type { Difference } from './judge.ts'
import {
  type LedgerDeposit,
  readDeposits,
  readSpends,
  readTips,
  readWaiting,
  standing,
} from './ledger.ts'
import { DATABASE, FRESH, reachedDirectly, writeConfig } from './place.ts'
import type { Receivers } from './receivers.ts'
import { askSluice, ServiceProcess } from './service.ts'
import { pause } from './trouble.ts'

const LOOK_MS = 500
/** Blocks that may come between the query of a chain and that of the database. */
const BEHIND_MAX = 3

export interface RescanWorld {
  folder: string
  database: SoakDatabase
  chains: readonly SoakChain[]
  receivers: Receivers
  /** The most milliseconds for the whole rescan. */
  limit: number
}

export interface Rescan {
  seconds: number
  deposits: number
  spends: number
  differences: Difference[]
}

/**
 * Scans all chains from their first blocks into an empty database that has the addresses only. The
 * deposits must equal those of the ledger; transactions of our addresses, which are unknown there,
 * must equal its spends.
 */
export async function rescanFresh(world: RescanWorld): Promise<Rescan> {
  const { folder, database, chains, receivers, limit } = world
  const began = performance.now()
  await database.create(FRESH)
  const nodes = reachedDirectly(chains)
  const config = await writeConfig({ folder, database, name: FRESH, nodes, receivers })
  await askSluice(config, ['migrate'])
  await copyAddresses(database)
  const scanner = new ServiceProcess({
    name: 'fresh',
    config,
    port: await freePort(),
    roles: 'api,scanner',
    folder,
  })
  await scanner.start()
  try {
    const isRead = await untilRead(world, Date.now() + limit)
    const differences = isRead
      ? await compare(database)
      : [{ what: 'a rescan did not end', details: '' }]
    const { length: deposits } = standing(await readDeposits(database, FRESH))
    const spends = (await readForeign(database)).length
    return { seconds: (performance.now() - began) / 1_000, deposits, spends, differences }
  } finally {
    await scanner.stop()
  }
}

/** The owner and key of each address, without transfers. */
const COPIED = [
  'organizations',
  'event_counters',
  'wallets',
  'accounts',
  'watched_addresses',
  'base_accounts',
  'senders',
]

async function copyAddresses(database: SoakDatabase): Promise<void> {
  for (const table of COPIED) {
    const [row] = await database.many(
      DATABASE,
      sql<{ rows: string | null }>`
        select json_agg(to_jsonb(t) - 'added_in')::text as rows from ${sql.table(table)} t`,
    )
    if (row?.rows === null || row === undefined) continue
    const columns = await database.many(
      FRESH,
      sql<{ name: string }>`
        select column_name as name
          from information_schema.columns
         where table_name = ${table}
           and column_name <> 'added_in'`,
    )
    const names = sql.join(columns.map(({ name }) => sql.ref(name)))
    await database.many(
      FRESH,
      sql`
        insert into ${sql.table(table)} (${names})
        select ${names} from json_populate_recordset(null::${sql.table(table)}, ${row.rows})`,
    )
  }
  await database.script(
    FRESH,
    `update senders set next_nonce = 0, halted_at = null, halted_cause = '';
     update event_counters set last_sequence = 0;
     update webhook_endpoints set url = '';
     update base_accounts set ready_height = null`,
  )
}

async function untilRead({ database, chains }: RescanWorld, deadline: number): Promise<boolean> {
  while (Date.now() < deadline) {
    await pause(LOOK_MS, new AbortController().signal)
    const tips = new Map((await readTips(database, FRESH)).map((one) => [one.chainId, one]))
    const heads = await Promise.all(chains.map(async (one) => [one.id, await one.head()] as const))
    const isThere = heads.every(
      ([id, { height }]) => Number(tips.get(id)?.height ?? -1) >= height - BEHIND_MAX,
    )
    const waiting = isThere ? await readWaiting(database, FRESH) : {}
    if (isThere && waiting['deposits'] === 0) return true
  }
  return false
}

async function compare(database: SoakDatabase): Promise<Difference[]> {
  const spends = await readSpends(database, DATABASE)
  const included = spends.filter(({ state }) => state === 'Included' || state === 'Settled')
  const paying = included.map(({ chainId, txnHash }) => `${chainId} ${txnHash}`)
  const ours = new Set(paying)
  const ledger = standing(await readDeposits(database, DATABASE)).map(lineOf)
  // Transfers between own addresses are known by their hash.
  const fresh = standing(await readDeposits(database, FRESH)).filter(
    ({ chainId, txnHash }) => !ours.has(`${chainId} ${txnHash}`),
  )
  const foreign = await readForeign(database)
  return [
    ...unlike('a deposit', ledger, fresh.map(lineOf)),
    ...unlike('a transaction of ours', paying, foreign),
  ]
}

function lineOf(one: LedgerDeposit): string {
  const { chainId, userId, txnHash, position, tokenId, amount, status, blockHash } = one
  return [chainId, userId, txnHash, position, tokenId, amount, status, blockHash].join(' ')
}

async function readForeign(database: SoakDatabase): Promise<string[]> {
  const rows = await database.many(
    FRESH,
    sql<{ line: string }>`
      select chain_id || ' ' || txn_hash as line
        from foreign_transactions
       where block_hash is not null`,
  )
  return rows.map(({ line }) => line)
}
