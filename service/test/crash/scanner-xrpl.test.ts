import { startXrplNode, type XrplChain } from '@sluice/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noteBaseAccount } from '../../src/accounts/base-account.ts'
import { openOwnAddress } from '../../src/accounts/own-address.ts'
import type { Address } from '../../src/chains/port.ts'
import { auditLedger } from '../../src/audit/run.ts'
import { SCANNER_POINTS } from '../../src/scanner/crash-points.ts'
import { XRP, XRPL } from '../support/xrpl-spender.ts'
import { openWorld } from '../support/world.ts'
import { CrashingWorld, expectRound } from './crashing-world.ts'
import type { ScanStand } from './scan-stand.ts'

/** A validated ledger is final: it is connected once, with its note and all that is credited. */
const DAILY = SCANNER_POINTS.filter((point) => /^(connect|rescan)\./.test(point))

describe('a scanner of ledgers that dies', () => {
  let crashing: CrashingWorld<XrplChain>
  let base: Address
  let tag: number
  const rounds: Map<string, bigint>[] = []
  beforeAll(async () => {
    const node = await startXrplNode()
    node.chain.close(3)
    const world = await openWorld({ seed: 'xrpl', chains: [{ id: XRPL, nodes: [node.url] }] })
    crashing = new CrashingWorld(world, node, standOf)
    await crashing.settle()
    const { keys, orgId } = world
    const entry = world.entry(XRPL)
    base = await world.database.transaction(async (tx) => {
      const wanted = { keys, entry, orgId, purpose: 'settlement' } as const
      const { address } = await openOwnAddress(tx, wanted)
      const ready = { readyHeight: node.chain.closed().height, missing: '' }
      await noteBaseAccount(tx, { orgId, chainId: XRPL, address, ...ready })
      return address
    })
    tag = (await world.issue('ann', XRPL)).destinationTag ?? 0
  })
  afterAll(() => crashing.close())

  test.each([1, 2])(
    'credits each deposit once with death at pass %i of each point [H10 X06]',
    async (pass) => {
      const { chain, world } = crashing
      const paid = new Map<string, bigint>()
      rounds.push(paid)
      crashing.plan(DAILY.map((point) => ({ point, pass })))
      for (const amount of [5n, 6n, 7n]) {
        const told = amount * 1_000_000n
        paid.set(chain.pay({ to: base, amount: told, tag }), told)
        const parted = { to: base, amount: 10n ** 12n, delivered: amount, tag }
        paid.set(chain.payPartially(parted), amount)
        chain.pay({ to: base, amount: 1n, tag: 7 })
        chain.close(2)
        await crashing.settle()
      }
      const { height } = chain.closed()
      await world.rescan(height - 4, height, XRPL)
      await crashing.settle()
      expect(crashing.deaths).toBe(DAILY.length)
      await expectRound(crashing, { paid })
    },
  )

  test('account and ledger agree, and no other user is credited [X04 X05]', async () => {
    const { chain, world } = crashing
    const amounts = rounds.flatMap((paid) => [...paid.values()])
    const credited = amounts.reduce((sum, amount) => sum + amount, 0n)
    expect(await world.balance(XRP)).toBe(credited)
    expect(await world.balance(XRP, 'claim:unattributed')).toBe(3n * BigInt(rounds.length))
    const place = `place:settlement:${base}`
    expect(await world.balance(XRP, place)).toBe(chain.account(base)?.balance)
    const events = await world.events()
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1))
    expect(await auditLedger(world)).toEqual([])
    expect((await world.audit(XRPL)).findings).toEqual([])
  })
})

/** This chain has no reorgs, and each validated ledger is final. */
function standOf(chain: XrplChain): ScanStand {
  const never = () => {
    throw new Error('a validated ledger is final, and there are no contracts')
  }
  return {
    id: XRPL,
    coin: XRP,
    pay: (payment) => chain.pay(payment),
    payInternal: never,
    mine: (blocks) => void chain.close(blocks),
    reorg: never,
    finalize: () => undefined,
    forgetFinal: never,
    head: () => chain.validated(),
  }
}
