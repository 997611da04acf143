import { type EvmNode, freePort, startEvmNode } from '@sluice/simulator'
import { startChain } from '../../service/src/catalogue/chain-state.ts'
import { CHAINS, type ChainEntry, nativeTokenId } from '../../service/src/catalogue/chains.ts'
import { addressOf } from '../../service/src/chains/format-address.ts'
import { CLAIM, place } from '../../service/src/ledger/account.ts'
import { post } from '../../service/src/ledger/post.ts'
import type { Database } from '../../service/src/store/database.ts'
import { withSession } from '../../service/src/store/connection.ts'
import {
  type Keys,
  foundTenant,
  makeKeys,
  openBenchDatabase,
  writeConfig,
} from '../harness/installation.ts'
import { check } from '../harness/measure.ts'
import { type Postgres, startPostgres } from '../harness/postgres.ts'
import { CHAIN_ID } from './plan.ts'

export const TEMPLATE = 'bench_tenants'
export const ORGANIZATIONS = 16
/** Base units that each organization can use, and its gas wallet has. */
export const FUNDS = 10n ** 24n
/** A public key; the addresses of a benchmark that signs nothing may all be made of it. */
const SOME_KEY = Uint8Array.from(
  Buffer.from('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', 'hex'),
)

/** Organizations with money, and a node that says what a transaction costs. */
export interface Stage {
  postgres: Postgres
  keys: Keys
  node: EvmNode
  /** One of each organization. */
  apiKeys: string[]
  close(): Promise<void>
}

export async function openStage(): Promise<Stage> {
  const keys = await makeKeys()
  const postgres = await startPostgres()
  const node = await startEvmNode({ chainId: 1, seed: 'withdrawals' })
  const close = async () => {
    await node.stop()
    await postgres.stop()
    await keys.remove()
  }
  try {
    return { postgres, keys, node, apiKeys: await makeTenants(postgres, keys), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The environment of a service that only answers requests. */
export async function doorOf(stage: Stage, name: string) {
  const { postgres, keys, node } = stage
  const urls = await postgres.create(name, TEMPLATE)
  const port = await freePort()
  const chains = { [CHAIN_ID]: { nodes: [node.url] } }
  const env = await writeConfig(keys, { urls, roles: 'api', port, chains })
  return { env, url: `http://127.0.0.1:${port}` }
}

async function makeTenants(postgres: Postgres, keys: Keys): Promise<string[]> {
  const database = openBenchDatabase(await postgres.create(TEMPLATE))
  const entry = CHAINS.find(({ id }) => id === CHAIN_ID)
  if (entry === undefined) throw new Error('no such chain')
  const apiKeys: string[] = []
  try {
    for (let at = 0; at < ORGANIZATIONS; at += 1) {
      const webhookUrl = 'https://hooks.example.com/sluice'
      const tenant = await foundTenant(database, keys, { name: `Tenant ${at}`, webhookUrl })
      apiKeys.push(tenant.apiKey)
      await fund(database, entry, tenant.orgId)
    }
    const tip = { height: 1, hash: `0x${'11'.repeat(32)}` }
    const state = { genesis: tip.hash, tip, tipTime: Date.now(), headHeight: 1, final: null }
    await database.transaction((tx) => startChain(tx, { chainId: entry.id, ...state }))
  } finally {
    await database.close()
  }
  await withSession(postgres.adminUrl(TEMPLATE), (session) =>
    session.script(`
      create table bench_callers as
      select row_number() over (order by created_at, org_id)::int as n, org_id, hash from api_keys;
      create unique index on bench_callers (n);
      grant select on bench_callers to public`),
  )
  check(apiKeys.length === ORGANIZATIONS, 'organizations')
  return apiKeys
}

async function fund(database: Database, entry: ChainEntry, orgId: string): Promise<void> {
  const address = addressOf(entry.id, SOME_KEY)
  const shared = {
    orgId,
    chainId: entry.id,
    tokenId: nativeTokenId(entry),
    debit: place('settlement', address),
    amount: FUNDS,
    reason: 'funding.confirmed',
    reversal: false,
    blockHeight: 1,
  } as const
  await database.transaction((tx) =>
    post(tx, [
      { ...shared, credit: CLAIM.available, referenceId: tx.ids.next() },
      { ...shared, credit: CLAIM.gas, referenceId: tx.ids.next() },
    ]),
  )
}
