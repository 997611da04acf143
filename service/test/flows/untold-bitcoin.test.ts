import { secp256k1 } from '@noble/curves/secp256k1.js'
import {
  type BitcoinKey,
  bitcoinBytes,
  bitcoinKey,
  bitcoinTxid,
  type KeyCoin,
  type Payee,
  readBitcoinTransaction,
  scriptOfAddress,
  signBitcoin,
  witnessDigest,
} from '@sluice/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { derivationOf, signerPath } from '../../src/accounts/signer-path.ts'
import type { OwnCoin } from '../../src/transactions/utxo/coin.ts'
import { BITCOIN_NODES, type BitcoinTestChain, REGTEST } from '../support/bitcoin-chain.ts'
import { type CoinHarness, openCoinHarness, stranger } from '../support/coin-harness.ts'

/** Spendable by all: OP_1, without a witness. */
const BARE: BitcoinKey = { ...bitcoinKey('nobody'), script: Buffer.of(0x51) }
/** More scripts of any length than a node is queried for. */
const MANY = 120
const VALUE = 20_000n

describe.each(BITCOIN_NODES)('Bitcoin inputs without a known sender, on $name', (node) => {
  describe.runIf(node.isThere)('in blocks', () => {
    let chain: BitcoinTestChain
    let harness: CoinHarness
    beforeAll(async () => {
      chain = await node.start()
      harness = await openCoinHarness(chain, { isKept: true })
    })
    afterAll(async () => {
      await harness?.close()
      await chain?.stop()
    })

    test('an output of unknown inputs is credited, without a sender [B15 N09]', async () => {
      const { address } = await harness.world.issue('ann', REGTEST)
      const payees = [{ to: address, amount: 300_000n }]
      const coins = await bareCoins(chain)
      const { hex } = signBitcoin({ kind: chain.hand.kind, coins, payees, fee: 60_000n })
      await chain.hand.mineExactly([hex])
      await harness.mineEmpty(6)
      const deposits = await harness.world.deposits()
      expect(deposits).toMatchObject([{ address, status: 'Confirmed', senderAddress: '' }])
      expect(await harness.available()).toBe(300_000n)
      await harness.expectWhole()
    })

    test('a theft with unknown inputs halts the sender, credits nothing [W19 W25]', async () => {
      const { address } = await harness.world.issue('bob', REGTEST)
      const [coin] = await harness.coins()
      if (coin === undefined) throw new Error('there is no coin')
      const payees = [
        { to: stranger('thief', chain), amount: 250_000n },
        { to: address, amount: 40_000n },
      ]
      const { txid, hex } = await stealBeside(harness, { coin, payees })
      await chain.hand.mineExactly([hex])
      await harness.mineEmpty(6)
      const alerts = await harness.world.alerts()
      expect(alerts.map(({ code }) => code)).toContain('spend.forgotten')
      const known = (await harness.coins()).find(({ amount }) => amount === 300_000n)
      expect(known?.spent?.txnHash).toBe(txid)
      const deposits = (await harness.world.deposits()).filter((one) => one.address === address)
      expect(deposits).toMatchObject([{ txnHash: txid, status: 'Held', senderAddress: '' }])
    })
  })
})

async function bareCoins({ hand }: BitcoinTestChain): Promise<KeyCoin[]> {
  const scripts = Array.from({ length: MANY }, () => ({ script: BARE.script, value: VALUE }))
  const { txid, hex } = hand.sign({ payees: [], scripts, fee: 60_000n })
  await hand.mineExactly([hex])
  return scripts.map((_, vout) => ({ key: BARE, txid, vout, value: VALUE }))
}

/** An attacker with our keys spends an output of ours together with foreign ones. */
async function stealBeside(
  harness: CoinHarness,
  { coin, payees }: { coin: OwnCoin; payees: readonly Payee[] },
) {
  const { world, chain } = harness
  const { kind } = chain.hand
  const alone = await harness.forge([coin], stranger('nobody', chain), 10_000n)
  const publicKey = readBitcoinTransaction(Buffer.from(alone, 'hex')).inputs[0]?.witness[1]
  if (publicKey === undefined) throw new Error('no key is shown')
  const others = await bareCoins(chain)
  const ours = { key: bitcoinKey('in its place'), txid: coin.txnHash, vout: coin.vout }
  const coins = [...others, { ...ours, value: coin.amount }]
  const { transaction } = signBitcoin({ kind, coins, payees, fee: 60_000n })
  const at = others.length
  const entry = world.entry(REGTEST)
  const path = await world.database.transaction((tx) =>
    signerPath(tx, world.keys, { entry, address: coin.address }),
  )
  const input = transaction.inputs[at]
  if (path === null || input === undefined) throw new Error('the coin is not ours')
  const script = scriptOfAddress(coin.address, kind)
  const digest = witnessDigest(transaction, at, { value: coin.amount, script })
  const { r, s } = world.keys.keyring.sign(derivationOf(entry, path), digest)
  const der = new secp256k1.Signature(r, s).toBytes('der')
  input.witness = [Buffer.concat([der, Buffer.of(1)]), Buffer.from(publicKey)]
  return { txid: bitcoinTxid(transaction), hex: bitcoinBytes(transaction).toString('hex') }
}
