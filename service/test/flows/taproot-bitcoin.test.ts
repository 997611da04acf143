import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAccount } from '../../src/accounts/open.ts'
import { openAccounts } from '../../src/accounts/open-many.ts'
import { parseExternalUserId } from '../../src/accounts/account.ts'
import { verifyAddresses } from '../../src/accounts/verify-addresses.ts'
import { addressOf } from '../../src/chains/format-address.ts'
import type { AddressType } from '../../src/keys/paths.ts'
import { BITCOIN_NODES, type BitcoinTestChain, REGTEST, TBTC } from '../support/bitcoin-chain.ts'
import { type CoinHarness, openCoinHarness, stranger } from '../support/coin-harness.ts'

const BUMP_AFTER = 3
const USUAL = /^bcrt1q[0-9a-z]{38}$/
const TAPROOT = /^bcrt1p[0-9a-z]{58}$/

interface Shown {
  vin: { txinwitness: string[] }[]
  vsize: number
}

describe.each(BITCOIN_NODES)('accounts of both types, on $name', ({ start, isThere }) => {
  describe.runIf(isThere)('when P2TR is configured after P2WPKH accounts exist', () => {
    let chain: BitcoinTestChain
    let harness: CoinHarness
    beforeAll(async () => {
      chain = await start()
      const options = { isKept: true, bumpAfterBlocks: BUMP_AFTER, addressType: 'p2tr' } as const
      harness = await openCoinHarness(chain, options)
    })
    afterAll(async () => {
      await harness?.close()
      await chain?.stop()
    })

    test('a new account gets the configured type, existing ones keep theirs [K05]', async () => {
      const ann = await openedAs(harness, 'p2wpkh', 'ann')
      expect(ann).toMatch(USUAL)
      expect(await asked(harness, 'ann')).toBe(ann)
      const bob = await asked(harness, 'bob')
      expect(bob).toMatch(TAPROOT)
      expect([await openedAs(harness, 'p2wpkh', 'bob'), await asked(harness, 'bob')]).toEqual([
        bob,
        bob,
      ])
      const { keyring } = harness.world.keys
      const together = await openedTogether(harness, 'ann', 'cid', 'bob', 'dan')
      expect([together[0], together[2]]).toEqual([ann, bob])
      // The indexes of the wallet continue, regardless of the type.
      const expected = [2, 3].map((index) => {
        const at = { namespace: 'bip122', isTestnet: true, wallet: 1, branch: 0, index } as const
        const key = keyring.publicKey({ ...at, addressType: 'p2tr' })
        return addressOf(REGTEST, key, 'p2tr')
      })
      expect([together[1], together[3]]).toEqual(expected)
      expect(harness.settlement).toMatch(USUAL)
      const report = await verifyAddresses(harness.world.database, keyring, harness.world)
      expect(report).toEqual({ verified: 4, unknown: 0, wrong: [] })
    })

    test('inputs of both types share a payment and its replacement [B11 W18]', async () => {
      const [ann, bob] = [
        await harness.deposit('ann', 60_000n),
        await harness.deposit('bob', 50_000n, 40_000n),
      ]
      const seen = (await harness.world.deposits()).map(
        ({ address, amount }) => `${amount} ${address}`,
      )
      expect(seen.sort()).toEqual([`40000 ${bob}`, `50000 ${bob}`, `60000 ${ann}`])
      const id = await harness.want(stranger('somebody', chain), 130_000n)
      await harness.spend()
      await harness.mineEmpty(BUMP_AFTER)
      await harness.spend()
      const { transactions } = await harness.spendOf(id)
      const [first, second] = transactions
      expect(second?.maxFee).toBeGreaterThan(first?.maxFee ?? 0n)
      expect(await harness.pool()).toEqual([second?.txnHash])
      const { vin, vsize } = await chain.hand.rpc<Shown>('getrawtransaction', [
        second?.txnHash,
        true,
      ])
      const witnesses = vin.map(({ txinwitness }) => txinwitness.map(({ length }) => length / 2))
      expect(witnesses.filter((one) => one.length === 1)).toEqual([[64], [64]])
      expect(witnesses.filter((one) => one.length === 2)).toHaveLength(1)
      // 10.5 of the header, 68 and twice 57.5 of inputs, 31 for each output.
      expect([256, 255]).toContain(vsize)
      expect(await harness.conclude(id)).toMatchObject({
        status: 'Completed',
        txnHash: second?.txnHash,
        fee: second?.maxFee,
      })
      expect(await harness.held('somebody')).toEqual([130_000n])
      expect(await harness.world.balance(TBTC)).toBe(20_000n - (second?.maxFee ?? 0n))
      await harness.expectWhole()
    })

    test('a P2TR payment is rebroadcast with the same bytes after a reorg [R02]', async () => {
      await harness.deposit('bob', 300_000n)
      const id = await harness.want(stranger('other', chain), 250_000n)
      await harness.spend()
      await harness.mine()
      const before = await harness.spendOf(id)
      expect(before.state).toBe('Included')
      await harness.undo(1)
      expect((await harness.spendOf(id)).state).toBe('Sent')
      await harness.expectWhole()
      const done = await harness.conclude(id)
      expect(done).toMatchObject({ status: 'Completed', txnHash: before.txnHash })
      expect(await harness.held('other')).toEqual([250_000n])
      await harness.expectWhole()
    })

    test('a stolen P2TR output halts the sender without a revealed key [W19]', async () => {
      const bob = await harness.deposit('bob', 400_000n)
      const coins = (await harness.coins()).filter(({ amount }) => amount === 400_000n)
      expect(coins.map(({ address }) => address)).toEqual([bob])
      const hex = await harness.forge(coins, stranger('thief', chain), 5_000n)
      const wrong = Buffer.from(hex, 'hex')
      // The last byte of the signature, before the lock time.
      const at = wrong.length - 5
      wrong[at] = (wrong[at] ?? 0) ^ 1
      await expect(chain.hand.rpc('sendrawtransaction', [wrong.toString('hex')])).rejects.toThrow(
        'script-verify-flag-failed (Invalid Schnorr signature), input 0 of',
      )
      await expect(chain.hand.mineExactly([wrong.toString('hex')])).rejects.toThrow(
        'TestBlockValidity failed: mandatory-script-verify-flag-failed (Invalid Schnorr signature)',
      )
      await chain.hand.mineExactly([hex])
      await harness.world.settle()
      const alerts = await harness.world.alerts()
      expect(alerts.map(({ code }) => code)).toEqual(['spend.forgotten'])
      const spent = (await harness.coins()).filter(({ amount }) => amount === 400_000n)
      expect(spent).toMatchObject([{ spent: { txnHash: expect.any(String) } }])
    })
  })
})

/** The deposit address of a user, from the API. */
async function asked({ operator }: CoinHarness, userId: string): Promise<unknown> {
  const query = new URLSearchParams({ chainId: REGTEST, tokenId: TBTC, userId })
  const { json } = await operator.ask('GET', `/payments/deposit-address?${query.toString()}`)
  return Object(json['address']).properties.address
}

/** The same world with another configuration. */
async function openedAs({ world }: CoinHarness, addressType: AddressType, externalUserId: string) {
  const { orgId, keys, database } = world
  const entry = { ...world.entry(REGTEST), addressType }
  const request = { keys, entry, orgId, externalUserId }
  const { account } = await database.forOrg(orgId, (tx) => openAccount(tx, request))
  return account.address
}

/** The addresses of several users, requested at once. */
async function openedTogether({ world }: CoinHarness, ...users: string[]): Promise<string[]> {
  const { orgId, keys, database } = world
  const externalUserIds = users.map(parseExternalUserId)
  const request = { keys, entry: world.entry(REGTEST), orgId, externalUserIds }
  const opened = await database.forOrg(orgId, (tx) => openAccounts(tx, request))
  return opened.map(({ account }) => account.address)
}
