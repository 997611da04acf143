import { expect, onTestFinished, test } from 'vitest'
import {
  CHAIN,
  NATIVE,
  type SpendHarness,
  openSpendHarness,
} from '../../../test/support/spend-harness.ts'
import { CLAIM, place } from '../../ledger/account.ts'
import { post } from '../../ledger/post.ts'

const RICH = 10n ** 12n
const FEE = 21_000n

test('a transfer in a block is posted even if the ledger placed less there [I4]', async () => {
  const made = await harness()
  const { subjectId } = await made.pay()
  await lose(made, RICH - 100n)
  made.chain.mine()
  await made.follow()
  expect(await made.spend(subjectId)).toMatchObject({ state: 'Included', succeeded: true })
  expect(await made.balance(NATIVE, place('settlement', made.settlement))).toBe(0n)
  expect(await made.balance(NATIVE, CLAIM.unattributed)).toBe(FEE)
  expect(await made.alerts()).toEqual(['ledger.difference'])
})

test('a forgotten replacement with the same payment completes the spend [W25]', async () => {
  const made = await harness()
  const { subjectId } = await made.pay()
  const forgotten = forget(made)
  made.chain.mine()
  await made.follow()
  expect(await made.spend(subjectId)).toMatchObject({ state: 'Included', txnHash: forgotten })
  expect(await made.alerts()).toEqual(['spend.foreign'])
  expect(await made.wrongs()).toEqual([])
  for (let blocks = 0; blocks < 4; blocks += 1) made.chain.mine()
  await made.follow()
  expect(await made.spend(subjectId)).toMatchObject({ state: 'Settled', txnHash: forgotten })
  expect(made.told.at(-1)).toBe(`settled ${subjectId}`)
})

test('a forgotten replacement moved by a reorg is undone and found again [W25]', async () => {
  const made = await harness()
  const { subjectId } = await made.pay()
  forget(made)
  made.chain.mine()
  await made.follow()
  made.chain.undo(1)
  made.chain.mine(() => false)
  await made.follow()
  expect(await made.spend(subjectId)).toMatchObject({ state: 'Sent' })
  made.chain.mine()
  await made.follow()
  expect(await made.spend(subjectId)).toMatchObject({ state: 'Included' })
  expect(await made.wrongs()).toEqual([])
})

/** A reorg took back what had filled the settlement account, and on the chain it is there. */
async function lose(made: SpendHarness, amount: bigint): Promise<void> {
  const credit = place('settlement', made.settlement)
  await made.database.transaction(async (tx) => {
    const whose = { orgId: made.orgId, chainId: CHAIN, tokenId: NATIVE, blockHeight: null }
    const referenceId = tx.ids.next()
    const lost = { ...whose, referenceId, debit: CLAIM.available, credit, amount }
    await post(tx, [{ ...lost, reason: 'a test', reversal: true }])
  })
}

/** The pool has the payment under another hash, as after a bump that a restored harness forgot. */
function forget(made: SpendHarness): string {
  const [known] = [...made.chain.pool.values()]
  if (known === undefined) throw new Error('the pool is empty')
  made.chain.pool.delete(known.txnHash)
  made.chain.pool.set('0xforgotten', { ...known, txnHash: '0xforgotten' })
  return '0xforgotten'
}

async function harness(): Promise<SpendHarness> {
  const made = await openSpendHarness(expect.getState().currentTestName ?? '')
  onTestFinished(() => made.close())
  await made.fund('settlement', NATIVE, RICH)
  await made.fund('gas', NATIVE, RICH)
  return made
}
