import { startXrplNode, type XrplNode, xrplWallet } from '@sluice/simulator'
import { askedFor, askFor } from './spend-asker.ts'
import { noteBaseAccount } from '../../src/accounts/base-account.ts'
import { openOwnAddress } from '../../src/accounts/own-address.ts'
import type { Address, Intent } from '../../src/chains/port.ts'
import type { HooksByPurpose } from '../../src/transactions/core/hooks.ts'
import type { PaymentRequest, SpendDeps } from '../../src/transactions/core/payment-request.ts'
import { readSpendsOf, type SpendRecord } from '../../src/transactions/core/read.ts'
import { resendSpends } from '../../src/transactions/resend.ts'
import { takeLease } from '../../src/store/lease.ts'
import { parseChain, parseHolder, parseToken } from '../adapters/brands.ts'
import { silentLog } from './clock.ts'
import { openWorld, type World } from './world.ts'

export const XRPL = parseChain('xrpl:testnet')
export const XRP = parseToken('xrpl:testnet/slip44:144')
/** Drops. */
export const AMOUNT = 1_500_000n

/** A base account that is ready and holds money, and what it takes to spend of it. */
export interface XrplSpender {
  node: XrplNode
  world: World
  base: Address
  deps: SpendDeps
  /** Closes ledgers, and lets the scanner read them. */
  closed: (count: number) => Promise<void>
  /** A payment of `AMOUNT` with the tag 7. */
  intentTo: (recipient: string) => Intent
  /** Requests like a withdrawal: never again once it was signed. */
  requestFor: (subjectId: string, intent: Intent) => Promise<PaymentRequest>
  spendsOf: (subjectId: string) => Promise<SpendRecord[]>
  /** One round for transactions that are in no ledger. */
  tend: () => Promise<void>
  /** Tickets of the base account, as the last ledger has them. */
  tickets: () => readonly number[]
  freshId: () => Promise<string>
  close: () => Promise<void>
}

/**
 * Opens one whose organization has set apart so many drops, and whose users have brought more.
 * `through` may put something between it and its node.
 */
export async function openXrplSpender(
  seed: string,
  apart = 50_000_000n,
  through: (url: string) => Promise<string> = async (url) => url,
): Promise<XrplSpender> {
  const node = await startXrplNode()
  node.chain.close(3)
  const chains = [{ id: XRPL, nodes: [await through(node.url)] }]
  const world = await openWorld({ seed, chains, hooks: indifferent() })
  await world.settle(XRPL)
  const base = await openBase(world, node, apart)
  const deps = await depsOf(world)
  const { orgId } = world
  const spendsOf = (subjectId: string) =>
    world.database.transaction((tx) => readSpendsOf(tx, { orgId, subjectId }))
  return {
    node,
    world,
    base,
    deps,
    closed: (count) => closed(world, node, count),
    intentTo: (recipient) => {
      const to = parseHolder(XRPL, xrplWallet(recipient).address)
      return { chainId: XRPL, tokenId: XRP, from: base, to, amount: AMOUNT, memo: '7' }
    },
    requestFor: async (subjectId, intent) => {
      const quote = await deps.adapter.quote(intent, deps.caps)
      if (!quote.ok) throw new Error(quote.message)
      const asked = askFor([], { orgId, subjectId, intent, terms: quote.terms })
      return {
        ...asked,
        claim: async (tx) => {
          return (await readSpendsOf(tx, { orgId, subjectId })).length > 0 ? null : intent
        },
      }
    },
    spendsOf,
    tend: () => tend(world, deps),
    tickets: () => node.chain.closed().accounts?.get(base)?.tickets ?? [],
    freshId: () => world.database.transaction(async (tx) => tx.ids.next()),
    close: async () => {
      await world.close()
      await node.stop()
    },
  }
}

/** Hooks that ignore the outcome of a spend. */
export function indifferent(): HooksByPurpose {
  const nothing = async () => undefined
  const rest = { onSettled: nothing, onReplaced: nothing, onDisplaced: nothing }
  const none = { onIncluded: nothing, onReorged: nothing, ...rest }
  const own = { 'top-up': none, filler: none, consolidation: none }
  return {
    withdrawal: { ...none, withdrawals: askedFor },
    sweep: none,
    delegation: none,
    undelegation: none,
    ...own,
  }
}

async function openBase(world: World, node: XrplNode, apart: bigint): Promise<Address> {
  const { orgId, keys, database } = world
  const entry = world.entry(XRPL)
  const base = await database.transaction(async (tx) => {
    return (await openOwnAddress(tx, { keys, entry, orgId, purpose: 'settlement' })).address
  })
  node.chain.pay({ to: base, amount: apart })
  await closed(world, node, 2)
  const readyHeight = node.chain.closed().height
  const note = { orgId, chainId: XRPL, address: base, readyHeight, missing: '' }
  await database.transaction((tx) => noteBaseAccount(tx, note))
  const tag = (await world.issue('ann', XRPL)).destinationTag ?? 0
  node.chain.pay({ to: base, amount: 200_000_000n, tag })
  await closed(world, node, 2)
  return base
}

async function closed(world: World, node: XrplNode, count: number): Promise<void> {
  node.chain.close(count)
  await world.settle(XRPL)
}

async function depsOf(world: World): Promise<SpendDeps> {
  const { database, keys, catalogue, clock } = world
  const wanted = { name: `spender:${XRPL}`, holder: 'test', ttlMs: 3_600_000 }
  const lease = await takeLease(database, wanted)
  if (lease === null) throw new Error('the lease is held')
  const caps = { absolute: 1_000_000n, gasLimit: 1n, tokenGasLimit: 1n, relativePercent: null }
  const entry = world.entry(XRPL)
  const log = silentLog()
  const adapter = world.adapter(XRPL)
  const hooks = indifferent()
  return { database, adapter, catalogue, entry, keys, lease, caps, clock, log, hooks }
}

async function tend(world: World, deps: SpendDeps): Promise<void> {
  const { tip, final } = await world.state(XRPL)
  const at = { height: tip.height, final: final?.height ?? null }
  await resendSpends(deps, { bumpAfterBlocks: 100, ...at })
}
