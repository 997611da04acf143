import {
  BITCOIN_NETWORKS,
  type BitcoinChain,
  BitcoinHand,
  bitcoinAddress,
  bitcoinKey,
  rpcClient,
  startBitcoinNode,
} from '@sluice/simulator'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { sum } from '../../src/base/amount.ts'
import { auditLedger } from '../../src/audit/run.ts'
import { selectApiUserId } from '../../src/orgs/user-rows.ts'
import { setMinSigners } from '../../src/orgs/signers.ts'
import { readSpendsOf } from '../../src/transactions/core/read.ts'
import { readWithdrawal } from '../../src/withdrawals/list.ts'
import { requestTogether } from '../../src/withdrawals/request/request.ts'
import { REGTEST, TBTC } from '../support/bitcoin-chain.ts'
import { openWorld } from '../support/world.ts'
import { REQUIRED } from '../support/world-life.ts'
import { MortalHarness } from './crashing-spender.ts'
import type { Course } from './money-life.ts'

const FEE = 300n
const COIN = 2_000_000n
const COINS = 8
const ROUNDS_MAX = 12
const RESEND_AFTER = 3
export const BUMP_AFTER = 5

/** A mortal harness on a Bitcoin chain. */
export interface MortalCoins {
  mortal: MortalHarness
  chain: BitcoinChain
}

interface Wanted {
  id: string
  name: string
  amount: bigint
}

let references = 0
let blocks = 0

/** Opens one whose deposits pay for many withdrawals that need no approval. */
export async function openMortalCoins(seed: string): Promise<MortalCoins> {
  const node = await startBitcoinNode({ seed, network: 'regtest' })
  const { chain } = node
  const client = rpcClient(node.url)
  const network = BITCOIN_NETWORKS.regtest
  const rpc = <T>(method: string, params?: readonly unknown[]) => client.call<T>(method, params)
  const hand = await BitcoinHand.open({ rpc, network, seed: 'payer', coins: COINS + 1 })
  const world = await openWorld({ seed, chains: [{ id: REGTEST, nodes: [node.url] }] })
  const stop = async () => {
    client.close()
    await node.stop()
  }
  const mine = (count: number) => mineAll(chain, count)
  const mortal = new MortalHarness({ world, chainId: REGTEST, mine, bumpAfter: BUMP_AFTER, stop })
  await mortal.settle()
  await mortal.round()
  const { database, keys, orgId } = world
  const alone = { orgId, value: 1, actor: 'test' }
  await database.transaction((tx) => setMinSigners(tx, keys.serviceKey, alone))
  for (let coins = 0; coins < COINS; coins += 1) {
    const { address } = await world.issue(`user ${coins}`, REGTEST)
    await hand.pay({ payees: [{ to: address, amount: COIN }] })
  }
  await mortal.mine(1 + REQUIRED)
  return { mortal, chain }
}

/** Requests two withdrawals that one transaction pays, and carries them out. */
export async function withdrawTogether(harness: MortalCoins, course: Course): Promise<void> {
  const { mortal } = harness
  mortal.enter('withdrawal')
  const wanted: Wanted[] = []
  for (const amount of [40_000n, 30_000n]) wanted.push(await request(mortal, amount))
  await carryOut(harness, course, wanted)
  mortal.enter(null)
  for (const one of wanted) await expectPaid(harness, one)
}

/** No unspent output is used by two spends, and ledger and chain agree. */
export async function expectWhole({ mortal }: MortalCoins): Promise<void> {
  const { world } = mortal
  expect(await auditLedger(world)).toEqual([])
  expect((await world.audit(REGTEST)).findings).toEqual([])
  const shared = await world.database.transaction((tx) =>
    tx.many(sql`
      select c.coin_hash, c.coin_vout
        from transaction_coins c
        join spend_transactions t using (chain_id, txn_hash)
       group by c.coin_hash, c.coin_vout
      having count(distinct t.spend_id) > 1`),
  )
  expect(shared).toEqual([])
  const { unspent } = await world.database.transaction((tx) =>
    tx.one(sql<{ unspent: bigint }>`
      select sum(amount) as unspent
        from coins
       where spent_height is null
         and block_height is not null`),
  )
  const places = Object.entries(await world.balances()).flatMap(([key, amount]) =>
    key.includes(' place:') ? [amount] : [],
  )
  expect(sum(places)).toBe(unspent)
  expect(await world.balance(TBTC, 'claim:gas')).toBe(0n)
  expect(await world.balance(TBTC, 'claim:reserved')).toBe(0n)
  expect((await world.alerts()).map(({ code }) => code)).toEqual([])
}

async function carryOut(harness: MortalCoins, course: Course, wanted: readonly Wanted[]) {
  const { mortal, chain } = harness
  await mortal.round()
  for (let forgets = 0; forgets < course.forgets; forgets += 1) {
    chain.pool.clear()
    mineAll(chain, RESEND_AFTER, false)
    await mortal.settle()
    await mortal.round()
  }
  for (let bumps = 0; bumps < course.bumps; bumps += 1) {
    mineAll(chain, BUMP_AFTER, false)
    await mortal.settle()
    await mortal.round()
  }
  for (let reorgs = 0; reorgs < course.reorgs; reorgs += 1) {
    await mortal.mine()
    chain.invalidate(chain.tip)
    mineAll(chain, 2, false)
    await mortal.settle()
    await mortal.round()
  }
  await mortal.mine(1 + REQUIRED)
  for (let rounds = 0; !(await areCompleted(mortal, wanted)); rounds += 1) {
    if (rounds === ROUNDS_MAX) throw new Error('it is never carried out')
    await mortal.round()
    await mortal.mine(1 + REQUIRED)
  }
}

/** Blocks, the first with the pending transactions; each by another miner. */
function mineAll(chain: BitcoinChain, count: number, isFull = true): void {
  for (let at = 0; at < count; at += 1) {
    blocks += 1
    const { script } = bitcoinKey(`miner ${blocks}`)
    if (isFull && at === 0) chain.mine(script)
    else chain.mine(script, [])
  }
}

async function areCompleted({ world }: MortalHarness, wanted: readonly Wanted[]): Promise<boolean> {
  const { orgId } = world
  const found = await world.database.transaction((tx) =>
    Promise.all(wanted.map(({ id }) => readWithdrawal(tx, { orgId, id }))),
  )
  return found.every(({ status }) => status === 'Completed')
}

async function request(mortal: MortalHarness, amount: bigint): Promise<Wanted> {
  const { world } = mortal
  const { orgId, database, catalogue, keys } = world
  references += 1
  const name = `recipient ${references}`
  const recipient = bitcoinAddress(bitcoinKey(name), BITCOIN_NETWORKS.regtest.kind)
  const api = await database.transaction((tx) => selectApiUserId(tx, orgId))
  const texts = { memo: null, internalNote: null, externalUserId: null, reference: name }
  const asked = { chainId: REGTEST, tokenId: TBTC, recipient, amount: amount.toString(), ...texts }
  const yes = () => true
  const offers = { chain: yes, token: yes, isVerifying: () => false }
  const deps = { database, serviceKey: keys.serviceKey, offersOf: async () => offers }
  const initiator = { id: api, role: 'api' } as const
  const withdrawal = { catalogue, orgId, initiator, request: asked, fee: FEE }
  const { id } = await mortal.live(() => requestTogether(deps, withdrawal))
  return { name, amount, id }
}

/** Paid once on the chain, by one spend, with one event for each status change. */
async function expectPaid(harness: MortalCoins, { id, name, amount }: Wanted): Promise<void> {
  const { world } = harness.mortal
  const { orgId } = world
  const script = bitcoinKey(name).script.toString('hex')
  const paid = [...harness.chain.coins.all()].filter(
    ([, coin]) => coin.script.toString('hex') === script,
  )
  expect([name, paid.map(([, { value }]) => value)]).toEqual([name, [amount]])
  const spends = await world.database.transaction((tx) =>
    readSpendsOf(tx, { orgId, subjectId: id }),
  )
  expect(spends).toMatchObject([{ state: 'Settled' }])
  const told = (await world.events()).filter(({ payload }) => payload['id'] === id)
  const story = told.map(({ type }) => type.replace('withdrawal.', '')).join(' ')
  expect([name, story]).toEqual([name, 'created approved processing completed'])
}
