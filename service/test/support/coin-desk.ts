import { sql } from 'kysely'
import { watchAddress } from '../../src/accounts/watch.ts'
import { sum } from '../../src/base/amount.ts'
import { UNLISTED_CHAINS } from '../../src/catalogue/chains.ts'
import { watchScope } from '../../src/catalogue/scope.ts'
import type { Address, Block, BlockRef, Coin, CoinPoint } from '../../src/chains/port.ts'
import { insertOrganization } from '../../src/orgs/rows.ts'
import { ownTransactions, recordOwnTransaction } from '../../src/transactions/core/own.ts'
import { insertSender } from '../../src/transactions/core/sender-rows.ts'
import { coinsOf, freeCoins, unspentOn } from '../../src/transactions/utxo/coin-rows.ts'
import { pointKey } from '../../src/transactions/utxo/coin.ts'
import {
  creditCoins,
  gainCoins,
  loseCoins,
  spendCoins,
} from '../../src/transactions/utxo/follow-coins.ts'
import { releaseCoins } from '../../src/transactions/utxo/reserve-rows.ts'
import { reserveCoins } from '../../src/transactions/utxo/reserve.ts'
import { parseToken } from '../adapters/brands.ts'
import type { TestDatabase } from './database.ts'
import { TRUSTING } from './trusting.ts'

const [REGTEST] = UNLISTED_CHAINS
if (REGTEST === undefined) throw new Error('regtest has left the catalogue')
/** The chain of a desk. */
export const COIN_CHAIN = REGTEST
export const COIN_TOKEN = parseToken(`${REGTEST.id}/slip44:0`)

/** A transaction of a made-up block. */
export interface MadeTransaction {
  txnHash: string
  spends: readonly CoinPoint[]
  outputs: readonly { address: Address; amount: bigint }[]
}

let named = 0

/** A text that no other test of this process has. */
export function fresh(prefix: string): string {
  named += 1
  return `${prefix}${named}`
}

/** An organization with a deposit and a settlement address, and blocks that are made up. */
export class CoinDesk {
  readonly harness: TestDatabase
  readonly orgId: string
  readonly deposits: Address
  readonly settlement: Address

  constructor(harness: TestDatabase, orgId: string) {
    this.harness = harness
    this.orgId = orgId
    this.deposits = address('deposit')
    this.settlement = address('settlement')
  }

  static async open(harness: TestDatabase): Promise<CoinDesk> {
    const orgId = await harness.database.transaction(async (tx) => {
      const id = tx.ids.next()
      const unauthenticated = { signers: 1, humans: 0, mac: new Uint8Array() }
      await insertOrganization(tx, { id, name: fresh('Coins '), ...unauthenticated })
      return id
    })
    const desk = new CoinDesk(harness, orgId)
    await harness.database.transaction(async (tx) => {
      const where = { scope: watchScope(COIN_CHAIN), chainId: COIN_CHAIN.id, orgId }
      const nobody = { accountId: null, externalUserId: '', wallet: 0, index: 0 }
      const deposits = { address: desk.deposits, purpose: 'deposit' } as const
      await watchAddress(tx, TRUSTING, { ...where, ...nobody, ...deposits })
      const own = { ...nobody, address: desk.settlement, purpose: 'settlement' } as const
      await watchAddress(tx, TRUSTING, { ...where, ...own })
      const path = { purpose: 'settlement', walletNumber: 0, pathIndex: 0, nextNonce: 0 } as const
      await insertSender(tx, { chainId: COIN_CHAIN.id, address: desk.settlement, orgId, ...path })
    })
    return desk
  }

  /** An active spend, with a transaction known as ours if one is named. */
  async spend(txnHash: string, nonce: number): Promise<string> {
    const { orgId, settlement } = this
    return this.harness.database.transaction(async (tx) => {
      const id = tx.ids.next()
      const chainId = COIN_CHAIN.id
      await tx.run(sql`
        insert into spends (
               org_id, id, chain_id, purpose, subject_id, sender, nonce, token_id, recipient,
               amount, state, max_fee, txn_hash, created_at, updated_at)
        values (${orgId}, ${id}, ${chainId}, 'withdrawal', ${id}, ${settlement}, ${nonce},
                ${COIN_TOKEN}, 'payee', 1, 'Sent', 1, ${txnHash}, now(), now())`)
      await recordOwnTransaction(tx, { chainId, txnHash, orgId, purpose: 'withdrawal' })
      return id
    })
  }

  /** Makes one more transaction known as ours. */
  async claimHash(txnHash: string): Promise<void> {
    const own = {
      chainId: COIN_CHAIN.id,
      txnHash,
      orgId: this.orgId,
      purpose: 'withdrawal',
    } as const
    await this.harness.database.transaction((tx) => recordOwnTransaction(tx, own))
  }

  async connect(block: Block): Promise<void> {
    await this.harness.database.transaction(async (tx) => {
      const given = { serviceKey: TRUSTING, entry: COIN_CHAIN, blocks: [block] }
      await gainCoins(tx, given, async (hashes) => {
        const own = await ownTransactions(tx, COIN_CHAIN.id, hashes)
        return new Map([...own].map(([hash, { orgId }]) => [hash, orgId]))
      })
      await spendCoins(tx, given)
    })
  }

  async disconnect(block: BlockRef): Promise<void> {
    const given = { entry: COIN_CHAIN, block }
    await this.harness.database.transaction((tx) => loseCoins(tx, given))
  }

  /** Lets an output be spent, as its deposit's credit does. */
  async credit({ txnHash, vout }: CoinPoint): Promise<void> {
    const given = { chainId: COIN_CHAIN.id, arrivals: [{ txnHash, position: `out:${vout}` }] }
    await this.harness.database.transaction((tx) => creditCoins(tx, given))
  }

  async reserve(spendId: string, coins: readonly Coin[]): Promise<void> {
    const given = { orgId: this.orgId, chainId: COIN_CHAIN.id, spendId, coins }
    await this.harness.database.transaction((tx) => reserveCoins(tx, given))
  }

  async release(spendId: string, but: readonly Coin[] = []): Promise<void> {
    const { orgId } = this
    await this.harness.database.transaction((tx) => releaseCoins(tx, { orgId, spendId, but }))
  }

  /** The coins of a spend, as texts. */
  async reservedFor(spendId: string): Promise<string[]> {
    const { orgId } = this
    const coins = await this.harness.database.transaction((tx) => coinsOf(tx, { orgId, spendId }))
    return coins.map(pointKey)
  }

  /** The sum of all unspent coins. */
  async sum(): Promise<bigint> {
    const given = { chainId: COIN_CHAIN.id, addresses: [this.deposits, this.settlement] }
    const coins = await this.harness.database.transaction((tx) => unspentOn(tx, given))
    return sum(coins.map(({ amount }) => amount))
  }

  /** Of the free coins as texts, the largest first. */
  async keys(): Promise<string[]> {
    return (await this.free()).map(pointKey)
  }

  free(): ReturnType<typeof freeCoins> {
    const { orgId } = this
    return this.harness.database.transaction((tx) =>
      freeCoins(tx, { orgId, chainId: COIN_CHAIN.id }),
    )
  }
}

/** A block of these transactions. */
export function blockOf(height: number, transactions: readonly MadeTransaction[]): Block {
  return {
    height,
    hash: fresh('block '),
    parentHash: '',
    time: 0,
    transfers: transactions.flatMap(({ txnHash, outputs }) =>
      outputs.map(({ address: to, amount }, vout) => ({
        txnHash,
        position: `out:${vout}`,
        tokenId: COIN_TOKEN,
        from: '' as const,
        to,
        amount,
        tag: null,
      })),
    ),
    transactions: transactions.map(({ txnHash, spends }) => {
      const outcome = { succeeded: true, sender: address('sender'), nonce: null, fee: 1n }
      return { txnHash, ...outcome, spends }
    }),
  }
}

/** The coin that an output of a made-up transaction is. */
export function coinOf({ txnHash, outputs }: MadeTransaction, vout: number): Coin {
  const output = outputs[vout]
  if (output === undefined) throw new Error(`${txnHash} has no output ${vout}`)
  return { txnHash, vout, ...output }
}

/** A transaction by a stranger that spends a stranger's coins. */
export function outside(outputs: MadeTransaction['outputs']): MadeTransaction {
  return { txnHash: fresh('tx '), spends: [], outputs }
}

/** An unknown address. */
export function stranger(): Address {
  return address('stranger ')
}

function address(prefix: string): Address {
  return fresh(prefix) as Address
}
