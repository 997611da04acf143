import { signXrpl, startXrplNode, type XrplNode, type XrplWallet } from '@sluice/simulator'
import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { parseChain } from '../adapters/brands.ts'
import { idIn } from './withdrawal-desk.ts'
import { type Colleague, openWithdrawingWorld, type WithdrawingWorld } from './withdrawing-world.ts'

export const LEDGER = parseChain('xrpl:testnet')
export const XRP_COIN = `${LEDGER}/slip44:144`
/** Initial drops of the base account, from its organization and from a user. */
const [APART, DEPOSITED] = [50_000_000n, 200_000_000n]
const ROUNDS_MAX = 5

/** A whole service on a simulated XRP Ledger, its base account ready and holding money. */
export interface XrplHarness extends WithdrawingWorld {
  node: XrplNode
  operator: Colleague
}

/** The proxy of the node. */
type Before = (url: string) => Promise<string>
const nothing: Before = async (url) => url

/** Opens one whose base account was never funded. */
export async function openUnfunded(before = nothing): Promise<XrplHarness> {
  const node = await startXrplNode()
  onTestFinished(() => node.stop())
  const { chain } = node
  chain.close(3)
  const hand = {
    id: LEDGER,
    url: await before(node.url),
    settles: 1,
    feeCap: 1_000_000n,
    pay: async (to: string, amount: bigint) => chain.pay({ to, amount }),
    mine: async (ledgers = 1) => chain.close(ledgers),
  }
  const harness = await openWithdrawingWorld(hand, { wei: 0n })
  return { ...harness, node, operator: await harness.colleague('operator') }
}

/** Opens one whose base account has taken a deposit. */
export async function openXrplHarness(before = nothing): Promise<XrplHarness> {
  const harness = await openUnfunded(before)
  const { node, world, settlement: to } = harness
  node.chain.pay({ to, amount: APART })
  await harness.mine(2)
  await becomeReady(harness)
  const tag = (await world.issue('ann', LEDGER)).destinationTag ?? 0
  node.chain.pay({ to, amount: DEPOSITED, tag })
  await harness.mine(2)
  expect(await world.balance(XRP_COIN)).toBeGreaterThanOrEqual(DEPOSITED)
  return harness
}

/** Rounds and ledgers until the base account refuses payments without a tag. */
async function becomeReady(harness: XrplHarness): Promise<void> {
  for (let rounds = 0; rounds < ROUNDS_MAX; rounds += 1) {
    await harness.spend()
    await harness.mine(2)
  }
  expect((await harness.world.alerts()).map(({ code }) => code)).not.toContain('account.not_ready')
}

/** Asks for a withdrawal of drops, as a person does at the door; one signer is enough. */
export async function asked(
  { operator }: XrplHarness,
  wanted: { recipient: string; amount: bigint; memo?: string },
): Promise<string> {
  const body = { chainId: LEDGER, tokenId: XRP_COIN, reference: wanted.recipient, ...wanted }
  const answer = await operator.ask('POST', '/withdrawals', { ...body, amount: `${wanted.amount}` })
  expect(answer).toMatchObject({ status: 201 })
  return idIn(answer.json['withdrawal'])
}

/** An action of a wallet's holder, in the next ledger. */
export async function deed(
  harness: XrplHarness,
  wallet: XrplWallet,
  fields: Record<string, unknown>,
): Promise<void> {
  const { chain } = harness.node
  const whole = { ...chain.fieldsFor(wallet.address), ...fields }
  const { result } = chain.submit(signXrpl(whole, wallet))
  expect(result).toBe('tesSUCCESS')
  await harness.mine()
}

/** A payment as it was signed. */
interface SignedPayment {
  txnHash: string
  /** No later one can have it. */
  lastLedger: number
  /** Drops that it burns. */
  fee: bigint
}

/** All that was ever signed to pay withdrawals, in its order. */
export function signedPayments({ world }: XrplHarness): Promise<SignedPayment[]> {
  return world.database.transaction((tx) =>
    tx.many(sql<SignedPayment>`
      select t.txn_hash as "txnHash",
             (t.terms ->> 'lastLedger')::int as "lastLedger",
             t.max_fee as "fee"
        from spend_transactions t
        join spends s
          on s.org_id = t.org_id
         and s.id = t.spend_id
       where s.purpose = 'withdrawal'
       order by t.number`),
  )
}
