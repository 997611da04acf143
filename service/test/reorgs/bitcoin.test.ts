import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bitcoinKey, startBitcoinNode } from '@sluice/simulator'
import { networks, payments, Transaction } from 'bitcoinjs-lib'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { scriptOf } from '../../src/chains/bitcoin/address.ts'
import { parseHolder } from '../adapters/brands.ts'
import {
  BITCOIN_NODES,
  type BitcoinTestChain,
  bitcoinWorld,
  handOf,
  REGTEST,
  TBTC,
} from '../support/bitcoin-chain.ts'
import type { World } from '../support/world.ts'
import { REQUIRED } from '../support/world-life.ts'

describe.each(BITCOIN_NODES)('reorgs of Bitcoin, on $name', ({ start, isThere }) => {
  describe.runIf(isThere)('follow', () => {
    let chain: BitcoinTestChain
    beforeAll(async () => {
      chain = await start()
    })
    afterAll(() => chain.stop())

    const open = async () => {
      const world = await bitcoinWorld(chain)
      const { address } = await world.issue('ann', REGTEST)
      await chain.hand.mine(5)
      await world.settle()
      return { world, address }
    }
    const pay = (to: string, amount: bigint) => chain.hand.pay({ payees: [{ to, amount }] })

    test('a pending or replaced payment is not detected [B01]', async () => {
      const { world, address } = await open()
      const first = await pay(address, 50_000n)
      await world.settle()
      expect(await world.deposits()).toEqual([])
      const other = await chain.hand.pay({
        payees: [{ to: chain.hand.address, amount: 50_000n }],
        instead: first,
        fee: 20_000n,
      })
      expect(await chain.hand.rpc('getrawmempool')).toEqual([other])
      await chain.hand.mine(REQUIRED + 1)
      await world.settle()
      expect(await world.deposits()).toEqual([])
      expect(await told(world)).toEqual([])
    })

    test('a deposit whose block vanishes before its credit is orphaned [R01]', async () => {
      const { world, address } = await open()
      await pay(address, 50_000n)
      await chain.hand.mine(REQUIRED)
      await world.settle()
      expect(await world.balances()).toEqual({
        [`${TBTC} claim:unconfirmed`]: 50_000n,
        [`${TBTC} place:deposits:${address}`]: 50_000n,
      })
      await chain.hand.reorg(REQUIRED)
      await chain.hand.mine()
      await world.settle()
      expect(await world.deposits()).toMatchObject([{ amount: 50_000n, status: 'Orphaned' }])
      expect(await world.balances()).toEqual({})
      expect(await told(world)).toEqual(['deposit.detected', 'deposit.reverted'])
      expect((await world.state(REGTEST)).condition).toBe('running')
    })

    test('a transaction in another block is one deposit and one credit [B02 R02]', async () => {
      const { world, address } = await open()
      const txid = await pay(address, 50_000n)
      await chain.hand.mine(REQUIRED - 1)
      await world.settle()
      const [before] = await world.deposits()
      await chain.hand.reorgKeeping(REQUIRED - 1, txid)
      await chain.hand.mine()
      await world.settle()
      const [after, ...others] = await world.deposits()
      expect(others).toEqual([])
      expect(after).toMatchObject({ id: before?.id, status: 'Detected' })
      expect(after?.block.hash).not.toBe(before?.block.hash)
      await chain.hand.mine(REQUIRED)
      await world.settle()
      expect(await world.deposits()).toMatchObject([{ id: before?.id, status: 'Confirmed' }])
      expect(await world.balance(TBTC)).toBe(50_000n)
      expect(await told(world)).toEqual([
        'deposit.detected',
        'deposit.reverted',
        'deposit.detected',
        'deposit.confirmed',
        'balance.updated',
      ])
    })

    test('the twin that stays in the chain is credited once [B09]', async () => {
      const { world, address } = await open()
      const [first, twin] = await twinsOf(chain, address)
      await chain.hand.mineExactly([first?.hex ?? ''])
      await world.settle()
      expect(await world.deposits()).toMatchObject([{ txnHash: first?.txid, status: 'Detected' }])
      await chain.hand.undo(1)
      await chain.hand.mineExactly([twin?.hex ?? ''])
      await chain.hand.mine(REQUIRED + 1)
      await world.settle()
      const status = new Map((await world.deposits()).map((one) => [one.txnHash, one.status]))
      expect(Object.fromEntries(status)).toEqual({
        [first?.txid ?? '']: 'Orphaned',
        [twin?.txid ?? '']: 'Confirmed',
      })
      expect(await world.balance(TBTC)).toBe(40_000n)
    })

    test('a credit that a longer branch double-spends freezes the chain [B03 R04]', async () => {
      const { world, address } = await open()
      const first = await pay(address, 50_000n)
      await chain.hand.mine(REQUIRED + 1)
      await world.settle()
      expect(await world.balance(TBTC)).toBe(50_000n)
      await chain.hand.undo(REQUIRED + 1)
      const rival = chain.hand.sign({
        payees: [{ to: chain.hand.address, amount: 50_000n }],
        instead: first,
        fee: 20_000n,
      })
      await chain.hand.mineExactly([rival.hex])
      await chain.hand.mine(REQUIRED + 1)
      await world.settle()
      expect(await world.deposits()).toMatchObject([{ status: 'Orphaned' }])
      expect(await world.balances()).toEqual({})
      expect((await world.state(REGTEST)).condition).toBe('frozen')
      const [reverted] = await world.events('deposit.reverted')
      expect(reverted?.payload).toMatchObject({ previousStatus: 'Confirmed', txnHash: first })
    })

    test('a reorg while the service is down is undone at start [R05]', async () => {
      const { world, address } = await open()
      const moved = await pay(address, 50_000n)
      const lost = await pay(address, 70_000n)
      await chain.hand.mine(REQUIRED - 1)
      await world.settle()
      expect(await world.deposits()).toHaveLength(2)
      await chain.hand.reorgKeeping(REQUIRED - 1, moved)
      await chain.hand.mine(REQUIRED + 1)
      await world.restart()
      await world.settle()
      const status = new Map((await world.deposits()).map((one) => [one.txnHash, one.status]))
      expect(Object.fromEntries(status)).toEqual({ [moved]: 'Confirmed', [lost]: 'Orphaned' })
      expect(await world.balances()).toEqual({
        [`${TBTC} claim:available`]: 50_000n,
        [`${TBTC} place:deposits:${address}`]: 50_000n,
      })
    })

    test('alternating branches leave one deposit and one credit [R07]', async () => {
      const { world, address } = await open()
      const txid = await pay(address, 50_000n)
      await chain.hand.mine(2)
      await world.settle()
      const [first] = await world.deposits()
      const here = await chain.hand.undo(2)
      await chain.hand.mineExactly([])
      await chain.hand.mineExactly([txid])
      const there = await chain.hand.rpc<string>('getblockhash', [
        (await chain.hand.rpc<number>('getblockcount')) - 1,
      ])
      for (let turns = 0; turns < 6; turns += 1) {
        await world.settle()
        const [shunned, taken] = turns % 2 === 0 ? [there, here] : [here, there]
        await chain.hand.rpc('invalidateblock', [shunned])
        await chain.hand.rpc('reconsiderblock', [taken])
      }
      await chain.hand.mine(REQUIRED + 1)
      await world.settle()
      expect(await world.deposits()).toMatchObject([{ id: first?.id, status: 'Confirmed' }])
      expect(await world.balance(TBTC)).toBe(50_000n)
      expect(await world.events('deposit.confirmed')).toHaveLength(1)
    })

    test('a rescan of known blocks changes nothing [N10]', async () => {
      const { world, address } = await open()
      await pay(address, 50_000n)
      await chain.hand.mine(REQUIRED + 1)
      await world.settle()
      const before = [await world.deposits(), await world.balances(), await told(world)]
      const { tip } = await world.state(REGTEST)
      await world.rescan(tip.height - REQUIRED, tip.height, REGTEST)
      await world.settle()
      expect([await world.deposits(), await world.balances(), await told(world)]).toEqual(before)
    })
  })
})

test('a payment that the pool dropped is one deposit once it is included [B10]', async () => {
  const node = await startBitcoinNode({ seed: 10, network: 'regtest' })
  const chain = await handOf(node.url, () => node.stop())
  onTestFinished(() => chain.stop())
  const world = await bitcoinWorld(chain)
  const { address } = await world.issue('ann', REGTEST)
  const txid = await chain.hand.pay({ payees: [{ to: address, amount: 50_000n }] })
  const expectNothing = async () => {
    await world.settle()
    expect(await world.deposits()).toEqual([])
    expect(await world.balances()).toEqual({})
    expect(await told(world)).toEqual([])
  }
  await chain.hand.mineExactly([])
  await expectNothing()
  node.chain.pool.remove(txid)
  expect(await chain.hand.rpc('getrawmempool')).toEqual([])
  await chain.hand.mineExactly([])
  await expectNothing()
  await world.restart()
  await expectNothing()
  await chain.hand.mineExactly([txid])
  await chain.hand.mineExactly([])
  await chain.hand.mine(REQUIRED)
  await world.settle()
  expect(await world.deposits()).toMatchObject([
    { txnHash: txid, amount: 50_000n, status: 'Confirmed' },
  ])
  expect(await world.balance(TBTC)).toBe(50_000n)
  expect(await told(world)).toEqual(['deposit.detected', 'deposit.confirmed', 'balance.updated'])
})

/**
 * A payment from a legacy output, and the same with a malleated signature: both are valid, with
 * different ids, since the id covers the signature.
 */
async function twinsOf({ hand }: BitcoinTestChain, to: string) {
  const { secret, publicKey: pubkey } = bitcoinKey('old kind')
  const { address = '', output } = payments.p2pkh({ pubkey, network: networks.regtest })
  if (output === undefined) throw new Error('no script')
  const txid = await hand.pay({ payees: [{ to: address, amount: 50_000n }] })
  await hand.mine()
  const transaction = new Transaction()
  transaction.addInput(Buffer.from(txid, 'hex').reverse(), 0)
  transaction.addOutput(scriptOf(parseHolder(REGTEST, to), REGTEST), 40_000n)
  const digest = transaction.hashForSignature(0, output, Transaction.SIGHASH_ALL)
  const bytes = secp256k1.sign(digest, secret, { prehash: false })
  const { r, s } = secp256k1.Signature.fromBytes(bytes)
  return [s, secp256k1.Point.Fn.ORDER - s].map((value) => {
    const der = new secp256k1.Signature(r, value).toBytes('der')
    const pushes = [der.length + 1, ...der, Transaction.SIGHASH_ALL, pubkey.length, ...pubkey]
    transaction.setInputScript(0, Buffer.from(pushes))
    return { txid: transaction.getId(), hex: transaction.toHex() }
  })
}

async function told(world: World): Promise<string[]> {
  const events = await world.events()
  return events.map(({ type }) => type).filter((type) => type !== 'account.created')
}
