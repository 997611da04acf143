import { expect, onTestFinished, test } from 'vitest'
import { payingBy } from '../../chains/chain-adapter.ts'
import { NATIVE, type SpendHarness, openSpendHarness } from '../../../test/support/spend-harness.ts'

const RICH = 10n ** 12n

test('bytes signed while the chain was frozen are sent after the resume [R04]', async () => {
  const made = await harness()
  const handed = handedOver(made)
  const subjectId = await made.reserve(NATIVE, 100n)
  const mandate = made.mandate(subjectId)
  // Frozen by the scanner before the commit of what is signed.
  const sent: typeof mandate.sent = async (tx, spend) => {
    await mandate.sent(tx, spend)
    await made.freeze()
  }
  expect(await made.send({ ...mandate, sent })).toMatchObject({ outcome: 'sent' })
  expect(handed).toEqual([])
  await made.tend()
  expect(handed).toEqual([])
  await made.thaw()
  expect(await made.tend()).toMatchObject({ again: 1 })
  expect(handed).toEqual([(await made.spend(subjectId)).txnHash])
})

test('a freeze during a round stops the following rebroadcasts [R04]', async () => {
  const made = await harness()
  const hashes = await payThree(made)
  for (const hash of hashes) made.chain.drop(hash)
  const handed = handedOver(made, () => made.freeze())
  expect(await made.tend()).toMatchObject({ again: 1 })
  expect(handed).toEqual(hashes.slice(0, 1))
  await made.thaw()
  expect(await made.tend()).toMatchObject({ again: 1 })
  expect(handed).toEqual(hashes.slice(0, 2))
})

test('a freeze during the query of the nodes stops the round [R04]', async () => {
  const made = await harness()
  for (const hash of await payThree(made)) made.chain.drop(hash)
  const handed = handedOver(made)
  const adapter = payingBy(made.deps.adapter, 'nonce')
  const nonces: typeof adapter.nonces = async (address) => {
    await made.freeze()
    return adapter.nonces(address)
  }
  made.deps.adapter = { ...adapter, nonces }
  expect(await made.tend()).toEqual({ again: 0, bumped: 0, filled: 0 })
  expect(handed).toEqual([])
})

async function harness(): Promise<SpendHarness> {
  const made = await openSpendHarness(expect.getState().currentTestName ?? '')
  onTestFinished(() => made.close())
  await made.fund('settlement', NATIVE, RICH)
  await made.fund('gas', NATIVE, RICH)
  return made
}

/** Their hashes, by nonce. */
async function payThree(made: SpendHarness): Promise<string[]> {
  const hashes: string[] = []
  for (let paid = 0; paid < 3; paid += 1) {
    hashes.push((await made.spend((await made.pay()).subjectId)).txnHash)
  }
  return hashes
}

/** From now on: the hashes that nodes are handed, each of which does something to them. */
function handedOver(made: SpendHarness, befalls: () => Promise<void> = async () => undefined) {
  const handed: string[] = []
  const { adapter } = made.deps
  const broadcast: typeof adapter.broadcast = async (raw) => {
    handed.push(adapter.decode(raw).txnHash)
    await befalls()
    return adapter.broadcast(raw)
  }
  made.deps.adapter = { ...adapter, broadcast }
  return handed
}
