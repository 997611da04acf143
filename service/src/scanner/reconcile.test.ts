import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { confirmedHeight } from '../deposits/due.ts'
import { beginAgain, chainedRun, nextStep, ourFinal } from './reconcile.ts'

const chain = (from: number, to: number, fork = 'a') =>
  Array.from({ length: to - from + 1 }, (_, at) => ({
    height: from + at,
    hash: `${fork}${from + at}`,
  }))

const ask = (given: Partial<Parameters<typeof nextStep>[0]>) =>
  nextStep({
    ours: chain(10, 20),
    theirs: { height: 20, hash: 'a20' },
    head: 20,
    final: null,
    theirFinal: null,
    startHeight: 10,
    isLoose: false,
    ...given,
  })

describe('nextStep', () => {
  test('waits at the head when the node has our tip', () => {
    expect(ask({})).toEqual({ type: 'wait' })
  })

  test('connects everything up to the head of the node', () => {
    expect(ask({ head: 25 })).toEqual({ type: 'connect', from: 21, to: 25 })
  })

  test('undoes one block, the tip, when the node has another block there', () => {
    expect(ask({ theirs: { height: 20, hash: 'b20' }, head: 22 })).toEqual({
      type: 'disconnect',
      block: { height: 20, hash: 'a20' },
    })
  })

  test('R08 waits while the head of the node is behind and on our chain', () => {
    expect(ask({ theirs: { height: 15, hash: 'a15' }, head: 15 })).toEqual({ type: 'wait' })
  })

  test('R08 undoes the tip when the head of the node is behind and on another chain', () => {
    const step = ask({ theirs: { height: 15, hash: 'b15' }, head: 15 })
    expect(step).toEqual({ type: 'disconnect', block: { height: 20, hash: 'a20' } })
  })

  test('waits for a node that is below every block we keep', () => {
    expect(ask({ theirs: { height: 3, hash: 'a3' }, head: 3 })).toEqual({ type: 'wait' })
  })

  test('waits when no node could say what it has', () => {
    expect(ask({ theirs: null, head: 25 })).toEqual({ type: 'wait' })
  })

  test('halts rather than undo a final block', () => {
    const theirs = { height: 20, hash: 'b20' }
    const final = { height: 20, hash: 'a20' }
    expect(ask({ theirs, final })).toMatchObject({ type: 'halt' })
  })

  test('R10 halts at once when the node calls another block final', () => {
    const final = { height: 15, hash: 'a15' }
    expect(ask({ final, theirFinal: { height: 14, hash: 'b14' } })).toMatchObject({ type: 'halt' })
    expect(ask({ final, theirFinal: { height: 14, hash: 'a14' } })).toEqual({ type: 'wait' })
  })

  test('R10 a final block above those we know to be final contradicts nothing', () => {
    const final = { height: 15, hash: 'a15' }
    const theirs = { height: 20, hash: 'b20' }
    const step = ask({ final, theirs, theirFinal: { height: 18, hash: 'b18' } })
    expect(step).toMatchObject({ type: 'disconnect' })
  })

  test('halts when the last block kept is another, unless scanning began there', () => {
    const ours = chain(10, 10)
    const theirs = { height: 10, hash: 'b10' }
    expect(ask({ ours, theirs, startHeight: 10 })).toMatchObject({ type: 'rebase' })
    expect(ask({ ours, theirs, startHeight: 2 })).toMatchObject({ type: 'halt' })
  })

  test('starts again below the last block kept if an operator resumed the chain [R04]', () => {
    const ours = chain(300, 300)
    const theirs = { height: 300, hash: 'b300' }
    expect(ask({ ours, theirs })).toMatchObject({ type: 'halt' })
    expect(ask({ ours, theirs, isLoose: true })).toEqual({ type: 'rebase', block: ours[0] })
    // The nodes may have come back to our chain.
    expect(ask({ ours, theirs: { height: 300, hash: 'a300' }, head: 301, isLoose: true })).toEqual({
      type: 'connect',
      from: 301,
      to: 301,
    })
    expect(ask({ ours: chain(299, 300), theirs, isLoose: true })).toMatchObject({
      type: 'disconnect',
    })
  })

  test('R07 any two chains with a common block meet, one block at a time', () => {
    const worlds = fc.record({
      common: fc.integer({ min: 1, max: 40 }),
      ours: fc.integer({ min: 0, max: 40 }),
      theirs: fc.integer({ min: 0, max: 40 }),
    })
    fc.assert(
      fc.property(worlds, ({ common, ours: ourLength, theirs: theirLength }) => {
        const shared = chain(1, common)
        const ours = [...shared, ...chain(common + 1, common + ourLength, 'a')]
        const node = [...shared, ...chain(common + 1, common + theirLength, 'b')]
        for (let steps = 0; steps <= 200; steps += 1) {
          const tip = ours.length
          const seen = Math.min(tip, node.length)
          const theirs = node[seen - 1] ?? null
          const step = ask({ ours, theirs, head: node.length, startHeight: 0 })
          if (step.type === 'wait') break
          if (step.type === 'disconnect') ours.pop()
          else if (step.type === 'connect') ours.push(...node.slice(step.from - 1, step.to))
          else expect.unreachable(`a step of type ${step.type}`)
        }
        // A shorter chain of the node's cannot be told from a lagging one while it is a prefix of
        // ours.
        expect(ours.slice(0, node.length)).toEqual(node)
      }),
    )
  })
})

describe('beginAgain', () => {
  const block = { height: 1_000, hash: 'a1000' }
  const at = (height: number, fork: 'a' | 'b' = 'a') => ({
    height,
    hash: `${fork}${height}`,
    stands: fork === 'b',
  })
  const ref = (height: number, fork: 'a' | 'b' = 'a') => expect.objectContaining(at(height, fork))
  const again = (places: ReturnType<typeof at>[], isAll = true) =>
    beginAgain({ block, places, isAll })

  test('starts deep below the replaced block, never below the first [R02]', () => {
    expect(again([])).toEqual({ undo: [], from: { height: 744 } })
    const early = { block: { height: 9, hash: 'a9' }, places: [], isAll: true }
    expect(beginAgain(early)).toEqual({ undo: [], from: { height: 0 } })
  })

  test('undoes replaced blocks, and starts as deep below the lowest [R04]', () => {
    const places = [at(1_000), at(990), at(700)]
    expect(again(places)).toEqual({
      undo: [ref(1_000), ref(990), ref(700)],
      from: { height: 444 },
    })
  })

  test('undoes no block below it that the chain has, and starts there [R04]', () => {
    expect(again([at(999), at(990, 'b'), at(980, 'b')])).toEqual({
      undo: [ref(999)],
      from: { hash: 'b990' },
    })
    expect(again([at(999), at(10, 'b')])).toEqual({ undo: [ref(999)], from: { height: 743 } })
  })

  test('undoes blocks above replaced ones, which are read again [R04]', () => {
    expect(again([at(995, 'b'), at(990), at(990, 'b'), at(980, 'b')])).toEqual({
      undo: [ref(995, 'b'), ref(990), ref(990, 'b')],
      from: { hash: 'b980' },
    })
  })

  test('keeps the tip while blocks further down may have to be undone [R04]', () => {
    const places = [at(999), at(998)]
    expect(again(places, false)).toEqual({ undo: places, from: null })
    expect(again([at(999), at(998, 'b')], false)).toMatchObject({ from: { hash: 'b998' } })
  })
})

describe('chainedRun', () => {
  const linked = (from: number, to: number) =>
    chain(from, to).map((ref) => ({ ...ref, parentHash: `a${ref.height - 1}` }))

  test('takes the blocks that chain and stops at the first that does not', () => {
    const blocks = linked(21, 24)
    const broken = blocks.map((block, at) => (at === 2 ? { ...block, parentHash: 'b22' } : block))
    expect(chainedRun({ height: 20, hash: 'a20' }, blocks)).toHaveLength(4)
    expect(chainedRun({ height: 20, hash: 'a20' }, broken)).toHaveLength(2)
    expect(chainedRun({ height: 20, hash: 'b20' }, blocks)).toHaveLength(0)
    expect(chainedRun({ height: 20, hash: 'a20' }, [null, ...blocks])).toHaveLength(0)
  })
})

describe('ourFinal', () => {
  const ours = chain(10, 20)

  test('a final block counts only with our hash', () => {
    expect(ourFinal({ ours, final: { height: 15, hash: 'a15' } })).toEqual(ours[5])
    expect(ourFinal({ ours, final: { height: 15, hash: 'b15' } })).toBeNull()
    expect(ourFinal({ ours, final: null })).toBeNull()
  })

  test('our tip is final when the chain is final above it', () => {
    expect(ourFinal({ ours, final: { height: 30, hash: 'a30' } })).toEqual(ours.at(-1))
    expect(ourFinal({ ours, final: { height: 20, hash: 'b20' } })).toBeNull()
  })

  test('T06 a final block below all of ours makes none of ours final, and is known', () => {
    const final = ourFinal({ ours, final: { height: 3, hash: 'a3' } })
    expect(final).toEqual({ height: 3, hash: 'a3' })
    const tip = { height: 20, hash: 'a20' }
    expect(confirmedHeight({ rule: 'final', required: 5, tip, final })).toBe(3)
  })
})
