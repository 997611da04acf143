import { rm } from 'node:fs/promises'
import { CHAIN } from '../chain/plan.ts'
import { fillWatched } from '../chain/watched.ts'
import {
  type Keys,
  type Tenant,
  foundTenant,
  makeKeys,
  openBenchDatabase,
} from '../harness/installation.ts'
import { type Postgres, startPostgres } from '../harness/postgres.ts'
import { type NodeProcess, startNode } from './chain.ts'

/** All that the catch-up of a chain needs, made once for all rounds. */
export interface Stage {
  postgres: Postgres
  keys: Keys
  tenant: Tenant
  node: NodeProcess
  blocks: number
  watched: number
  close(): Promise<void>
}

/** The database with the watched addresses; each round works on a copy of it. */
export const TEMPLATE = 'bench_template'
export const SCOPE = 'eip155/mainnet'

export async function openStage(given: { blocks: number; watched: number }): Promise<Stage> {
  const { blocks, watched } = given
  const keys = await makeKeys()
  const [postgres, node] = await Promise.all([startPostgres(), startNode({ blocks, watched })])
  const tenant = await makeTemplate({ postgres, keys, blocks, watched, name: TEMPLATE })
  const close = async () => {
    await node.stop()
    await postgres.stop()
    await keys.remove()
    await rm(keys.folder, { recursive: true, force: true })
  }
  return { postgres, keys, tenant, node, blocks, watched, close }
}

export async function makeTemplate(given: {
  postgres: Postgres
  keys: Keys
  blocks: number
  watched: number
  name: string
}): Promise<Tenant> {
  const { postgres, keys, blocks, watched, name } = given
  const database = openBenchDatabase(await postgres.create(name))
  const webhookUrl = 'https://hooks.example.com/sluice'
  const tenant = await foundTenant(database, keys, { name: 'Bench', webhookUrl })
  await database.close()
  const { orgId } = tenant
  const { serviceKey } = keys
  const filling = { serviceKey, orgId, chainId: CHAIN.id, scope: SCOPE, watched, blocks }
  await fillWatched(postgres.adminUrl(name), filling)
  return tenant
}
