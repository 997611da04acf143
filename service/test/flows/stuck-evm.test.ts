import { expect, test } from 'vitest'
import { readSpendsOf } from '../../src/transactions/core/read.ts'
import { simulatedNode } from '../support/opened-world.ts'
import { randomWallet } from '../support/random-wallet.ts'
import { idIn } from '../support/withdrawal-desk.ts'
import { openWithdrawingWorld } from '../support/withdrawing-world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const AMOUNT = 10n ** 15n
/** Blocks without inclusion after which a transaction is replaced. */
const BUMP_AFTER = 3

test('a stuck payment with a memo is replaced with a higher fee [W18]', async () => {
  const { chain, url } = await simulatedNode()
  const pay = async (to: string, amount: bigint) => chain.pay({ to, amount })
  const mine = async (blocks = 1) => chain.mine(blocks)
  const paying = { id: SEPOLIA, url, pay, mine, settles: 1 + REQUIRED }
  const more = { bumpAfterBlocks: BUMP_AFTER }
  const { world, ...harness } = await openWithdrawingWorld(paying, { more })
  const operator = await harness.colleague('operator')
  const recipient = randomWallet('one with a memo')
  const { json } = await operator.ask('POST', '/withdrawals', {
    chainId: SEPOLIA,
    tokenId: `${SEPOLIA}/slip44:60`,
    amount: `${AMOUNT}`,
    recipient,
    reference: 'stuck',
    memo: 'invoice 7',
  })
  const id = idIn(json['withdrawal'])
  await harness.spend()
  // Blocks follow without the transaction.
  chain.reorg({ depth: 0, extra: BUMP_AFTER })
  await world.settle()
  await harness.spend()
  const { orgId, database } = world
  const [spend] = await database.transaction((tx) => readSpendsOf(tx, { orgId, subjectId: id }))
  expect(spend?.transactions).toHaveLength(2)
  expect(await world.alerts()).toEqual([])
  expect(await harness.conclude(id)).toMatchObject({ status: 'Completed', memo: 'invoice 7' })
  expect(chain.balanceOf(recipient)).toBe(AMOUNT)
})
