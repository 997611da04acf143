import { startXrplNode, type XrplNode, xrplWallet } from '@sluice/simulator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noteBaseAccount } from '../../src/accounts/base-account.ts'
import { openOwnAddress } from '../../src/accounts/own-address.ts'
import type { Address, Intent } from '../../src/chains/port.ts'
import { SPEND_POINTS, type SpendPoint } from '../../src/spends/crash-points.ts'
import type { Mandate, SpendMeans } from '../../src/spends/mandate.ts'
import { readSpendsOf } from '../../src/spends/read.ts'
import { resendSpends } from '../../src/spends/resend.ts'
import { sendSpend } from '../../src/spends/send.ts'
import { takeLease } from '../../src/store/lease.ts'
import { parseChain, parseHolder, parseToken } from '../adapters/brands.ts'
import { silentLog } from '../support/clock.ts'
import { openWorld, type World } from '../support/world.ts'

const XRPL = parseChain('xrpl:testnet')
const XRP = parseToken('xrpl:testnet/slip44:144')
const AMOUNT = 1_500_000n
/** More ledgers than a transaction may take to come into one. */
const PAST_THE_LAST = 24
const POINTS = SPEND_POINTS.filter((point) => /^(send|resend|bump)\./.test(point))

class Killed extends Error {}

let node: XrplNode
let world: World
let base: Address
let means: SpendMeans
beforeAll(async () => {
  const nothing = async () => undefined
  const none = { included: nothing, unincluded: nothing, settled: nothing, displaced: nothing }
  const fates = { withdrawal: none, sweep: none, 'top-up': none, filler: none, consolidation: none }
  node = await startXrplNode()
  node.chain.close(3)
  const chains = [{ id: XRPL, nodes: [node.url] }]
  world = await openWorld({ seed: 'kill xrpl', chains, fates })
  await world.settle(XRPL)
  const { orgId, keys, database } = world
  const entry = world.entry(XRPL)
  base = await database.transaction(async (tx) => {
    return (await openOwnAddress(tx, { keys, entry, orgId, purpose: 'settlement' })).address
  })
  node.chain.pay({ to: base, amount: 50_000_000n })
  await closed(2)
  const readyHeight = node.chain.closed().height
  const note = { orgId, chainId: XRPL, address: base, readyHeight, missing: '' }
  await database.transaction((tx) => noteBaseAccount(tx, note))
  const tag = (await world.issue('ann', XRPL)).destinationTag ?? 0
  node.chain.pay({ to: base, amount: 200_000_000n, tag })
  await closed(2)
  const wanted = { name: `spender:${XRPL}`, holder: 'test', ttlMs: 3_600_000 }
  const lease = await takeLease(database, wanted)
  if (lease === null) throw new Error('the lease is held')
  means = {
    database,
    adapter: world.adapter(XRPL),
    catalogue: world.catalogue,
    entry,
    keys,
    lease,
    caps: {
      absolute: 1_000_000n,
      gasLimit: 1n,
      tokenGasLimit: 1n,
      relativePercent: null,
    },
    clock: world.clock,
    log: silentLog(),
  }
})
afterAll(async () => {
  await world?.close()
  await node?.stop()
})

test.each(POINTS)('W03 W06 W07 W08 W11 X10 a death at %s pays once', async (point) => {
  const seen = planKill(point)
  const recipient = xrplWallet(`recipient at ${point}`).address
  const sequence = node.chain.account(base)?.sequence ?? 0
  const { orgId } = world
  const to = parseHolder(XRPL, recipient)
  const intent = { chainId: XRPL, tokenId: XRP, from: base, to, amount: AMOUNT, memo: '7' }
  const subjectId = await world.database.transaction(async (tx) => tx.ids.next())
  await persist(async () => sendSpend(means, await mandateFor(subjectId, intent)))
  // The network forgets it, and its last ledger passes.
  node.chain.forget()
  await closed(PAST_THE_LAST)
  await persist(tend)
  node.chain.forget()
  await persist(tend)
  await closed(2)
  expect(`${point} ${seen.passes > 0}`).toBe(`${point} true`)
  expect(node.chain.paymentsBetween(base, recipient)).toEqual([
    { amount: AMOUNT.toString(), tag: 7 },
  ])
  expect(node.chain.account(base)?.sequence).toBe(sequence + 1)
  const spends = await world.database.transaction((tx) => readSpendsOf(tx, { orgId, subjectId }))
  expect(spends).toMatchObject([{ state: 'Settled', succeeded: true }])
  expect((await world.alerts()).filter(({ code }) => code.startsWith('spend.'))).toEqual([])
})

/** As a withdrawal asks: never again where it was signed. */
async function mandateFor(subjectId: string, intent: Intent): Promise<Mandate> {
  const { orgId } = world
  const quote = await means.adapter.quote(intent, means.caps)
  if (!quote.ok) throw new Error(quote.message)
  return {
    purpose: 'withdrawal',
    orgId,
    subjectId,
    intent,
    terms: quote.terms,
    claim: async (tx) => {
      return (await readSpendsOf(tx, { orgId, subjectId })).length > 0 ? null : intent
    },
    sent: async () => undefined,
  }
}

async function tend(): Promise<void> {
  const { tip, final } = await world.state(XRPL)
  await resendSpends(means, {
    bumpAfterBlocks: 100,
    height: tip.height,
    final: final?.height ?? null,
  })
}

/** Ends the process at the first pass of a point. */
function planKill(point: SpendPoint): { passes: number } {
  const seen = { passes: 0 }
  means.crash = (here) => {
    if (here !== point) return
    seen.passes += 1
    if (seen.passes === 1) throw new Killed(point)
  }
  return seen
}

async function persist(step: () => Promise<unknown>): Promise<void> {
  for (let deaths = 0; ; deaths += 1) {
    try {
      await step()
      return
    } catch (error) {
      if (!(error instanceof Killed) || deaths > 3) throw error
    }
  }
}

async function closed(count: number): Promise<void> {
  node.chain.close(count)
  await world.settle(XRPL)
}
