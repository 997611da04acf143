import { expect, onTestFinished, test } from 'vitest'
import { recoverAddresses, type Recovered } from '../../src/accounts/recover.ts'
import { CHAINS } from '../../src/catalogue/chains.ts'
import { addressOf, displayAddress } from '../../src/chains/format-address.ts'
import { openKeyring } from '../../src/keys/keyring.ts'
import { Seed } from '../../src/keys/seed.ts'
import type { World } from './conformance.ts'
import { openSimulatedWorld } from './evm-simulated-world.ts'
import { openTronWorld } from './tron-world.ts'
import { openXrplWorld } from './xrpl-world.ts'

const AMOUNT = 20_000_000n
/** In the first queried batch, in the second, and in another wallet. */
const PAID = [
  { wallet: 0, index: 0 },
  { wallet: 0, index: 25 },
  { wallet: 2, index: 1 },
]

const WORLDS: [family: string, open: () => Promise<World>][] = [
  ['EVM', () => openSimulatedWorld()],
  ['TRON', () => openTronWorld()],
  ['the XRP Ledger', () => openXrplWorld()],
]

test.each(WORLDS)(
  'the seed finds its balances on %s while blocks arrive [K07]',
  async (_family, open) => {
    const world = await open()
    onTestFinished(() => world.close())
    const { adapter, nativeId, token, noTokenId } = world
    const entry = CHAINS.find(({ id }) => id === adapter.chainId)
    if (entry === undefined) throw new Error(`no chain ${adapter.chainId}`)
    const keyring = openKeyring(new Seed(new Uint8Array(32).fill(7)))
    const { namespace, isTestnet } = entry
    const addresses = PAID.map((at) =>
      addressOf(entry.id, keyring.publicKey({ namespace, isTestnet, branch: 0, ...at })),
    )
    for (const [at, address] of addresses.entries()) {
      await world.payNative(address, AMOUNT)
      if (at === 0 && token !== null) await world.payToken(address, 5n)
    }
    await world.mine()
    const tokens = [nativeId, token?.id, noTokenId].filter((id) => id !== null && id !== undefined)
    const found: Recovered[] = []
    const options = { entry, tokens, gap: 40, walletGap: 2 }
    for await (const one of recoverAddresses(adapter, keyring, options)) {
      found.push(one)
      await world.mine()
    }
    const coins = { tokenId: nativeId, amount: AMOUNT }
    const besides = token === null ? [] : [{ tokenId: token.id, amount: 5n }]
    expect(found.map(({ address, holds }) => ({ address, holds }))).toEqual(
      addresses.map((address, at) => ({
        address: displayAddress(entry.id, address),
        holds: at === 0 ? [coins, ...besides] : [coins],
      })),
    )
  },
)
