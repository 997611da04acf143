import type { ChainId } from '@sluice/wire'
import { expect, onTestFinished } from 'vitest'
import { readOwnAddress } from '../../src/accounts/own-address.ts'
import { openSpendHooks } from '../../src/app/spend-hooks.ts'
import { type Spender, spendRound } from '../../src/app/spend-round.ts'
import type { ServerDeps } from '../../src/api/http/deps.ts'
import type { OperatorToken } from '../../src/catalogue/operator-token.ts'
import { type Address } from '../../src/chains/port.ts'
import { openFeeBook } from '../../src/gas/fee-book.ts'
import { noteShortage } from '../../src/gas/level.ts'
import type { AddressType } from '../../src/keys/paths.ts'
import { openSessions } from '../../src/orgs/sessions.ts'
import { newRound } from '../../src/sweeps/gather.ts'
import { takeLease } from '../../src/store/lease.ts'
import { readWithdrawal } from '../../src/withdrawals/list.ts'
import type { Withdrawal } from '../../src/withdrawals/withdrawal.ts'
import { silentLog } from './clock.ts'
import { type Answered, type Door, openDoor } from './door.ts'
import { addPerson, type Person, signIn } from './sign-in.ts'
import { openWorld, type World } from './world.ts'
import { REQUIRED } from './world-life.ts'

const HOUR_MS = 3_600_000

/** Someone of the organization, signed in at the door. */
export interface Colleague extends Person {
  ask(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Answered>
  /** Approves, with a fresh code. */
  approve(id: string): Promise<Answered>
}

/** A chain of which a test has the hand: an anvil, or a simulated node. */
export interface PayingChain {
  readonly id: ChainId
  readonly url: string
  /** Further configured nodes of the chain. */
  readonly others?: readonly string[]
  pay(to: string, amount: bigint): Promise<unknown>
  mine(blocks?: number): Promise<unknown>
  /** Blocks on top after which a deposit is settled; three unless given. */
  readonly settles?: number
  /** The most that one transaction may cost; a tenth of an ether unless given. */
  readonly feeCap?: bigint
  /** The address type of new accounts. */
  readonly addressType?: AddressType
  /** The time of its last block, for the signer. */
  readonly blockTime?: () => number
}

/** A whole service on a chain: scanner, spender, and the door with its people. */
export interface WithdrawingWorld {
  world: World
  door: Door
  spender: Spender
  settlement: Address
  /** The settlement address where fees come out of what is paid. */
  gas: Address
  colleague(role?: 'operator' | 'approver' | 'admin'): Promise<Colleague>
  read(id: string): Promise<Withdrawal>
  /** One round of the spender. */
  spend(): Promise<void>
  /** Mines, and lets the scanner catch up. */
  mine(blocks?: number): Promise<void>
  /** Runs at most `roundsMax` rounds and blocks, until the withdrawal has ended. */
  conclude(id: string, roundsMax?: number): Promise<Withdrawal>
  close(): Promise<void>
}

interface Opening {
  wei?: bigint
  tokens?: readonly OperatorToken[]
  more?: Partial<Spender>
  /** If true, it outlives the test and the caller closes it. */
  isKept?: boolean
}

/** Opens one with own addresses; each is paid so many wei from outside, and that is confirmed. */
export async function openWithdrawingWorld(
  anvil: PayingChain,
  { wei = 10n ** 18n, tokens = [], more = {}, isKept = false }: Opening = {},
): Promise<WithdrawingWorld> {
  const seed = expect.getState().currentTestName ?? ''
  const { addressType } = anvil
  const type = addressType === undefined ? {} : { addressType }
  const nodes = [anvil.url, ...(anvil.others ?? [])]
  const chains = [{ id: anvil.id, nodes, ...type }]
  const filters = addressType !== undefined
  const { blockTime } = anvil
  const world = await openWorld({ seed, tokens, chains, filters, ...(blockTime && { blockTime }) })
  const door = await doorOf(world, anvil)
  const close = async () => {
    await door.close()
    await world.close()
  }
  if (!isKept) onTestFinished(close)
  await world.settle()
  const spender = { ...(await spenderOf(world, anvil)), ...more }
  const spend = async () => void (await spendRound(spender))
  const mine = async (blocks = 1) => {
    await anvil.mine(blocks)
    await world.settle()
  }
  await spend()
  const settlement = await own(world, anvil, 'settlement')
  const hasGas = world.entry(anvil.id).hasGasWallets
  const gas = hasGas ? await own(world, anvil, 'gas') : settlement
  if (wei > 0n) {
    await anvil.pay(settlement, wei)
    if (hasGas) await anvil.pay(gas, wei)
    await mine(anvil.settles ?? REQUIRED)
  }
  const read = (id: string) =>
    world.database.transaction((tx) => readWithdrawal(tx, { orgId: world.orgId, id }))
  const conclude = async (id: string, roundsMax = 8) => {
    for (let round = 0; round < roundsMax; round += 1) {
      const { status } = await read(id)
      if (['Completed', 'Failed', 'Cancelled'].includes(status)) break
      await spend()
      await mine(1 + (anvil.settles ?? REQUIRED))
    }
    return read(id)
  }
  return {
    world,
    door,
    spender,
    settlement,
    gas,
    colleague: (role = 'approver') => colleagueAt(world, door, role),
    read,
    spend,
    mine,
    conclude,
    close,
  }
}

/** The door of a world: its database, keys and catalogue. */
async function doorOf(world: World, anvil: PayingChain): Promise<Door> {
  const { database, catalogue, clock, keys } = world
  const chains: ServerDeps['chains'] = {
    get: (id) => (id === anvil.id ? world.adapter(anvil.id) : null),
  }
  const { serviceKey } = keys
  return openDoor({
    serviceKey: keys.serviceKey,
    accountKeys: keys,
    database,
    catalogue,
    clock,
    chains,
    feeBook: openFeeBook(chains, clock),
    sessions: openSessions({ database, serviceKey, clock, ttlSeconds: 3600 }),
  })
}

async function spenderOf(world: World, anvil: PayingChain): Promise<Spender> {
  const { database, catalogue, keys, clock } = world
  const given = { name: `spender:${anvil.id}`, holder: 'test', ttlMs: HOUR_MS }
  const lease = await takeLease(database, given)
  if (lease === null) throw new Error('the lease is held')
  const adapter = world.adapter(anvil.id)
  return {
    database,
    adapter,
    catalogue,
    entry: world.entry(anvil.id),
    keys,
    serviceKey: keys.serviceKey,
    lease,
    term: new AbortController().signal,
    caps: {
      absolute: anvil.feeCap ?? 10n ** 17n,
      gasLimit: 100_000n,
      tokenGasLimit: 300_000n,
      relativePercent: 10,
    },
    clock,
    log: silentLog(),
    compared: new Set(),
    hooks: openSpendHooks({ catalogue }),
    told: new Set(),
    last: new Set(),
    bumpAfterBlocks: 100,
    gasLowSweeps: 20,
    feeMultiple: 10n,
    maxAgeMs: 24 * HOUR_MS,
    approvalMaxAgeMs: 24 * HOUR_MS,
    gasWaitMs: HOUR_MS,
    fees: openFeeBook({ get: () => adapter }, clock),
    round: newRound(),
    gasShort: (tx, { orgId, chainId }) =>
      noteShortage(tx, { serviceKey: keys.serviceKey, catalogue, orgId, chainId }),
  }
}

async function own(world: World, anvil: PayingChain, purpose: 'settlement' | 'gas') {
  const { orgId } = world
  const address = await world.database.transaction((tx) =>
    readOwnAddress(tx, { orgId, chainId: anvil.id, purpose }),
  )
  if (address === null) throw new Error(`no ${purpose} address was opened`)
  return address
}

async function colleagueAt(
  { database, clock, keys: { serviceKey }, orgId }: World,
  door: Door,
  role: 'operator' | 'approver' | 'admin',
): Promise<Colleague> {
  const person = await addPerson({ database, clock, serviceKey }, { orgId, role })
  const as = await signIn(door, person)
  const ask: Colleague['ask'] = async (method, path, body) =>
    door.ask(path, {
      ...as,
      method,
      headers: {
        ...as.headers,
        // Settings are changed with a code.
        ...(method === 'PATCH' && { 'x-totp-code': await person.code() }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const approve = async (id: string) => {
    // No two approvals are given in the same millisecond.
    await clock.advance(1)
    return ask('POST', `/withdrawals/${id}/approve`, { totpCode: await person.code() })
  }
  return { ...person, ask, approve }
}
