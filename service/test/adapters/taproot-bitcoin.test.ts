import {
  BITCOIN_NETWORKS,
  bitcoinAddress,
  type BitcoinKey,
  signBitcoin,
  taprootKey,
} from '@sluice/simulator'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Block, BlockScope } from '../../src/chains/port.ts'
import { type BitcoinWorld, bitcoinWorlds } from './bitcoin-world.ts'

const { kind } = BITCOIN_NETWORKS.regtest
const OURS = taprootKey('ours')
const OTHERS = taprootKey('others')
const ADDRESS = bitcoinAddress(OURS, kind)
const FEE = 1_000n
const VALUE = 20_000n

const NODES = bitcoinWorlds()

describe.each(NODES)('spending without a visible key, on $name', ({ open, isThere }) => {
  // Spent transactions are fetched one by one or, if many, by block.
  test.runIf(isThere)('a transaction that spends our coins is found [B15 W19]', async () => {
    const world = await open()
    onTestFinished(() => world.close())
    const bytes = (address: Uint8Array) => OURS.script.subarray(2).equals(address)
    const mayWatch: NonNullable<BlockScope['mayWatch']> = (one) => one === ADDRESS
    const scope = { tokens: [], mayWatch, mayWatchBytes: bytes }
    for (const strangers of [2, 30]) {
      const { block, txid, before } = await spentBeside(world, strangers, scope)
      expect(block.transactions).toMatchObject([
        { txnHash: txid, succeeded: true, sender: ADDRESS, fee: FEE },
      ])
      expect(block.transactions[0]?.spends).toEqual([{ txnHash: before, vout: strangers }])
      const transfers = block.transfers.map(({ from, to, amount }) => [from, to, amount])
      expect(transfers).toEqual([[ADDRESS, world.hand.address, VALUE - FEE]])
      const query = { hash: block.hash }
      const blind = await world.adapter.blockAt(query, { ...scope, hidesKeys: () => false })
      expect([blind?.transactions, blind?.transfers]).toEqual([[], []])
    }
  })
})

/** A block in which we spend a coin, and as many strangers one of theirs. */
async function spentBeside(
  { hand, adapter }: BitcoinWorld,
  strangers: number,
  scope: BlockScope,
): Promise<{ block: Block; txid: string; before: string }> {
  const keys: BitcoinKey[] = [...Array.from({ length: strangers }, () => OTHERS), OURS]
  const payees = keys.map((key) => ({ to: bitcoinAddress(key, kind), amount: VALUE }))
  const before = await hand.pay({ payees, fee: 20_000n })
  await hand.mine()
  const spent = keys.map((key, vout) => {
    const coins = [{ key, txid: before, vout, value: VALUE }]
    return signBitcoin({
      kind,
      coins,
      payees: [{ to: hand.address, amount: VALUE - FEE }],
      fee: FEE,
    })
  })
  await hand.mineExactly(spent.map(({ hex }) => hex))
  const { head } = await adapter.tip()
  const block = await adapter.blockAt({ height: head.height }, scope)
  if (block === null) throw new Error('no block')
  return { block, before, txid: spent.at(-1)?.txid ?? '' }
}
