import { describe, expect, test } from 'vitest'
import { verifyTokens } from '../../src/catalogue/verify-tokens.ts'
import { holdDeposit, releaseDeposit } from '../../src/deposits/hold.ts'
import { listed, METADATA } from '../support/anvil-chain.ts'
import { simulatedNode } from '../support/opened-world.ts'
import { refusalIn } from '../support/door.ts'
import { openWithdrawingWorld } from '../support/withdrawing-world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7'
const PAID = 60n
/** More than each of the two deposits, less than both. */
const WANTED = 110n

type Settled = Awaited<ReturnType<typeof openWithToken>>

/** How two deposits reach a status in which they are unavailable, and leave it. */
const STATUSES: readonly {
  status: string
  minimum?: bigint
  begin: (harness: Settled) => Promise<void>
  end: (harness: Settled) => Promise<void>
}[] = [
  {
    status: 'Detected',
    begin: ({ mine }) => mine(1),
    end: ({ mine }) => mine(REQUIRED),
  },
  {
    status: 'Held',
    begin: async ({ mine, operate }) => {
      await mine(1)
      await operate(holdDeposit)
      await mine(REQUIRED)
    },
    end: async ({ mine, operate }) => {
      await operate(releaseDeposit)
      await mine(1)
    },
  },
  {
    status: 'BelowMinimum',
    minimum: WANTED,
    begin: ({ mine }) => mine(1 + REQUIRED),
    end: async ({ pay, mine }) => {
      await pay('ann', WANTED)
      await mine(1 + REQUIRED)
    },
  },
]

describe('withdrawals of unavailable deposits', () => {
  test.each(STATUSES)('a withdrawal is rejected when $status [A19]', async (scenario) => {
    const harness = await openWithToken(scenario.minimum ?? 1n)
    const { world, pay, withdraw, token } = harness
    for (const user of ['ann', 'bob']) await pay(user, PAID)
    await scenario.begin(harness)
    const deposits = (await world.deposits()).map(({ status, amount }) => [status, amount])
    expect(deposits).toEqual([1, 2].map(() => [scenario.status, PAID]))
    const told = await world.events()
    for (const amount of [WANTED, 2n * PAID]) {
      expect(refusalIn(await withdraw(amount))).toMatchObject({
        error: 'INSUFFICIENT_BALANCE',
        statusCode: 422,
        details: { available: '0', required: `${amount}` },
      })
    }
    expect(await world.events()).toEqual(told)
    expect(await world.balance(token, 'claim:reserved')).toBe(0n)
    await scenario.end(harness)
    expect(await withdraw(WANTED)).toMatchObject({ status: 201 })
  })
})

/** A service on a simulated chain with gas, and a listed token with a minimum. */
async function openWithToken(minimumAmount: bigint) {
  const { chain, url } = await simulatedNode()
  const contract = chain.deployToken(METADATA)
  const tokens = [listed(SEPOLIA, contract, { minimumAmount })]
  const hand = {
    id: SEPOLIA,
    url,
    pay: async (to: string, amount: bigint) => chain.pay({ to, amount }),
    mine: async (blocks = 1) => chain.mine(blocks),
    settles: 1 + REQUIRED,
  }
  const harness = await openWithdrawingWorld(hand, { tokens })
  const { world } = harness
  const { database, catalogue } = world
  const adapter = world.adapter()
  const chains = { get: () => adapter, all: () => [adapter], close: async () => undefined }
  await verifyTokens({ database, chains }, catalogue)
  const operator = await harness.colleague('operator')
  const [token = ''] = tokens.map(({ id }) => id)
  let references = 0
  return {
    world,
    token,
    mine: (blocks: number) => harness.mine(blocks),
    pay: async (user: string, amount: bigint) => {
      const { address } = await world.issue(user)
      chain.payToken({ to: address, amount, token: contract })
    },
    operate: async (move: typeof holdDeposit) => {
      for (const { id: depositId } of await world.deposits()) {
        const decision = { catalogue, depositId, actor: 'bob', reason: 'looks stolen' }
        await database.transaction((tx) => move(tx, decision))
      }
    },
    withdraw: (amount: bigint) => {
      references += 1
      const body = { chainId: SEPOLIA, tokenId: token, recipient: RECIPIENT, amount: `${amount}` }
      return operator.ask('POST', '/withdrawals', { ...body, reference: `number ${references}` })
    },
  }
}
