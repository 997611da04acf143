import { bitcoinKey } from '@sluice/simulator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChainAdapter } from '../../src/chains/chain-adapter.ts'
import type { Address } from '../../src/chains/port.ts'
import { coinTermsOf } from '../../src/chains/spending.ts'
import { parseHolder } from '../adapters/brands.ts'
import { type BitcoinTestChain, startSimulatedBitcoin } from '../support/bitcoin-chain.ts'
import { openCoinHarness, setPrice, stranger } from '../support/coin-harness.ts'

type Craft = ChainAdapter['craft']

/** Blocks without inclusion after which a transaction is replaced. */
const BUMP_AFTER = 3

let chain: BitcoinTestChain
beforeAll(async () => {
  chain = await startSimulatedBitcoin()
})
afterAll(() => chain?.stop())

/** Changes of the bytes to be signed, and the alert about each. */
const CRAFTS: readonly [string, string, (craft: Craft, thief: Address) => Craft][] = [
  [
    'another recipient',
    'signer.refused',
    (craft, to) =>
      (intent, ...more) => {
        const payees = intent.payees?.map((payee) => ({ ...payee, to }))
        return craft({ ...intent, to, ...(payees && { payees }) }, ...more)
      },
  ],
  [
    'another change address',
    'signer.refused',
    (craft, address) => (intent, terms, reservation) => {
      if (reservation.kind !== 'coins' || reservation.change === null) throw new Error('no change')
      const change = { ...reservation.change, address }
      return craft(intent, terms, { ...reservation, change })
    },
  ],
  [
    'a higher fee',
    'spend.mismatch',
    (craft) => (intent, terms, reservation) => {
      if (reservation.kind !== 'coins' || reservation.change === null) throw new Error('no change')
      const change = { ...reservation.change, amount: reservation.change.amount - 1n }
      return craft(intent, { ...coinTermsOf(terms), maxFee: 100_000n }, { ...reservation, change })
    },
  ],
]

test('bytes with another recipient, change or fee are not sent [A13]', async () => {
  const harness = await openCoinHarness(chain)
  await harness.deposit('ann', 90_000n)
  const id = await harness.want(stranger('ann', chain), 30_000n)
  const { adapter } = harness.spender
  const thief = parseHolder(chain.id, stranger('thief', chain))
  const craft: Craft = (...args) => adapter.craft(...args)
  for (const [name, alert, change] of CRAFTS) {
    harness.spender.adapter = { ...adapter, craft: change(craft, thief) }
    await harness.spend()
    expect(await harness.pool()).toEqual([])
    expect((await harness.read(id)).status).toBe('Pending')
    const codes = (await harness.world.alerts()).map(({ code }) => code)
    expect([name, codes]).toEqual([name, [alert]])
    expect((await harness.coins()).filter(({ spendId }) => spendId !== null)).toEqual([])
    await harness.tamper(`
      update senders set halted_at = null, halted_cause = '';
      update alerts set resolved_at = now()`)
  }
})

test.each(['recipient', 'bytes'])(
  'a payment whose stored %s was changed is not replaced [A13]',
  async (what) => {
    const harness = await openCoinHarness(chain, { bumpAfterBlocks: BUMP_AFTER })
    await harness.deposit('ann', 90_000n)
    const id = await harness.want(stranger('ann', chain), 30_000n)
    await harness.spend()
    const { id: spendId, transactions } = await harness.spendOf(id)
    const thief = stranger('thief', chain)
    await harness.tamper(
      `update spend_subjects set recipient = '${thief}' where spend_id = '${spendId}'`,
    )
    if (what === 'bytes') {
      const [from, to] = ['ann', 'thief'].map((name) => bitcoinKey(name).script)
      const raw = Buffer.from(transactions[0]?.raw ?? [])
      const at = raw.indexOf(from ?? '')
      raw.set(to ?? [], at)
      const { txnHash } = harness.spender.adapter.decode(raw)
      await harness.tamper(`
        alter table transaction_coins drop constraint transaction_coins_chain_id_txn_hash_fkey;
        update spend_transactions set raw = '\\x${raw.toString('hex')}', txn_hash = '${txnHash}';
        update transaction_coins set txn_hash = '${txnHash}';
        update spends set txn_hash = '${txnHash}'`)
    }
    await harness.mineEmpty(BUMP_AFTER)
    await harness.spend()
    expect((await harness.spendOf(id)).transactions).toHaveLength(1)
    expect((await harness.world.alerts()).map(({ code }) => code)).toEqual(['spend.mismatch'])
    await harness.mine(4)
    expect(await harness.held('thief')).toEqual([])
  },
)

test('an output of a stuck payment released in the database is spent once [B12]', async () => {
  const harness = await openCoinHarness(chain, { bumpAfterBlocks: BUMP_AFTER })
  await harness.deposit('ann', 160_000n, 158_000n, 157_900n)
  const id = await harness.want(stranger('let go', chain), 317_600n)
  await harness.spend()
  await harness.tamper('update coins set spend_id = null where amount = 158000')
  setPrice(harness, 5_000n)
  await harness.mineEmpty(BUMP_AFTER)
  await harness.spend()
  const { id: spendId, transactions } = await harness.spendOf(id)
  expect(transactions).toHaveLength(2)
  const held = (await harness.coins()).filter((coin) => coin.spendId === spendId)
  const amounts = new Set(held.map(({ amount }) => amount))
  expect(amounts).toEqual(new Set([160_000n, 158_000n, 157_900n]))
  expect((await harness.conclude(id)).status).toBe('Completed')
  await harness.expectWhole()
})

test('a paid withdrawal is not paid again without its first transaction [A13 W01]', async () => {
  const harness = await openCoinHarness(chain, { bumpAfterBlocks: BUMP_AFTER })
  await harness.deposit('ann', 100_200n, 60_000n)
  const id = await harness.want(stranger('paid before', chain), 100_000n)
  await harness.spend()
  setPrice(harness, 5_000n)
  await harness.mineEmpty(BUMP_AFTER)
  await harness.spend()
  const { id: spendId, transactions } = await harness.spendOf(id)
  const [first, second] = transactions
  await chain.hand.mineExactly([Buffer.from(first?.raw ?? []).toString('hex')])
  await harness.mineEmpty(BUMP_AFTER)
  expect((await harness.read(id)).status).toBe('Completed')
  await harness.deposit('ben', 200_000n)
  // Only the replacement spends the other output; the output that both need is lost.
  await harness.tamper(`
    alter table spend_transactions disable trigger user;
    delete from transaction_coins where txn_hash = '${first?.txnHash}';
    delete from spend_transactions where txn_hash = '${first?.txnHash}';
    update spend_transactions set number = 1;
    update spends
       set state = 'Sent', txn_hash = '${second?.txnHash}', succeeded = null, fee = null,
           block_height = null, block_hash = null, block_rank = null, settled_at = null;
    update coins
       set block_height = null, block_hash = null, lost_height = 1, spendable = false,
           spent_height = null, spent_hash = null, spent_by = null, spend_id = '${spendId}'
     where amount = 100200`)
  await harness.mineEmpty(BUMP_AFTER)
  await harness.spend()
  expect((await harness.spendOf(id)).transactions).toHaveLength(1)
  expect((await harness.world.alerts()).map(({ code }) => code)).toContain('spend.stuck')
  await harness.mine()
  expect(await harness.held('paid before')).toEqual([100_000n])
})
