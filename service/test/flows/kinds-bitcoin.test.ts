import { bitcoinAddress, bitcoinKey } from '@sluice/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { derivationOf, signerPath } from '../../src/accounts/signer-path.ts'
import { bitcoinAddressOf, scriptOf } from '../../src/chains/bitcoin/address.ts'
import { keyHash } from '../../src/chains/bitcoin/hashes.ts'
import { parseHolder } from '../adapters/brands.ts'
import {
  BITCOIN_NODES,
  type BitcoinTestChain,
  bitcoinWorld,
  REGTEST,
  TBTC,
} from '../support/bitcoin-chain.ts'
import type { World } from '../support/world.ts'
import { REQUIRED } from '../support/world-life.ts'

const MATURITY = 100

describe.each(BITCOIN_NODES)('deposits of Bitcoin, on $name', ({ start, isThere }) => {
  describe.runIf(isThere)('of each kind', () => {
    let chain: BitcoinTestChain
    beforeAll(async () => {
      chain = await start()
    })
    afterAll(() => chain.stop())

    const open = async () => {
      const world = await bitcoinWorld(chain)
      const { address: ann } = await world.issue('ann', REGTEST)
      const { address: bob } = await world.issue('bob', REGTEST)
      const confirm = async (blocks = REQUIRED + 1) => {
        await chain.hand.mine(blocks)
        await world.settle()
      }
      return { world, ann, bob, confirm }
    }

    test('each output is a separate deposit, also two outputs to one account [B04]', async () => {
      const { world, ann, bob, confirm } = await open()
      const others = Array.from({ length: 97 }, (_, at) => ({
        to: bitcoinAddress(bitcoinKey(`other ${at}`), chain.hand.kind),
        amount: 1_000n + BigInt(at),
      }))
      const payees = [{ to: ann, amount: 40_000n }, ...others.slice(0, 50)]
      payees.push({ to: bob, amount: 50_000n }, ...others.slice(50), { to: ann, amount: 60_000n })
      const txid = await chain.hand.pay({ payees, fee: 20_000n })
      await confirm()
      expect(await world.deposits()).toMatchObject([
        { txnHash: txid, position: 'out:0', address: ann, amount: 40_000n, status: 'Confirmed' },
        { txnHash: txid, position: 'out:51', address: bob, amount: 50_000n, status: 'Confirmed' },
        { txnHash: txid, position: 'out:99', address: ann, amount: 60_000n, status: 'Confirmed' },
      ])
      expect(await world.balance(TBTC)).toBe(150_000n)
    })

    test('coinbase outputs are credited once they are mature [B05]', async () => {
      const { world, ann, confirm } = await open()
      await chain.hand.mineTo(ann)
      await confirm(REQUIRED + 1)
      expect(await world.deposits()).toMatchObject([
        { position: 'out:0', status: 'Detected', senderAddress: '' },
      ])
      await chain.hand.pay({ payees: [{ to: ann, amount: 40_000n }] })
      await confirm(REQUIRED + 1)
      const statuses = async () => (await world.deposits()).map(({ status }) => status)
      expect(await statuses()).toEqual(['Detected', 'Confirmed'])
      await confirm(MATURITY - 1 - 2 * (REQUIRED + 1))
      expect(await statuses()).toEqual(['Detected', 'Confirmed'])
      await confirm(1)
      expect(await statuses()).toEqual(['Confirmed', 'Confirmed'])
    })

    test('a coinbase deposit whose block leaves the chain is orphaned [B05]', async () => {
      const { world, ann, confirm } = await open()
      await chain.hand.mineTo(ann)
      await confirm(1)
      await chain.hand.reorg(2)
      await confirm(2)
      expect(await world.deposits()).toMatchObject([{ status: 'Orphaned' }])
      expect(await world.balances()).toEqual({})
    })

    test('an output that is worth less than its spending fee is booked as dust [B06]', async () => {
      const { world, ann, bob, confirm } = await open()
      const dust = Array.from({ length: 90 }, (_, at) => ({ to: ann, amount: 1n + BigInt(at % 6) }))
      await chain.hand.pay({ payees: dust, fee: 20_000n, isSent: false })
      await chain.hand.pay({ payees: [{ to: bob, amount: 546n }] })
      await confirm()
      const deposits = await world.deposits()
      const small = deposits.filter(({ address }) => address === ann)
      expect(small).toHaveLength(90)
      expect(small.every(({ status }) => status === 'BelowMinimum')).toBe(true)
      expect(await world.balance(TBTC)).toBe(546n)
      const total = small.reduce((sum, { amount }) => sum + amount, 0n)
      expect(await world.balance(TBTC, 'claim:below_minimum')).toBe(total)
    })

    test('only the exact script of an account pays it [B07]', async () => {
      const { world, ann, confirm } = await open()
      const script = scriptOf(parseHolder(REGTEST, ann), REGTEST)
      const hash = script.subarray(2)
      const push = (bytes: Buffer) => Buffer.concat([Buffer.of(bytes.length), bytes])
      const scripts = [
        // The same hash in a P2PKH, a P2SH, a taproot and a data output.
        Buffer.concat([Buffer.from('76a914', 'hex'), hash, Buffer.from('88ac', 'hex')]),
        Buffer.concat([Buffer.from('a914', 'hex'), hash, Buffer.from('87', 'hex')]),
        Buffer.concat([Buffer.from('5120', 'hex'), hash, Buffer.alloc(12, 2)]),
        Buffer.concat([Buffer.of(0x6a), push(Buffer.from(ann))]),
        Buffer.concat([script, Buffer.of(0x51)]),
        Buffer.concat([Buffer.of(0x51), push(hash)]),
      ].map((one) => ({ value: 30_000n, script: one }))
      await chain.hand.pay({ payees: [], scripts, isSent: false })
      await confirm()
      expect(await world.deposits()).toEqual([])
    })

    test('outputs to other scripts of the key of an account are no deposits [B07]', async () => {
      const { world, ann, confirm } = await open()
      const key = await publicKeyOf(world, ann)
      const other = Buffer.from(bitcoinKey('other').publicKey)
      await chain.hand.pay({
        payees: [],
        scripts: [
          `21${hex(key)}ac`,
          `5121${hex(key)}21${hex(other)}52ae`,
          `a914${hex(keyHash(Buffer.concat([Buffer.of(0, 20), keyHash(key)])))}87`,
          hex(scriptOf(bitcoinAddressOf(key, REGTEST, 'p2tr'), REGTEST)),
          `5120${hex(key.subarray(1))}`,
        ].map(worth),
        isSent: false,
      })
      await confirm()
      expect(await world.deposits()).toEqual([])
      expect(await world.balances()).toEqual({})
    })

    test('a taproot account is paid only by its output key, as taproot [B07]', async () => {
      const world = await bitcoinWorld(chain, { addressType: 'p2tr' })
      const { address } = await world.issue('ann', REGTEST)
      const key = await publicKeyOf(world, address)
      const script = scriptOf(parseHolder(REGTEST, address), REGTEST)
      const outputKey = script.subarray(2)
      const scripts = [
        `0014${hex(keyHash(key))}`,
        `0020${hex(outputKey)}`,
        `5220${hex(outputKey)}`,
        `5120${hex(key.subarray(1))}`,
        `20${hex(outputKey)}ac`,
        hex(script),
      ].map(worth)
      const txnHash = await chain.hand.pay({ payees: [], scripts, isSent: false })
      await chain.hand.mine(REQUIRED + 1)
      await world.settle()
      expect(await world.deposits()).toMatchObject([
        { txnHash, position: 'out:5', address, status: 'Confirmed' },
      ])
    })

    test('a transaction that no block may contain yet is not detected [B08]', async () => {
      const { world, ann, confirm } = await open()
      const height = await chain.hand.rpc<number>('getblockcount')
      const late = chain.hand.sign({
        payees: [{ to: ann, amount: 40_000n }],
        lockTime: height + 5,
        sequence: 0xfffffffe,
      })
      await expect(chain.hand.rpc('sendrawtransaction', [late.hex])).rejects.toThrow('non-final')
      await expect(chain.hand.mineExactly([late.hex])).rejects.toThrow()
      await confirm(2)
      expect(await world.deposits()).toEqual([])
      await confirm(4)
      await chain.hand.mineExactly([late.hex])
      await confirm()
      expect(await world.deposits()).toMatchObject([{ amount: 40_000n, status: 'Confirmed' }])
    })

    test('the sender is recorded when all inputs belong to one address [B15]', async () => {
      const { world, ann, bob, confirm } = await open()
      await chain.hand.pay({ payees: [{ to: ann, amount: 40_000n }] })
      await chain.hand.payTogether({ payees: [{ to: bob, amount: 50_000n }] })
      await confirm()
      const senders = new Map(
        (await world.deposits()).map((one) => [one.address, one.senderAddress]),
      )
      expect(senders.get(parseHolder(REGTEST, ann))).toBe(chain.hand.address)
      expect(senders.get(parseHolder(REGTEST, bob))).toBe('')
    })
  })
})

/** The compressed public key of an account's address. */
async function publicKeyOf(world: World, address: string): Promise<Buffer> {
  const { database, keys } = world
  const owner = { entry: world.entry(REGTEST), address: parseHolder(REGTEST, address) }
  const path = await database.transaction((tx) => signerPath(tx, keys, owner))
  if (path === null) throw new Error('it is no address of ours')
  return Buffer.from(keys.keyring.publicKey(derivationOf(owner.entry, path)))
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

function worth(script: string) {
  return { value: 30_000n, script: Buffer.from(script, 'hex') }
}
