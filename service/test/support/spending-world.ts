import type { TokenId } from '@sluice/wire'
import { expect, onTestFinished } from 'vitest'
import { openOwnAddress } from '../../src/accounts/own-address.ts'
import type { Address } from '../../src/chains/port.ts'
import { parseAddress } from '../../src/chains/format-address.ts'
import type { FeeCaps } from '../../src/chains/spending.ts'
import { post } from '../../src/ledger/post.ts'
import { withdrawalHeld } from '../../src/ledger/spend-postings.ts'
import type { Sent, SpendDeps } from '../../src/transactions/core/payment-request.ts'
import { type SpendRecord, readSpendsOf } from '../../src/transactions/core/read.ts'
import { type Resent, resendSpends } from '../../src/transactions/resend.ts'
import { sendSpend } from '../../src/transactions/send.ts'
import { takeLease } from '../../src/store/lease.ts'
import type { AnvilChain } from './anvil-chain.ts'
import { silentLog } from './clock.ts'
import { askFor, askersHooks, type Told } from './spend-asker.ts'
import { openWorld, type World } from './world.ts'
import { REQUIRED, type WorldChain } from './world-life.ts'

const LEASE_MS = 3_600_000
export const CAPS: FeeCaps = {
  absolute: 10n ** 17n,
  gasLimit: 100_000n,
  tokenGasLimit: 300_000n,
  relativePercent: null,
}

/** A world on an anvil that spends from its settlement address without approvals. */
export interface SpendingWorld {
  world: World
  told: Told
  settlement: Address
  gas: Address
  deps: SpendDeps
  /** Reserves for a new subject, quotes, and sends. */
  pay(to: string, amount: bigint, tokenId?: TokenId): Promise<{ subjectId: string; sent: Sent }>
  /** Quotes and sends for a subject that has its reservation. */
  send(subjectId: string, to: string, amount: bigint): Promise<Sent>
  tend(bumpAfterBlocks?: number): Promise<Resent>
  /** The only spend of a subject. */
  spend(subjectId: string): Promise<SpendRecord>
}

/** Opens one, and funds both own addresses with so many wei. */
export async function openSpendingWorld(
  anvil: AnvilChain,
  given: { wei?: bigint; chain?: Partial<WorldChain>; seed?: string } = {},
): Promise<SpendingWorld> {
  const told: Told = []
  const world = await openWorld({
    seed: given.seed ?? expect.getState().currentTestName ?? '',
    chains: [{ id: anvil.id, nodes: [anvil.url], ...given.chain }],
    hooks: askersHooks(told),
  })
  onTestFinished(() => world.close())
  // The cursor exists but no block is read yet, so earlier payments to the addresses are found.
  await world.step()
  const { settlement, gas } = await openOwn(world, anvil)
  await world.settle()
  const { wei = 10n ** 18n } = given
  if (wei > 0n) {
    await anvil.pay(settlement, wei)
    await anvil.pay(gas, wei)
    await anvil.mine(REQUIRED)
    await world.settle()
  }
  const deps = await depsOf(world, anvil, told)
  const spending = { world, told, settlement, gas, deps }
  return { ...spending, ...verbsOf(spending) }
}

async function openOwn(
  world: World,
  anvil: AnvilChain,
): Promise<{ settlement: Address; gas: Address }> {
  const { keys, orgId } = world
  const entry = world.entry(anvil.id)
  return world.database.transaction(async (tx) => {
    const settlement = await openOwnAddress(tx, { keys, entry, orgId, purpose: 'settlement' })
    const gas = await openOwnAddress(tx, { keys, entry, orgId, purpose: 'gas' })
    return { settlement: settlement.address, gas: gas.address }
  })
}

async function depsOf(world: World, anvil: AnvilChain, told: Told): Promise<SpendDeps> {
  const { database, catalogue, keys, clock } = world
  const name = `spender:${anvil.id}`
  const lease = await takeLease(database, { name, holder: 'test', ttlMs: LEASE_MS })
  if (lease === null) throw new Error('the lease is held')
  const entry = world.entry(anvil.id)
  const adapter = world.adapter(anvil.id)
  const base = { database, adapter, catalogue, entry, keys, lease, clock, log: silentLog() }
  return { ...base, caps: CAPS, compared: new Set(), hooks: askersHooks(told) }
}

function verbsOf({
  world,
  told,
  settlement: from,
  deps,
}: Pick<SpendingWorld, 'world' | 'told' | 'settlement' | 'deps'>): Pick<
  SpendingWorld,
  'pay' | 'send' | 'tend' | 'spend'
> {
  const { orgId, database, catalogue } = world
  const { id: chainId } = deps.entry
  const native = catalogue.nativeToken(chainId).id
  const send = async (subjectId: string, to: string, amount: bigint, tokenId = native) => {
    const recipient = parseAddress(chainId, to)
    if (recipient === null) throw new Error(`no address: ${to}`)
    const intent = { chainId, tokenId, from, to: recipient, amount, memo: null }
    const quote = await deps.adapter.quote(intent, CAPS)
    if (!quote.ok) throw new Error(`refused: ${quote.code} ${quote.message}`)
    return sendSpend(deps, askFor(told, { orgId, subjectId, intent, terms: quote.terms }))
  }
  return {
    send,
    pay: async (to, amount, tokenId = native) => {
      const subjectId = await database.transaction(async (tx) => {
        const referenceId = tx.ids.next()
        const moved = { orgId, chainId, tokenId, amount, referenceId, blockHeight: null }
        await post(tx, [withdrawalHeld(moved)])
        return referenceId
      })
      return { subjectId, sent: await send(subjectId, to, amount, tokenId) }
    },
    tend: async (bumpAfterBlocks = 100) => {
      const { tip } = await world.state(chainId)
      return resendSpends(deps, { bumpAfterBlocks, height: tip.height, final: null })
    },
    spend: async (subjectId) => {
      const spends = await database.transaction((tx) => readSpendsOf(tx, { orgId, subjectId }))
      const [spend, ...others] = spends
      if (spend === undefined || others.length > 0) throw new Error('not exactly one spend')
      return spend
    },
  }
}
