import { expect, test } from 'vitest'
import { parseChain, parseHolder, parseToken } from '../../test/adapters/brands.ts'
import { Outage } from '../base/fault.ts'
import type { Address, BlockRef } from '../chains/port.ts'
import { KnownBalances } from './known-balances.ts'

const TOKEN = parseToken('eip155:97/slip44:714')
const CHAIN = parseChain('eip155:97')
const USERS = Array.from({ length: 200 }, (_, at) =>
  parseHolder(CHAIN, `0x${String(at).padStart(40, '0')}`),
)
const AT: BlockRef = { height: 7, hash: '0x07' }

/** A node of which each twentieth answer fails. */
function errant() {
  let asked = 0
  return {
    asked: () => asked,
    balanceOf: async (address: Address): Promise<bigint> => {
      asked += 1
      if (asked % 20 === 0) throw new Outage('a node', 'answered HTTP 503')
      return BigInt(address)
    },
  }
}

test('a step with many queries succeeds with an unreliable node', async () => {
  const node = errant()
  const known = new KnownBalances()
  const askAll = () =>
    Promise.all(USERS.map((user) => known.ask(node, user, { tokenId: TOKEN, at: AT })))
  let found: readonly (bigint | null)[] = []
  for (let step = 0; found.length === 0 && step < 20; step += 1)
    found = await askAll().catch(() => [])
  expect(found).toEqual(USERS.map((user) => BigInt(user)))
  expect(node.asked()).toBeLessThan(2 * USERS.length)
})

test('balances of one step are queried again by the next', async () => {
  const node = errant()
  const known = new KnownBalances()
  const [user] = USERS
  if (user === undefined) throw new Error('nobody')
  const ask = (at: BlockRef) => known.ask(node, user, { tokenId: TOKEN, at })
  await ask(AT)
  await ask(AT)
  expect(node.asked()).toBe(1)
  await ask({ height: 7, hash: '0x70' })
  expect(node.asked()).toBe(2)
  known.forget()
  await ask(AT)
  expect(node.asked()).toBe(3)
})

test('a state that a node has pruned is queried again', async () => {
  let answers: (bigint | null)[] = [null, 5n]
  const node = { balanceOf: async () => answers.shift() ?? null }
  const known = new KnownBalances()
  const [user] = USERS
  if (user === undefined) throw new Error('nobody')
  const ask = () => known.ask(node, user, { tokenId: TOKEN, at: AT })
  expect([await ask(), await ask()]).toEqual([null, 5n])
  answers = []
  expect(await ask()).toBe(5n)
})
