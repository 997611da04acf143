import { base58Of, startTronNode, type TronChain, type TronNode } from '@sluice/simulator'
import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { derivationOf, signerPath } from '../../src/accounts/signer-path.ts'
import { auditLedger } from '../../src/audit/run.ts'
import { verifyTokens } from '../../src/catalogue/verify-tokens.ts'
import type { Address } from '../../src/chains/port.ts'
import { parseChain, parseToken } from '../adapters/brands.ts'
import { idIn } from './withdrawal-desk.ts'
import { type Colleague, openWithdrawingWorld, type WithdrawingWorld } from './withdrawing-world.ts'

export const SHASTA = parseChain('tron:shasta')
export const COIN = `${SHASTA}/slip44:195`
/** As the catalogue has it. */
export const CONTRACT = 'TG3XXyExBkPp9nzdajDZsozEu4BkaSJozs'
export const USDT = `${SHASTA}/trc20:${CONTRACT}`
export const SOLID_LAG = 18
export const TRX = 1_000_000n
/** Initial balance of settlement account and gas wallet. */
export const FUNDED = 1_000n * TRX
/** Blocks that a transaction's window is long, and some more. */
export const WINDOW_BLOCKS = 230

/** A whole service on a simulated TRON chain, with own addresses that are funded. */
export interface TronHarness extends WithdrawingWorld {
  node: TronNode
  chain: TronChain
  operator: Colleague
}

/** Pays from the settlement account behind the service's back. */
export async function foreign(
  { world, settlement }: TronHarness,
  { to, amount }: { to: Address; amount: bigint },
): Promise<string> {
  const { database, keys } = world
  const [adapter, entry] = [world.adapter(SHASTA), world.entry(SHASTA)]
  const path = await database.transaction((tx) =>
    signerPath(tx, keys, { entry, address: settlement }),
  )
  if (path === null) throw new Error('no settlement account')
  const tokenId = parseToken(COIN)
  const intent = { chainId: SHASTA, tokenId, from: settlement, to, amount, memo: null }
  const caps = { absolute: 100n * TRX, gasLimit: 1n, tokenGasLimit: 1n, relativePercent: null }
  const quote = await adapter.quote(intent, caps)
  if (!quote.ok) throw new Error(quote.message)
  const unsigned = adapter.craft(intent, quote.terms, { kind: 'nonce', nonce: 777 })
  const at = derivationOf(entry, path)
  const signed = adapter.combine(
    unsigned,
    unsigned.digests.map((digest) => keys.keyring.sign(at, digest)),
  )
  await adapter.broadcast(signed.raw)
  return signed.txnHash
}

/** How many transactions were ever signed for a purpose. */
export async function signedFor({ world }: TronHarness, purpose = 'withdrawal'): Promise<number> {
  const { count } = await world.database.transaction((tx) =>
    tx.one(sql<{ count: number }>`
      select count(*)::int as count
        from spend_transactions t
        join spends s
          on s.org_id = t.org_id
         and s.id = t.spend_id
       where s.purpose = ${purpose}`),
  )
  return count
}

/** `before` wraps the URL of the node, for example with a proxy. */
export async function opened(
  before = async (url: string): Promise<string> => url,
): Promise<TronHarness> {
  const node = await startTronNode({ solidLag: SOLID_LAG })
  onTestFinished(() => node.stop())
  const { chain } = node
  chain.deployToken({ name: 'Tether USD', symbol: 'USDT', decimals: 6, address: CONTRACT })
  chain.mine(30)
  const hand = {
    id: SHASTA,
    url: await before(node.url),
    settles: SOLID_LAG + 1,
    blockTime: () => chain.head().time,
    feeCap: 100n * TRX,
    pay: async (to: string, amount: bigint) => chain.pay({ to, amount }),
    mine: async (blocks = 1) => chain.mine(blocks),
  }
  const harness = await openWithdrawingWorld(hand, { wei: FUNDED })
  const { database, catalogue } = harness.world
  const adapter = harness.world.adapter(SHASTA)
  const chains = { get: () => adapter, all: () => [adapter], close: async () => undefined }
  await verifyTokens({ database, chains }, catalogue)
  return { ...harness, node, chain, operator: await harness.colleague('operator') }
}

export async function created(
  { operator }: TronHarness,
  more: Record<string, unknown>,
): Promise<string> {
  const body = { chainId: SHASTA, tokenId: COIN, reference: `${Math.random()}`, ...more }
  const answer = await operator.ask('POST', '/withdrawals', body)
  expect(answer).toMatchObject({ status: 201 })
  return idIn(answer.json['withdrawal'])
}

export async function deposited(harness: TronHarness, user: string, amount: bigint): Promise<void> {
  const { address } = await harness.world.issue(user, SHASTA)
  harness.chain.payToken({ to: address, amount, token: CONTRACT })
  await harness.mine(1 + SOLID_LAG)
}

export function gasOf({ world }: TronHarness): Promise<bigint> {
  return world.balance(COIN, 'claim:gas')
}

/** A contract that is no token. */
export function router({ chain }: TronHarness): string {
  chain.runScript(() => ({}))
  const [id] = [...chain.pool.keys()].slice(-1)
  const value = chain.pool.get(id ?? '')?.value['contract_address']
  return base58Of(String(value))
}

export async function expectWhole({ world }: TronHarness): Promise<void> {
  expect(await auditLedger(world)).toEqual([])
  expect((await world.audit(SHASTA)).findings).toEqual([])
}
