import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashOn } from '../../src/chains/format-address.ts'
import { openSimulatedBitcoinWorld } from './bitcoin-world.ts'
import type { World } from './conformance.ts'
import { openSimulatedWorld } from './evm-simulated-world.ts'
import { openEvmWorld } from './evm-world.ts'
import { openTronWorld } from './tron-world.ts'
import { openXrplWorld } from './xrpl-world.ts'

const WORLDS: [family: string, open: () => Promise<World>][] = [
  ['EVM', () => openEvmWorld()],
  ['EVM, of a trusted node', () => openSimulatedWorld({ completeness: 'logs', traces: 'debug' })],
  ['Bitcoin', () => openSimulatedBitcoinWorld()],
  ['TRON', () => openTronWorld()],
  ['XRPL', () => openXrplWorld()],
]

describe.each(WORLDS)('a looked-up transaction on %s', (family, open) => {
  let world: World
  beforeAll(async () => {
    world = await open()
  })
  afterAll(() => world.close())

  const tokens = () => [world.nativeId, ...(world.token === null ? [] : [world.token.id])]
  const lookUp = (hash: string) => world.adapter.transaction(hash, { tokens: tokens() })

  test('a looked-up transaction equals the one of its block', async () => {
    // A node without an index of transactions knows only unconfirmed ones.
    if (family === 'Bitcoin') return
    const { adapter, freshAddress, payNative, payToken, payInternal, token, mine } = world
    const to = freshAddress()
    const hashes = [await payNative(to, 30_000_000n)]
    if (token !== null) hashes.push(await payToken(to, 7n))
    if (payInternal !== null) hashes.push(await payInternal(to, 5n))
    await mine()
    for (const hash of hashes) {
      const seen = await lookUp(hash)
      expect(seen).toMatchObject({ succeeded: true, apart: [] })
      const block = await adapter.blockAt({ hash: seen?.block?.hash ?? '' }, { tokens: tokens() })
      const told = block?.transfers.filter(({ txnHash }) => txnHash === hash)
      expect(seen?.block).toEqual({ height: block?.height, hash: block?.hash })
      expect(seen?.transfers).toEqual(told)
      expect(seen?.transfers.some((one) => one.to === to)).toBe(true)
    }
  })

  test('a looked-up transaction is pending or unknown before its block', async () => {
    const to = world.freshAddress()
    const seen = await lookUp(await world.payNative(to, 30_000_000n))
    await world.mine()
    // Some nodes under a test's hand make a block of each payment at once.
    if (seen === null || seen.block !== null) return
    expect(seen).toMatchObject({ succeeded: null, transfers: [] })
    expect(seen.apart.map((one) => one.to)).toContain(to)
  })

  test('a looked-up transaction that failed moves nothing [E01]', async () => {
    if (world.payInVain === null) return
    const hash = await world.payInVain(world.freshAddress(), 30_000_000n)
    await world.mine()
    expect(await lookUp(hash)).toMatchObject({ succeeded: false, transfers: [] })
  })

  test('a looked-up transfer of an unlisted token is marked [E10]', async () => {
    if (world.token === null) return
    const to = world.freshAddress()
    const hash = await world.payToken(to, 7n)
    await world.mine()
    const seen = await world.adapter.transaction(hash, { tokens: [world.nativeId] })
    expect(seen?.transfers).toEqual([])
    expect(seen?.apart).toMatchObject([{ tokenId: world.token.id, to, amount: 7n }])
  })

  test('an unknown transaction is null', async () => {
    await world.mine()
    expect(await lookUp(hashOn(world.adapter.chainId, '5e'.repeat(32)))).toBeNull()
  })
})
