import { startFaultProxy } from '@sluice/simulator'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { listOwnAddresses } from '../../src/accounts/own-address.ts'
import { spendRound } from '../../src/app/spend-round.ts'
import { parseToken } from '../adapters/brands.ts'
import { openSpender, withdraw, withdrawalsOf } from '../support/money-world.ts'
import { ETHER, openedWorld, simulatedNode } from '../support/opened-world.ts'
import { randomWallet } from '../support/random-wallet.ts'
import type { World } from '../support/world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const AMOUNT = 10n ** 16n
const HOUR_MS = 3_600_000

test.each(['first', 'second'] as const)(
  'a payment dropped by the %s of two nodes is neither failed nor signed again [N15]',
  async (which) => {
    const { chain, url } = await simulatedNode()
    chain.setFinalizedDistance(null)
    const other = await simulatedNode({ chain })
    const forgetful = await startFaultProxy({ target: other.url, seed: which })
    onTestFinished(() => forgetful.stop())
    const nodes = which === 'first' ? [forgetful.url, url] : [url, forgetful.url]
    const world = await openedWorld([{ id: SEPOLIA, nodes }])
    const lines: string[] = []
    const spender = { ...(await openSpender(world, SEPOLIA, lines)), bumpAfterBlocks: 1_000 }
    await spendRound(spender)
    const own = await world.database.transaction((tx) =>
      listOwnAddresses(tx, { chainId: SEPOLIA, orgId: world.orgId }),
    )
    for (const { address } of own) chain.pay({ to: address, amount: 10n ** 18n })
    chain.mine(1 + REQUIRED)
    await world.settle()
    const recipient = randomWallet('forgotten')
    const wanted = { tokenId: parseToken(ETHER), amount: AMOUNT, recipient, reference: 'one' }
    await withdraw({ world, spender }, wanted)
    await spendRound(spender)
    const before = await signed(world)
    expect(before).toHaveLength(1)
    // One node has dropped the transaction and rejects it, because its pool is full.
    const { rules } = forgetful
    const lost = [
      rules.add({
        match: { method: /^eth_getTransactionBy|^eth_getTransactionReceipt$/ },
        action: { do: 'emptyResult' },
      }),
      rules.add({
        match: { method: 'eth_getTransactionCount' },
        action: { do: 'mutate', change: () => '0x0' },
      }),
      rules.add({
        match: { method: 'eth_sendRawTransaction' },
        action: { do: 'error', code: -32_000, message: 'txpool is full' },
      }),
    ]
    for (let rounds = 0; rounds < 6; rounds += 1) {
      // Blocks follow without the transaction.
      chain.reorg({ depth: 0, extra: 5 })
      await world.settle()
      await spendRound(spender)
      await world.clock.advance(HOUR_MS)
    }
    expect(lost.reduce((hits, rule) => hits + rule.hits, 0)).toBeGreaterThan(0)
    expect(await withdrawalsOf(world)).toMatchObject([{ status: 'Processing' }])
    expect(await signed(world)).toEqual(before)
    chain.mine(1 + REQUIRED)
    await world.settle()
    expect(await withdrawalsOf(world)).toMatchObject([{ status: 'Completed' }])
    expect(chain.balanceOf(recipient)).toBe(AMOUNT)
    expect(await signed(world)).toEqual(before)
    expect((await world.audit()).findings).toEqual([])
  },
)

/** All transactions signed for withdrawals. */
function signed({ database }: World): Promise<{ hash: string; nonce: number }[]> {
  return database.transaction((tx) =>
    tx.many(sql<{ hash: string; nonce: number }>`
      select t.txn_hash as hash, s.nonce
        from spend_transactions t
        join spends s
          on s.org_id = t.org_id
         and s.id = t.spend_id
       where s.purpose = 'withdrawal'
       order by t.txn_hash`),
  )
}
