import type { TokenId } from '@sluice/wire'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { auditLedger } from '../../src/audit/run.ts'
import { noncesOf } from '../../src/chains/chain-adapter.ts'
import { parseAddress } from '../../src/chains/format-address.ts'
import type { Address } from '../../src/chains/port.ts'
import { Refusal } from '../../src/base/fault.ts'
import { readBalances, sumClaims, sumPlaces } from '../../src/ledger/balance.ts'
import { consumeTotp } from '../../src/orgs/totp.ts'
import { selectApiUserId } from '../../src/orgs/user-rows.ts'
import { approveWithdrawal, proveByCode } from '../../src/withdrawals/approve/approve.ts'
import { readWithdrawal } from '../../src/withdrawals/list.ts'
import { requestTogether } from '../../src/withdrawals/request/request.ts'
import { sweepsOf } from '../support/money-world.ts'
import { randomWallet } from '../support/random-wallet.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'
import { BUMP_AFTER, type CrashingSpender } from './crashing-spender.ts'

const COINS = 10n ** 16n
const DOLLARS = 25_000_000n
const FEE = 10n ** 15n
const MAX_AGE_MS = 24 * 3_600_000
const ROUNDS_MAX = 12
const PAUSE_MS = 15_000
/** The shortest validity of a code. */
const CODE_MS = 30_000

/** The faults of transactions, each with its count. */
export interface Course {
  /** Blocks do not take them, and they are replaced. */
  bumps: number
  /** The nodes forget them. */
  forgets: number
  /** Their block leaves the chain, and the nodes forget them. */
  reorgs: number
}

interface Withdrawn {
  id: string
  tokenId: TokenId
  amount: bigint
  recipient: string
}

let references = 0

/** Requests, approves and carries out two withdrawals, of the native coin and of a token. */
export async function withdrawTwo(crashing: CrashingSpender, course: Course): Promise<void> {
  const { coin, dollar } = crashing
  crashing.enter('withdrawal')
  const withdrawn: Withdrawn[] = []
  for (const [tokenId, amount] of [
    [coin, COINS],
    [dollar, DOLLARS],
  ] as const) {
    const wanted = { tokenId, amount, recipient: randomWallet('withdrawal') }
    const id = await request(crashing, wanted)
    await approve(crashing, id)
    withdrawn.push({ ...wanted, id })
  }
  const ids = withdrawn.map(({ id }) => id)
  await carryOut(crashing, course, () => areCompleted(crashing, ids))
  crashing.enter(null)
  for (const one of withdrawn) await expectWithdrawn(crashing, one)
}

/** Two deposits of a token: their addresses are given gas, then swept. */
export async function sweepTwo(crashing: CrashingSpender, course: Course): Promise<void> {
  const { world, chain, contract: token } = crashing
  const swept: string[] = []
  for (let users = 0; users < 2; users += 1) {
    references += 1
    const { address } = await world.issue(`user ${references}`)
    chain.payToken({ to: address, token, amount: DOLLARS })
    swept.push(address)
  }
  await crashing.mine(1 + REQUIRED)
  crashing.enter('top-up')
  const haveGas = async () => swept.every((address) => chain.balanceOf(address) > 0n)
  await carryOut(crashing, course, haveGas)
  crashing.enter('sweep')
  const areSwept = async () => swept.every((address) => chain.balanceOf(address, token) === 0n)
  await carryOut(crashing, course, areSwept)
  crashing.enter(null)
  const sweeps = await sweepsOf(world)
  for (const address of swept) {
    expect(chain.balanceOf(address, token)).toBe(0n)
    const own = sweeps.filter((one) => one.address === address.toLowerCase())
    expect(own).toMatchObject([{ state: 'Done', amount: DOLLARS, moved: DOLLARS }])
  }
}

/** Withdrawals are broadcast and processed until settled. */
async function carryOut(
  crashing: CrashingSpender,
  course: Course,
  isDone: () => Promise<boolean>,
): Promise<void> {
  const { chain } = crashing
  await crashing.round()
  for (let bumps = 0; bumps < course.bumps; bumps += 1) {
    chain.reorg({ depth: 0, extra: BUMP_AFTER })
    await crashing.settle()
    await crashing.round()
  }
  for (let forgets = 0; forgets < course.forgets; forgets += 1) {
    for (const { hash } of chain.pending) chain.drop(hash)
    await crashing.round()
  }
  for (let reorgs = 0; reorgs < course.reorgs; reorgs += 1) {
    await crashing.mine()
    chain.reorg({ depth: 1, keep: 'none' })
    await crashing.settle()
    await crashing.round()
  }
  await crashing.mine(1 + REQUIRED)
  for (let rounds = 0; !(await isDone()); rounds += 1) {
    if (rounds === ROUNDS_MAX) throw new Error('it is never carried out')
    await crashing.world.clock.advance(PAUSE_MS)
    await crashing.round()
    await crashing.mine(1 + REQUIRED)
  }
}

async function areCompleted({ world }: CrashingSpender, ids: readonly string[]): Promise<boolean> {
  const { orgId } = world
  const found = await world.database.transaction((tx) =>
    Promise.all(ids.map((id) => readWithdrawal(tx, { orgId, id }))),
  )
  return found.every(({ status }) => status === 'Completed')
}

/** Requests as a client does: repeats under the same reference if no answer came. */
async function request(crashing: CrashingSpender, wanted: Omit<Withdrawn, 'id'>): Promise<string> {
  const { world, live } = { world: crashing.world, live: crashing.live.bind(crashing) }
  const { orgId } = world
  references += 1
  const reference = `withdrawal ${references}`
  const id = await world.database.transaction((tx) => selectApiUserId(tx, orgId))
  const texts = { memo: null, internalNote: null, externalUserId: null }
  const amount = wanted.amount.toString()
  const asked = { ...wanted, ...texts, reference, amount, chainId: SEPOLIA }
  const yes = () => true
  const offers = {
    chain: yes,
    token: yes,
    isVerifying: () => false,
    switchedOn: yes,
    stateOf: () => null,
  }
  return live(async () => {
    const { catalogue, keys } = world
    const { serviceKey } = keys
    const deps = { database: crashing.door('request'), serviceKey, offersOf: async () => offers }
    const initiator = { id, role: 'api' } as const
    try {
      const params = { catalogue, orgId, initiator, request: asked, fee: FEE }
      return (await requestTogether(deps, params)).id
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'DUPLICATE_REFERENCE') throw error
      expect(error.details).toMatchObject({ sameParameters: true })
      return String(error.details['existingWithdrawalId'])
    }
  })
}

/** Repeats the same code if no answer came; uses a new code if it expired. */
async function approve(crashing: CrashingSpender, id: string): Promise<void> {
  const { world, signer } = crashing
  const { orgId, clock, keys } = world
  const { serviceKey } = keys
  const { userId } = signer
  let code = await signer.code()
  const typedAt = clock.now()
  await crashing.live(async () => {
    if (clock.now() - typedAt > CODE_MS) code = await signer.code()
    const params = { catalogue: world.catalogue, orgId, userId, id, maxAgeMs: MAX_AGE_MS }
    return crashing.door('approval').forOrg(orgId, (tx) =>
      approveWithdrawal(
        tx,
        serviceKey,
        params,
        proveByCode((step) => consumeTotp(step, serviceKey, { orgId, userId, code, clock })),
      ),
    )
  })
}

/** Paid once on the chain, by one spend, with one event for each status change. */
async function expectWithdrawn(
  { world, chain, coin, contract }: CrashingSpender,
  { id, tokenId, amount, recipient }: Withdrawn,
): Promise<void> {
  const token = tokenId === coin ? undefined : contract
  expect(chain.balanceOf(recipient, token)).toBe(amount)
  const { orgId } = world
  const { status } = await world.database.transaction((tx) => readWithdrawal(tx, { orgId, id }))
  expect(status).toBe('Completed')
  const { spends } = await world.database.transaction((tx) =>
    tx.one(sql<{ spends: number }>`select count(*) as spends from spends where subject_id = ${id}`),
  )
  expect(spends).toBe(1)
  const told = (await world.events()).filter(({ payload }) => payload['id'] === id)
  const story = told.map(({ type }) => type.replace('withdrawal.', '')).join(' ')
  expect(story).toBe('created approved processing completed')
}

/** Places equal the chain's balances, and claims. */
export async function expectBooked(crashing: CrashingSpender): Promise<void> {
  const { world, chain, coin, dollar, contract } = crashing
  const { database, orgId } = world
  for (const [tokenId, token] of [
    [coin, undefined],
    [dollar, contract],
  ] as const) {
    const balances = await database.forOrg(orgId, (tx) =>
      readBalances(tx, { orgId, chainId: SEPOLIA, tokenId }),
    )
    expect(sumClaims(balances)).toBe(sumPlaces(balances))
    for (const { account, amount } of balances) {
      const [kind, , address = ''] = account.split(':')
      if (kind !== 'place') continue
      expect(`${account} ${amount}`).toBe(`${account} ${chain.balanceOf(address, token)}`)
    }
  }
}

/**
 * Final checks: no transaction is open, each sender's nonces have no gap and belong to our spends,
 * every event was sent once, and the audit finds no difference.
 */
export async function expectWhole(crashing: CrashingSpender): Promise<void> {
  const { world, failures } = crashing
  await quieten(crashing)
  await expectBooked(crashing)
  const senders = await world.database.transaction((tx) =>
    tx.many(sql<{ sender: string; nonces: number[]; states: string[]; next: number }>`
      select spends.sender as sender,
             array_agg(spends.nonce order by spends.nonce) as nonces,
             array_agg(distinct spends.state) as states,
             max(senders.next_nonce) as next
        from spends
        join senders on senders.address = spends.sender
       group by spends.sender`),
  )
  for (const { sender, nonces, states, next } of senders) {
    expect({ sender, nonces }).toEqual({ sender, nonces: nonces.map((_, at) => at) })
    expect({ sender, states, next }).toEqual({ sender, states: ['Settled'], next: nonces.length })
    const { latest, pending } = await noncesOf(world.adapter(), parsed(sender))
    expect({ sender, latest, pending }).toEqual({ sender, latest: next, pending: next })
  }
  const events = await world.events()
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1))
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  expect(await world.alerts()).toEqual([])
  expect(await auditLedger(world)).toEqual([])
  expect((await world.audit()).findings).toEqual([])
  expect(failures).toEqual([])
}

/** Runs rounds until no transaction is sent, refills included. */
export async function quieten(crashing: CrashingSpender): Promise<void> {
  for (let rounds = 0; rounds < ROUNDS_MAX; rounds += 1) {
    await crashing.round()
    const waits = crashing.chain.pending.length > 0
    await crashing.mine(1 + REQUIRED)
    if (!waits) return
  }
  throw new Error('the spender never comes to rest')
}

function parsed(text: string): Address {
  const address = parseAddress(SEPOLIA, text)
  if (address === null) throw new Error(`no address: ${text}`)
  return address
}
