import { describe, expect, test } from 'vitest'
import { TronChain } from './tron-chain.ts'
import { answerTron } from './tron-node.ts'
import { hex41Of } from './tron/base58.ts'
import { tronWallet } from './tron/wallet.ts'

const TRX = 1_000_000n
const ann = tronWallet('ann')
const ben = tronWallet('ben')
const cat = tronWallet('cat')

describe('coins that do not suffice for a payment and its bandwidth together', () => {
  test('coins short of the bandwidth are refused at the broadcast', () => {
    const chain = opened()
    expect(() =>
      chain.pay({ to: ben.address, amount: chain.balance(ann.address) - 1_000n }, ann),
    ).toThrow('CONTRACT_VALIDATE_ERROR')
  })

  test('a payment stays out of the block when a reorg took some of its coins', () => {
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

describe('a restored chain', () => {
  test('a restored chain keeps a balance set by hand, and pays from it', () => {
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

describe('a broadcast transaction', () => {
  const read = (chain: TronChain, path: string, body: object) =>
    JSON.parse(answerTron(chain, path, JSON.stringify(body)).body)
  const balances = (chain: TronChain) =>
    ['wallet', 'walletsolidity'].map(
      (side) => read(chain, `/${side}/getaccount`, { address: cat.hex }).balance,
    )

  test('a broadcast transaction shows in the pending account, later in the solid one', () => {
    const chain = opened()
    const { height } = chain.head()
    chain.pay({ to: cat.address, amount: 5n * TRX })
    expect(read(chain, '/wallet/getnowblock', {}).block_header.raw_data.number).toBe(height)
    expect(balances(chain)).toEqual([5_000_000, undefined])
    chain.mine(chain.solidLag)
    expect(balances(chain)).toEqual([5_000_000, undefined])
    chain.mine()
    expect(balances(chain)).toEqual([5_000_000, 5_000_000])
  })

  test('a broadcast transaction shows at once in calls of its token', () => {
    const chain = opened()
    const token = chain.deployToken({ name: 'Test', symbol: 'T', decimals: 6 })
    chain.mine(chain.solidLag)
    const call = {
      owner_address: ben.hex,
      contract_address: hex41Of(token),
      function_selector: 'balanceOf(address)',
      parameter: ben.hex.slice(2).padStart(64, '0'),
    }
    const held = (side: string) =>
      BigInt(`0x${read(chain, `/${side}/triggerconstantcontract`, call).constant_result[0]}`)
    chain.payToken({ to: ben.address, amount: 7n, token })
    expect([held('wallet'), held('walletsolidity')]).toEqual([7n, 0n])
  })

  test('a broadcast transaction is refused if the pool leaves too little for it', () => {
    const chain = opened()
    const amount = chain.balance(ann.address) - 5n * TRX
    chain.pay({ to: ben.address, amount }, ann)
    expect(() => chain.pay({ to: ben.address, amount }, ann)).toThrow('CONTRACT_VALIDATE_ERROR')
  })
})
