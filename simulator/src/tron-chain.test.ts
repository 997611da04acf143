import { describe, expect, test } from 'vitest'
import { TronChain } from './tron-chain.ts'
import { tronWallet } from './tron/wallet.ts'

const TRX = 1_000_000n
const ann = tronWallet('ann')
const ben = tronWallet('ben')

describe('coins that do not suffice for a payment and its bandwidth together', () => {
  test('are refused at the broadcast', () => {
    const chain = opened()
    expect(() =>
      chain.pay({ to: ben.address, amount: chain.balance(ann.address) - 1_000n }, ann),
    ).toThrow('CONTRACT_VALIDATE_ERROR')
  })

  test('leave the payment out of the block, where a reorg took some of them', () => {
    const chain = opened()
    chain.pay({ to: ann.address, amount: TRX })
    chain.mine()
    const amount = chain.balance(ann.address) - TRX - 1_000n
    const id = chain.pay({ to: ben.address, amount }, ann)
    chain.reorg({ depth: 1, keep: new Map([[id, chain.head().height + 1]]) })
    const { height } = chain.head()
    chain.mine(2)
    expect([chain.head().height, chain.blockOf(id), chain.pool.size]).toEqual([height + 2, null, 0])
  })
})

describe('a chain that is made again from what was saved of it', () => {
  test('lets an address hold what it was given by hand, and pays on from there', () => {
    const chain = opened()
    chain.endow(ann.address, 0n)
    chain.mine()
    chain.pay({ to: ann.address, amount: 7n * TRX })
    chain.mine()
    const again = new TronChain()
    again.replay(JSON.parse(JSON.stringify(chain.saved())))
    expect(again.head().id).toBe(chain.head().id)
    expect([chain, again].map((one) => one.balance(ann.address))).toEqual([7n * TRX, 7n * TRX])
    // And so it does after the next start too.
    expect(again.saved()).toEqual(chain.saved())
  })
})

/** A chain on which Ann has used up what bandwidth is free. */
function opened(): TronChain {
  const chain = new TronChain()
  for (const { address } of [ann, ben]) chain.pay({ to: address, amount: 100n * TRX })
  chain.mine()
  for (let paid = 1n; paid <= 3n; paid += 1n) {
    chain.pay({ to: ben.address, amount: paid }, ann)
    chain.mine()
  }
  return chain
}
