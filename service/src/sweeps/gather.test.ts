import { expect, onTestFinished, test } from 'vitest'
import { CHAIN, TOKEN, openSpendHarness, stranger } from '../../test/support/spend-harness.ts'
import { gatherCandidates, newRound } from './gather.ts'
import { insertWaiting, moveSweep, selectWaiting } from './rows.ts'
import { SWEEP_MOVES } from './sweep.ts'

const FROM = stranger(9)
const DAY_MS = 24 * 3_600_000
/** Two clocks may differ by so much. */
const SKEW_MAX_MS = 5_000

test('an address is not swept for a while after its sweep failed [E23] [O04]', async () => {
  const made = await openSpendHarness('a sweep that failed')
  onTestFinished(() => made.close())
  const { orgId, catalogue } = made
  const { entry } = made.deps
  await made.put(FROM, TOKEN, 100n)
  await made.database.transaction(async (tx) => {
    await insertWaiting(tx, [{ orgId, chainId: CHAIN, tokenId: TOKEN, address: FROM, amount: 1n }])
    const [sweep] = await selectWaiting(tx, { chainId: CHAIN, limit: 1 })
    if (sweep === undefined) throw new Error('nothing waits')
    await moveSweep(tx, { orgId, id: sweep.id, move: SWEEP_MOVES.refuse, cause: 'a test' })
  })
  const gathered = () =>
    made.database.transaction((tx) =>
      gatherCandidates(tx, { catalogue, entry, round: newRound(), demands: [] }),
    )
  expect(await gathered()).toMatchObject([{ address: FROM, isBusy: true }])
  // The scanner, which records failures, may run elsewhere, with a clock that is a little ahead.
  made.harness.clock.set(made.harness.clock.now() - SKEW_MAX_MS)
  expect(await gathered()).toMatchObject([{ address: FROM, isBusy: true }])
  await made.harness.clock.advance(DAY_MS)
  expect(await gathered()).toMatchObject([{ address: FROM, isBusy: false }])
})
