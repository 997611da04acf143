import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { setCondition } from '../../src/catalogue/chain-state.ts'
import { sweepsOf } from '../support/money-world.ts'
import { ETHER } from '../support/opened-world.ts'
import { randomWallet } from '../support/random-wallet.ts'
import { openSimulatedHarness } from '../support/simulated-harness.ts'
import { idIn } from '../support/withdrawal-desk.ts'
import type { WithdrawingWorld } from '../support/withdrawing-world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const ONE_ETHER = 10n ** 18n
const DOLLARS = 25_000_000n
const AMOUNT = 10n ** 16n
const SEND = 'eth_sendRawTransaction'
const PAUSE_MS = 16_000

test.each(['frozen', 'halted'] as const)(
  'a %s chain signs and broadcasts nothing, and everything is sent once resumed [R04]',
  async (condition) => {
    const { harness, chain, proxy, token } = await openSimulatedHarness()
    const { world } = harness
    const [ann, bob] = [await world.issue('ann'), await world.issue('bob')]
    // One to be swept directly, and one whose address needs a top-up first.
    chain.pay({ to: ann.address, amount: ONE_ETHER })
    chain.payToken({ to: bob.address, amount: DOLLARS, token })
    await harness.mine(1 + REQUIRED)
    expect((await world.deposits()).map(({ status }) => status)).toEqual(['Confirmed', 'Confirmed'])
    const recipient = randomWallet('recipient')
    const id = await created(harness, recipient)
    await stop(harness, condition)
    const sends = proxy.rules.add({ match: { method: SEND }, action: { do: 'delay', ms: 0 } })
    for (let rounds = 0; rounds < 4; rounds += 1) {
      await harness.spend()
      await harness.mine(1 + REQUIRED)
      await world.clock.advance(PAUSE_MS)
    }
    expect(await signedFor(harness)).toEqual([])
    expect(sends.hits).toBe(0)
    expect(chain.pending).toEqual([])
    expect(await harness.read(id)).toMatchObject({ status: 'Pending', txnHash: null })
    expect((await world.state()).condition).toBe(condition)
    await world.resume()
    await world.settle()
    expect(await harness.conclude(id)).toMatchObject({ status: 'Completed' })
    for (let rounds = 0; rounds < 4; rounds += 1) {
      await world.clock.advance(PAUSE_MS)
      await harness.spend()
      await harness.mine(1 + REQUIRED)
    }
    expect(chain.balanceOf(recipient)).toBe(AMOUNT)
    expect(chain.balanceOf(bob.address, token)).toBe(0n)
    expect(chain.balanceOf(ann.address)).toBeLessThan(ONE_ETHER / 100n)
    const swept = await sweepsOf(world)
    expect(swept.map(({ state }) => state)).toEqual(['Done', 'Done'])
    const purposes = await signedFor(harness)
    expect(new Set(purposes)).toEqual(new Set(['withdrawal', 'sweep', 'top-up']))
    expect(purposes.filter((purpose) => purpose !== 'top-up').toSorted()).toEqual([
      'sweep',
      'sweep',
      'withdrawal',
    ])
    expect((await world.audit()).findings).toEqual([])
  },
)

async function stop({ world }: WithdrawingWorld, condition: 'frozen' | 'halted'): Promise<void> {
  await world.database.transaction((tx) =>
    setCondition(tx, { chainId: SEPOLIA, condition, cause: 'a test' }),
  )
}

async function created(harness: WithdrawingWorld, recipient: string): Promise<string> {
  const operator = await harness.colleague('operator')
  const wanted = { chainId: SEPOLIA, tokenId: ETHER, amount: `${AMOUNT}`, recipient }
  const answer = await operator.ask('POST', '/withdrawals', { ...wanted, reference: 'fresh' })
  expect(answer).toMatchObject({ status: 201 })
  return idIn(answer.json['withdrawal'])
}

/** The signed transactions. */
async function signedFor({ world }: WithdrawingWorld): Promise<string[]> {
  const rows = await world.database.transaction((tx) =>
    tx.many(sql<{ purpose: string }>`
      select s.purpose
        from spend_transactions t
        join spends s
          on s.org_id = t.org_id
         and s.id = t.spend_id`),
  )
  return rows.map(({ purpose }) => purpose)
}
