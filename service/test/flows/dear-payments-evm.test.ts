import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AnvilChain, listed, startAnvilChain } from '../support/anvil-chain.ts'
import { type Colleague, openWithdrawingWorld } from '../support/withdrawing-world.ts'
import { SEPOLIA } from '../support/world-life.ts'

/** Deploys a contract that counts down from 22,272 when it is paid: about 600,000 gas. */
const SLOW = '0x6c6157005b600190038060035700600052600d6013f3'
const AMOUNT = 10n ** 17n

let anvil: AnvilChain
beforeAll(async () => {
  // Keeps gas prices constant.
  anvil = await startAnvilChain(SEPOLIA, ['--base-fee', '0'])
})
afterAll(() => anvil.stop())

test('payments that take much gas get it while the gas wallet has it [W20]', async () => {
  const harness = await openWithdrawingWorld(anvil, {
    tokens: [listed(SEPOLIA, await anvil.create())],
    wei: 3n * AMOUNT,
  })
  const { caps } = harness.spender
  Object.assign(harness.spender, { caps: { ...caps, gasLimit: 1_000_000n } })
  const recipient = await anvil.create(SLOW)
  const operator = await harness.colleague('operator')
  for (let paid = 0; paid < 3; paid += 1) {
    const id = await created(operator, { recipient, reference: `slow ${paid}` })
    expect(await harness.conclude(id)).toMatchObject({ status: 'Completed' })
  }
})

async function created(by: Colleague, body: Record<string, unknown>): Promise<string> {
  const answer = await by.ask('POST', '/withdrawals', {
    chainId: SEPOLIA,
    tokenId: `${SEPOLIA}/slip44:60`,
    amount: AMOUNT.toString(),
    ...body,
  })
  expect(answer).toMatchObject({ status: 201 })
  return String(Object(answer.json['withdrawal']).id)
}
