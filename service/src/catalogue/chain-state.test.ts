import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../test/support/database.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import { Outage } from '../base/fault.ts'
import {
  maySpend,
  moveTip,
  noteHead,
  readChainState,
  readChainStates,
  setCondition,
  startChain,
} from './chain-state.ts'
import type { Condition } from './chain-state.ts'
import { CHAINS } from './chains.ts'

const [FIRST, SECOND] = CHAINS.map((chain) => chain.id)
const at = (height: number) => ({ height, hash: `0x${height}` })

describe('chain state', () => {
  let world: TestDatabase
  beforeAll(async () => {
    world = await openTestDatabase()
  })
  afterAll(() => world.close())

  const chainId = FIRST ?? CHAINS[0]?.id
  if (chainId === undefined || SECOND === undefined) throw new Error('no chains')
  const start = { chainId, genesis: '0xaa', tip: at(100), tipTime: 5_000, headHeight: 103 }
  const read = () => world.database.transaction((tx) => readChainState(tx, chainId))
  const turn = (condition: Condition, cause: string) =>
    world.database.transaction((tx) => setCondition(tx, { chainId, condition, cause }))
  const move = (from: number, to: number) =>
    world.database.transaction((tx) =>
      moveTip(tx, { chainId, from: at(from), to: at(to), tipTime: to * 1_000 }),
    )

  test('is null before first contact, and cannot be frozen', async () => {
    expect(await read()).toBeNull()
    expect(await turn('halted', 'wrong network')).toBe(false)
  })

  test('is not changed by a second start', async () => {
    const now = world.clock.now()
    const final = at(90)
    const started = await world.database.transaction((tx) => startChain(tx, { ...start, final }))
    expect(started).toBe(true)
    const again = { ...start, tip: at(500), genesis: '0xbb', final: null }
    expect(await world.database.transaction((tx) => startChain(tx, again))).toBe(false)
    expect(await read()).toEqual({
      ...start,
      final,
      lastReorg: null,
      startHeight: 100,
      condition: 'running',
      cause: '',
      isUndoing: false,
      updatedAt: now,
    })
  })

  test('keeps its start when the cursor moves forward and back', async () => {
    await move(100, 101)
    expect(maySpend(await read())).toBe(true)
    await move(101, 100)
    // More may be undone.
    expect(maySpend(await read())).toBe(false)
    await move(100, 105)
    const state = await read()
    expect(maySpend(state)).toBe(true)
    expect(state).toMatchObject({ tip: at(105), tipTime: 105_000, startHeight: 100 })
  })

  test('refuses to move the cursor from a block that it has left', async () => {
    await expect(move(100, 101)).rejects.toThrow(Outage)
    const elsewhere = { chainId, from: { height: 105, hash: '0xother' }, to: at(106), tipTime: 0 }
    await expect(world.database.transaction((tx) => moveTip(tx, elsewhere))).rejects.toThrow(
      'no longer at block 105 0xother',
    )
    expect((await read())?.tip).toEqual(at(105))
  })

  test('stores the height and final block of the nodes', async () => {
    const note = { chainId, headHeight: 110, final: at(108), isUndoing: false }
    await world.database.transaction((tx) => noteHead(tx, note))
    expect(await read()).toMatchObject({ headHeight: 110, final: at(108) })
    await world.database.transaction((tx) => noteHead(tx, { ...note, final: null }))
    expect((await read())?.final).toBeNull()
  })

  test('keeps the first cause of a halt until it is resumed', async () => {
    expect(await turn('frozen', 'a deposit left the chain')).toBe(true)
    expect(await turn('frozen', 'another one')).toBe(false)
    expect(await read()).toMatchObject({ condition: 'frozen', cause: 'a deposit left the chain' })
    expect(await turn('halted', 'wrong network')).toBe(true)
    expect(await turn('frozen', 'a deposit left the chain')).toBe(false)
    expect(await read()).toMatchObject({ condition: 'halted', cause: 'wrong network' })
    expect(await turn('running', 'looked at')).toBe(true)
    expect(await turn('running', 'looked at')).toBe(false)
    expect(await read()).toMatchObject({ condition: 'running', cause: '' })
  })

  test('is independent of other chains', async () => {
    const other = { ...start, chainId: SECOND, final: null }
    await world.database.transaction((tx) => startChain(tx, other))
    await turn('halted', 'wrong network')
    const states = await world.database.transaction(readChainStates)
    const conditions = states.map((state) => `${state.chainId} ${state.condition}`)
    expect(conditions.sort()).toEqual([`${chainId} halted`, `${SECOND} running`].sort())
  })

  test('is read-only for an organization', async () => {
    const orgId = '01900000-0000-7000-8000-000000000001'
    const seen = await world.database.forOrg(orgId, (tx) => readChainState(tx, chainId))
    expect(seen?.chainId).toBe(chainId)
    const halt = { chainId: SECOND, condition: 'halted' as const, cause: 'mischief' }
    await expect(world.database.forOrg(orgId, (tx) => setCondition(tx, halt))).rejects.toThrow(
      'permission denied',
    )
  })
})
