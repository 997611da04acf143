import { bitcoinAddress, bitcoinKey } from '@sluice/simulator'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { derivationOf, signerPath } from '../../src/accounts/signer-path.ts'
import type { Spender } from '../../src/app/spend-round.ts'
import { auditLedger } from '../../src/audit/run.ts'
import { sum } from '../../src/base/amount.ts'
import type { AddressType } from '../../src/keys/paths.ts'
import { withSession } from '../../src/store/connection.ts'
import { readSpendsOf, type SpendRecord } from '../../src/transactions/core/read.ts'
import { coinsAt } from '../../src/transactions/utxo/coin-rows.ts'
import type { OwnCoin } from '../../src/transactions/utxo/coin.ts'
import { parseHolder } from '../adapters/brands.ts'
import { type BitcoinTestChain, REGTEST, TBTC } from './bitcoin-chain.ts'
import type { Answered } from './door.ts'
import { idIn } from './withdrawal-desk.ts'
import { type Colleague, openWithdrawingWorld, type WithdrawingWorld } from './withdrawing-world.ts'
import { REQUIRED } from './world-life.ts'

/** The most that one transaction may cost. */
const FEE_CAP = 1_000_000n
let references = 0

/** A whole service on a chain of coins, and all that a test does to both. */
export interface CoinHarness extends WithdrawingWorld {
  chain: BitcoinTestChain
  operator: Colleague
  /** Pays the deposit address of a user, as so many coins, confirmed. */
  deposit(user: string, ...amounts: bigint[]): Promise<string>
  ask(recipient: string, amount: bigint): Promise<Answered>
  /** The id of a withdrawal that was created. */
  want(recipient: string, amount: bigint): Promise<string>
  /** Blocks with all that waits. */
  mine(blocks?: number): Promise<void>
  /** Blocks with nothing in them. */
  mineEmpty(blocks?: number): Promise<void>
  /** Replaces the highest blocks by empty ones, and lets the scanner see it. */
  undo(depth: number): Promise<void>
  spendOf(id: string): Promise<SpendRecord>
  /** A stranger's outputs in blocks. */
  held(name: string): Promise<bigint[]>
  pool(): Promise<string[]>
  available(): Promise<bigint>
  /** The events of a withdrawal, in order. */
  story(id: string): Promise<string>
  /** Raw bytes that spend our coins with our keys, as an owner of the seed can make them. */
  forge(coins: readonly OwnCoin[], to: string, fee: bigint): Promise<string>
  /** All coins of ours, spent ones too. */
  coins(): Promise<OwnCoin[]>
  /** Writes to the database as an intruder. */
  tamper(statement: string): Promise<void>
  /** Ledger, coins and chain agree. */
  expectWhole(): Promise<void>
}

/** An address outside the service, derived from a name. */
export function stranger(name: string, { hand }: Pick<BitcoinTestChain, 'hand'>): string {
  return bitcoinAddress(bitcoinKey(name), hand.kind)
}

export async function openCoinHarness(
  chain: BitcoinTestChain,
  given: Partial<Spender> & { isKept?: boolean; addressType?: AddressType } = {},
): Promise<CoinHarness> {
  const { isKept = false, addressType, ...more } = given
  const { hand } = chain
  let mined = 0
  const mineNode = async (blocks = 1) => {
    mined += 1
    await hand.rpc('generatetoaddress', [blocks, stranger(`miner ${mined}`, chain)])
  }
  const paying = {
    id: REGTEST,
    url: chain.url,
    pay: (to: string, amount: bigint) => hand.pay({ payees: [{ to, amount }] }),
    mine: mineNode,
    settles: REQUIRED,
    feeCap: FEE_CAP,
    ...(addressType !== undefined && { addressType }),
  }
  const inner = await openWithdrawingWorld(paying, { wei: 0n, more, isKept })
  const operator = await inner.colleague('operator')
  return {
    ...inner,
    chain,
    operator,
    ...asksOf(operator),
    ...blocksOf(inner, hand),
    ...looks(inner, hand),
  }
}

/** Sets the fee rate for a thousand virtual bytes; the node's estimate is ignored from then on. */
export function setPrice({ spender }: CoinHarness, perKvb: bigint): void {
  const feeRate = async () => ({ family: 'bip122', perKvb }) as const
  spender.adapter = { ...spender.adapter, feeRate }
}

function asksOf(operator: Colleague): Pick<CoinHarness, 'ask' | 'want'> {
  const ask = (recipient: string, amount: bigint) => {
    references += 1
    const body = { chainId: REGTEST, tokenId: TBTC, reference: `coins ${references}` }
    return operator.ask('POST', '/withdrawals', { ...body, recipient, amount: amount.toString() })
  }
  const want = async (recipient: string, amount: bigint) => {
    const answer = await ask(recipient, amount)
    expect([answer.status, answer.json['error']]).toEqual([201, undefined])
    return idIn(answer.json['withdrawal'])
  }
  return { ask, want }
}

function blocksOf(
  inner: WithdrawingWorld,
  hand: BitcoinTestChain['hand'],
): Pick<CoinHarness, 'deposit' | 'mineEmpty' | 'undo' | 'pool'> {
  const { world } = inner
  const mineEmpty = async (blocks = 1) => {
    for (let at = 0; at < blocks; at += 1) await hand.mineExactly([])
    await world.settle()
  }
  return {
    deposit: async (user, ...amounts) => {
      const { address } = await world.issue(user, REGTEST)
      for (const amount of amounts) await hand.pay({ payees: [{ to: address, amount }] })
      await inner.mine(1 + REQUIRED)
      return address
    },
    mineEmpty,
    undo: async (depth) => {
      await hand.undo(depth)
      await mineEmpty(depth + 1)
    },
    pool: () => hand.rpc<string[]>('getrawmempool'),
  }
}

function looks(
  inner: WithdrawingWorld,
  hand: BitcoinTestChain['hand'],
): Omit<CoinHarness, keyof WithdrawingWorld | 'chain' | 'operator' | 'ask' | 'want' | Blocks> {
  const { world } = inner
  return {
    spendOf: (id) => spendOf(inner, id),
    held: async (name) => {
      const script = bitcoinKey(name).script.toString('hex')
      const { unspents } = await hand.rpc<{ unspents: { amount: number }[] }>('scantxoutset', [
        'start',
        [`raw(${script})`],
      ])
      return unspents.map(({ amount }) => BigInt(Math.round(amount * 1e8)))
    },
    available: () => world.balance(TBTC),
    story: async (id) => {
      const told = (await world.events()).filter(({ payload }) => payload['id'] === id)
      return told.map(({ type }) => type.replace('withdrawal.', '')).join(' ')
    },
    coins: () => coinsOfAll(inner),
    forge: (coins, to, fee) => forge(inner, { coins, to, fee }),
    tamper: (statement) =>
      withSession(world.urls.owner, async (session) => {
        await session.script(statement)
      }),
    expectWhole: () => expectWhole(inner),
  }
}

type Blocks = keyof ReturnType<typeof blocksOf>

async function spendOf({ world }: WithdrawingWorld, subjectId: string): Promise<SpendRecord> {
  const { orgId, database } = world
  const spends = await database.transaction((tx) => readSpendsOf(tx, { orgId, subjectId }))
  const [spend, ...others] = spends
  if (spend === undefined || others.length > 0) throw new Error('not exactly one spend')
  return spend
}

async function expectWhole(inner: WithdrawingWorld): Promise<void> {
  const { world } = inner
  expect(await auditLedger(world)).toEqual([])
  expect((await world.audit(REGTEST)).findings).toEqual([])
  const unspent = (await coinsOfAll(inner)).filter(({ spent, block }) => !spent && block)
  const balances = Object.entries(await world.balances())
  const placed = balances.flatMap(([key, amount]) => (key.includes(' place:') ? [amount] : []))
  expect(sum(placed)).toBe(sum(unspent.map(({ amount }) => amount)))
}

function coinsOfAll({ world }: WithdrawingWorld): Promise<OwnCoin[]> {
  return world.database.transaction(async (tx) => {
    const points = await tx.many(sql<{ txnHash: string; vout: number }>`
      select txn_hash as "txnHash", vout from coins order by amount`)
    return coinsAt(tx, { chainId: REGTEST, points })
  })
}

async function forge(
  { world, settlement }: WithdrawingWorld,
  { coins, to, fee }: { coins: readonly OwnCoin[]; to: string; fee: bigint },
): Promise<string> {
  const [entry, adapter] = [world.entry(REGTEST), world.adapter(REGTEST)]
  const { keyring } = world.keys
  const amount = sum(coins.map((coin) => coin.amount)) - fee
  const recipient = parseHolder(REGTEST, to)
  const tokenId = world.catalogue.nativeToken(REGTEST).id
  const intent = { chainId: REGTEST, tokenId, from: settlement, to: recipient, amount, memo: null }
  const terms = { family: 'bip122', perKvb: 1_000n, maxFee: FEE_CAP } as const
  const unsigned = adapter.craft(intent, terms, { kind: 'coins', coins, change: null })
  const signatures = await world.database.transaction((tx) =>
    Promise.all(
      unsigned.digests.map(async (digest, at) => {
        const address = unsigned.signers?.[at] ?? settlement
        const path = await signerPath(tx, world.keys, { entry, address })
        if (path === null) throw new Error('not ours')
        return keyring.sign(derivationOf(entry, path), digest)
      }),
    ),
  )
  return Buffer.from(adapter.combine(unsigned, signatures).raw).toString('hex')
}
