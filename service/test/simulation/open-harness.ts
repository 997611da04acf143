import { setMinHumans } from '../../src/orgs/signers.ts'
import type { SimChain } from './chains/sim-chain.ts'
import { askForSigners, note } from './events/people-events.ts'
import { settingsOf } from './settings.ts'
import type { Tenant } from './stage.ts'
import { catalogueOf } from './tokens.ts'
import type { SimWorld } from './world.ts'

const ROUNDS_MAX = 8

/**
 * The start of every seed: chains are reached, platform addresses opened and funded, some accounts
 * opened.
 */
export async function openHarness(world: SimWorld): Promise<void> {
  const { books, stage, chains } = world
  world.isHealing = true
  for (const { people, orgId } of stage.tenants) {
    books.signerSetting.set(orgId, 1)
    for (const { role, userId } of people) if (role !== 'operator') books.signers.add(userId)
  }
  const engine = world.instance(0)
  for (const chain of chains) {
    await engine.scan(chain.id, 3)
    books.startOf.set(chain.id, chain.head().height)
    await engine.spend(chain.id)
    await fill(world, chain)
    for (let round = 0; !(await giveAll(world, chain)); round += 1) {
      if (round > ROUNDS_MAX) throw new Error(`no accounts can be opened on ${chain.id}`)
      await engine.spend(chain.id)
      chain.mine(1 + chain.required)
      await engine.scan(chain.id, 12)
      await world.pass(16_000)
    }
  }
  const { addressTypes, signers, humans } = settingsOf(world.seed)
  for (const [at, tenant] of stage.tenants.entries()) {
    await askForSigners(world, tenant, signers[at] ?? 1)
    await askForHumans(world, tenant, humans[at] ?? null)
  }
  // Existing accounts keep their type; new accounts get the other type.
  world.catalogue = catalogueOf(addressTypes.later)
  world.isHealing = false
}

/** As `sluice org` sets it: how many approvals must come from people; null sets no number. */
async function askForHumans(
  { books, database, stage }: SimWorld,
  { orgId }: Tenant,
  value: number | null,
): Promise<void> {
  books.humanSetting.set(orgId, value)
  if (value === null) return
  const { serviceKey } = stage.keys
  await database.transaction((tx) =>
    setMinHumans(tx, serviceKey, { orgId, value, actor: 'cli:test' }),
  )
}

/** Money from outside at settlement and gas addresses. */
async function fill({ looker, instances }: SimWorld, chain: SimChain): Promise<void> {
  const own = await looker.rows(
    `select distinct address, purpose from watched_addresses where chain_id = $1 order by 1`,
    [chain.id],
  )
  for (const { address, purpose } of own) {
    const to = { address: String(address), tag: null }
    chain.pay(to, chain.native, 10n ** BigInt(chain.digits))
    const [dollar] = chain.tokens
    if (purpose === 'settlement' && dollar !== undefined) chain.pay(to, dollar, 10n ** 9n)
  }
  chain.mine(1 + chain.required)
  await instances[0]?.scan(chain.id, 12)
}

/** Whether every user has an account. */
async function giveAll(world: SimWorld, chain: SimChain): Promise<boolean> {
  for (const tenant of world.stage.tenants)
    for (const userId of ['ann', 'bob']) {
      const query = new URLSearchParams({ chainId: chain.id, tokenId: chain.native, userId })
      const path = `/payments/deposit-address?${query.toString()}`
      const { status, json } = await world.api.byKey(tenant, 'GET', path)
      if (status !== 200 && status !== 201) return false
      note(world, tenant, chain.id, json['address'])
    }
  return true
}
