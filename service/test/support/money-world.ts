import { holding } from '@sluice/simulator'
import { openSpendHooks } from '../../src/app/spend-hooks.ts'
import type { ChainId, TokenId } from '@sluice/wire'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { listOwnAddresses } from '../../src/accounts/own-address.ts'
import { listWatched } from '../../src/accounts/list-addresses.ts'
import { readPortfolio } from '../../src/api/views/portfolio.ts'
import { bumpAfterBlocks, feeCapsOf } from '../../src/app/fee-caps.ts'
import { type Spender, spendRound } from '../../src/app/spend-round.ts'
import { auditLedger } from '../../src/audit/run.ts'
import { openLog } from '../../src/base/log.ts'
import { watchScope } from '../../src/catalogue/scope.ts'
import type { Address } from '../../src/chains/port.ts'
import { openFeeBook } from '../../src/gas/fee-book.ts'
import { noteShortage } from '../../src/gas/level.ts'
import { readBalances, sumClaims, sumPlaces } from '../../src/ledger/balance.ts'
import { selectApiUserId } from '../../src/orgs/user-rows.ts'
import { takeLease } from '../../src/store/lease.ts'
import { newRound } from '../../src/sweeps/gather.ts'
import { createWithdrawal } from '../../src/withdrawals/request/create.ts'
import type { AnvilChain } from './anvil-chain.ts'
import { ETHER } from './opened-world.ts'
import type { World } from './world.ts'
import { SEPOLIA } from './world-life.ts'

const LEASE_MS = 3_600_000
const HOUR_MS = 3_600_000
const ROUNDS_MAX = 60

export interface PlatformAddresses {
  settlement: string
  gas: string
}

/** The spender of a world's chain, with its lease; an error that it logs fails the test. */
export interface MoneyWorld {
  world: World
  spender: Spender
  /** Errors that a step logged instead of throwing. */
  failures: string[]
  addresses(orgId?: string): Promise<PlatformAddresses>
  /** One round of the spender, and what its blocks bring. */
  round(): Promise<number>
  /** Rounds and blocks until nothing goes out any more and everything is deep enough. */
  quiet(): Promise<void>
  /** Pays native currency to the gas wallet and lets it be confirmed. */
  fundGas(wei: bigint, orgId?: string): Promise<void>
  /** Ledger and chain agree to the base unit, everywhere; places and claims are equal. */
  expectExact(): Promise<void>
}

/** Puts a spender beside a world's scanner. */
export async function moneyWorld(
  world: World,
  anvil: AnvilChain,
  changes: Partial<Spender> = {},
): Promise<MoneyWorld> {
  const failures: string[] = []
  const spender = { ...(await openSpender(world, anvil.id, failures)), ...changes }
  const addresses = async (orgId = world.orgId): Promise<PlatformAddresses> => {
    const own = await world.database.transaction((tx) =>
      listOwnAddresses(tx, { chainId: anvil.id, orgId }),
    )
    const find = (wanted: string) => own.find(({ purpose }) => purpose === wanted)?.address ?? ''
    return { settlement: find('settlement'), gas: find('gas') }
  }
  const round = async () => {
    const sent = await spendRound(spender)
    await world.settle()
    return sent
  }
  const quiet = async () => {
    for (let rounds = 0, idle = 0; idle < 3; rounds += 1) {
      if (rounds > ROUNDS_MAX) throw new Error('the spender never comes to rest')
      const sent = await round()
      expect(failures).toEqual([])
      await anvil.mine()
      await world.settle()
      await world.clock.advance(16_000)
      idle = sent === 0 ? idle + 1 : 0
    }
  }
  const fundGas = async (wei: bigint, orgId = world.orgId) => {
    const { gas } = await addresses(orgId)
    await anvil.pay(gas, wei)
    await anvil.mine(world.catalogue.required(anvil.id))
    await world.settle()
  }
  await spendRound(spender)
  await world.settle()
  return {
    world,
    spender,
    failures,
    addresses,
    round,
    quiet,
    fundGas,
    expectExact: () => expectExact(world, anvil),
  }
}

/** The spender of a world's chain; its warnings and errors are added to the list. */
export async function openSpender(
  world: World,
  chainId: ChainId,
  failures: string[],
): Promise<Spender> {
  const { database, catalogue, clock } = world
  const entry = world.entry(chainId)
  const lease = { name: `spender:${chainId}`, holder: 'spender', ttlMs: LEASE_MS }
  const taken = await takeLease(database, lease)
  if (taken === null) throw new Error('another process holds the lease of the spender')
  const write = (line: string) => void failures.push(line)
  return {
    database,
    adapter: world.adapter(chainId),
    catalogue,
    entry,
    clock,
    log: openLog({ level: 'warn', pretty: false, destination: { write } }),
    keys: world.keys,
    serviceKey: world.keys.serviceKey,
    lease: taken,
    term: new AbortController().signal,
    caps: feeCapsOf(entry, undefined),
    bumpAfterBlocks: bumpAfterBlocks(entry, undefined),
    compared: new Set(),
    hooks: openSpendHooks({ catalogue }),
    told: new Set(),
    approvalMaxAgeMs: 24 * HOUR_MS,
    gasWaitMs: HOUR_MS,
    gasShort: (tx, short) =>
      noteShortage(tx, { serviceKey: world.keys.serviceKey, catalogue, ...short }),
    gasLowSweeps: 20,
    feeMultiple: 20n,
    maxAgeMs: 168 * HOUR_MS,
    fees: openFeeBook({ get: (id) => world.adapter(id) }, clock),
    round: newRound(),
  }
}

async function expectExact(world: World, anvil: AnvilChain): Promise<void> {
  const { catalogue, database } = world
  expect((await world.audit(anvil.id)).findings).toEqual([])
  expect(await auditLedger({ database })).toEqual([])
  for (const { id: orgId } of await organizations(world)) {
    const owned = await ownedBy(world, orgId, anvil.id)
    const portfolio = await database.forOrg(orgId, (tx) =>
      readPortfolio(tx, { catalogue, serviceKey: world.keys.serviceKey, orgId, chainId: anvil.id }),
    )
    for (const { id: tokenId, address } of catalogue.tokensOf(anvil.id)) {
      const held = await Promise.all(owned.map((one) => heldBy(anvil, one, address)))
      const onChain = held.reduce((total, amount) => total + amount, 0n)
      const balances = await database.forOrg(orgId, (tx) =>
        readBalances(tx, { orgId, chainId: anvil.id, tokenId }),
      )
      const told = portfolio
        .filter((entry) => entry.tokenId === tokenId)
        .reduce((total, { balance }) => total + BigInt(balance), 0n)
      expect({ tokenId, places: sumPlaces(balances), told }).toEqual({
        tokenId,
        places: onChain,
        told: onChain,
      })
      expect(sumClaims(balances)).toBe(onChain)
    }
  }
}

/** Of the catalogue's contracts most do not stand on this chain. */
async function heldBy(anvil: AnvilChain, holder: string, contract: string): Promise<bigint> {
  if (contract === '') return holding(anvil, holder)
  const code = await anvil.rpc<string>('eth_getCode', [contract, 'latest'])
  return code === '0x' ? 0n : holding(anvil, holder, contract)
}

async function organizations(world: World): Promise<{ id: string }[]> {
  const own = await world.database.transaction((tx) => listOwnAddresses(tx, { chainId: SEPOLIA }))
  return [...new Set(own.map(({ orgId }) => orgId))].map((id) => ({ id }))
}

async function ownedBy(world: World, orgId: string, chainId: ChainId): Promise<Address[]> {
  const scope = watchScope(world.entry(chainId))
  const all = await world.database.transaction((tx) =>
    listWatched(tx, { scope, after: null, limit: 10_000 }),
  )
  return all.filter((one) => one.orgId === orgId).map(({ address }) => address)
}

/** Has the API key's user ask for a withdrawal, as the door does; one signer is enough. */
export async function withdraw(
  { world, spender }: { world: World; spender: Pick<Spender, 'entry' | 'fees'> },
  wanted: { tokenId: TokenId; amount: bigint; recipient: string; reference: string },
): Promise<void> {
  const { catalogue, database, orgId, keys } = world
  const chainId = spender.entry.id
  const fee = await spender.fees.feeOf(chainId, wanted.tokenId)
  const yes = () => true
  const offersOf = async () => ({
    chain: yes,
    token: yes,
    isVerifying: () => false,
    switchedOn: yes,
    stateOf: () => null,
  })
  await database.transaction(async (tx) => {
    const id = await selectApiUserId(tx, orgId)
    const texts = { memo: null, internalNote: null, externalUserId: null }
    const request = { ...wanted, amount: wanted.amount.toString(), chainId, ...texts }
    const given = { catalogue, orgId, initiator: { id, role: 'api' as const }, request, fee }
    await createWithdrawal(tx, keys.serviceKey, given, offersOf)
  })
}

/** All withdrawals there are, oldest first. */
export function withdrawalsOf(world: World): Promise<{ reference: string; status: string }[]> {
  return world.database.transaction((tx) =>
    tx.many(sql<{ reference: string; status: string }>`
      select reference, status
        from withdrawals
       order by created_at, id`),
  )
}

/** All sweeps there are, oldest first. */
export function sweepsOf(world: World): Promise<StoredSweep[]> {
  return world.database.transaction((tx) =>
    tx.many(sql<StoredSweep>`
      select id, token_id as "tokenId", address, amount, moved, state, cause
        from sweeps
       order by id`),
  )
}

export interface StoredSweep {
  id: string
  tokenId: string
  address: string
  amount: bigint
  moved: bigint
  state: string
  cause: string
}

/** The own coin of the first test network. */
export const COIN = ETHER
