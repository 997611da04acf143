import { describe, expect, test } from 'vitest'
import { Outage, Refusal } from '../base/fault.ts'
import { Grouping, type Outcome } from './grouping.ts'

/** A grouping that notes its groups, and ends each when the test says so. */
function openGrouping(
  answer: (items: readonly string[]) => Outcome<string>[] = (items) =>
    items.map((value) => ({ value })),
  limits = { groupsMax: 1, sizeMax: 3 },
) {
  const groups: string[][] = []
  const ends: (() => void)[] = []
  const grouping = new Grouping<string, string>(async (items) => {
    groups.push([...items])
    await new Promise<void>((resolve) => ends.push(resolve))
    return answer(items)
  }, limits)
  const endNext = async () => {
    ends.shift()?.()
    await turns()
  }
  return { grouping, groups, endNext }
}

async function turns(): Promise<void> {
  for (let at = 0; at < 3; at += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('calls that share a transaction', () => {
  test('calls that arrive while a group runs form the next one', async () => {
    const { grouping, groups, endNext } = openGrouping()
    const first = grouping.do('a', '1')
    await turns()
    const rest = [grouping.do('a', '2'), grouping.do('a', '3')]
    await turns()
    expect(groups).toEqual([['1']])
    await endNext()
    expect(await first).toBe('1')
    expect(groups).toEqual([['1'], ['2', '3']])
    await endNext()
    expect(await Promise.all(rest)).toEqual(['2', '3'])
  })

  test('groups of a key run one after another, none above the maximum size', async () => {
    const limits = { groupsMax: 5, sizeMax: 3 }
    const { grouping, groups, endNext } = openGrouping(undefined, limits)
    const all = ['1', '2', '3', '4', '5'].map((item) => grouping.do('a', item))
    await turns()
    expect(groups).toEqual([['1', '2', '3']])
    await endNext()
    expect(groups.at(-1)).toEqual(['4', '5'])
    await endNext()
    expect(await Promise.all(all)).toEqual(['1', '2', '3', '4', '5'])
  })

  test('a key with a long queue does not block the others', async () => {
    const { grouping, groups, endNext } = openGrouping()
    const all = ['1', '2', '3', '4', '5', '6', '7'].map((item) => grouping.do('long', item))
    all.push(grouping.do('short', 'x'))
    await turns()
    for (let at = 0; at < 4; at += 1) await endNext()
    expect(groups.map(([item]) => item)).toEqual(['1', 'x', '4', '7'])
    await Promise.all(all)
  })

  test('a refusal rejects only its call', async () => {
    const refusal = new Refusal('NOT_FOUND')
    const answer = (items: readonly string[]) =>
      items.map((value) => (value === 'bad' ? { refusal } : { value }))
    const { grouping, endNext } = openGrouping(answer)
    const calls = [grouping.do('a', 'good'), grouping.do('a', 'bad')]
    const settled = Promise.allSettled(calls)
    await turns()
    await endNext()
    expect(await settled).toEqual([
      { status: 'fulfilled', value: 'good' },
      { status: 'rejected', reason: refusal },
    ])
  })

  test('a failed group is repeated call by call', async () => {
    const answer = (items: readonly string[]) => {
      if (items.includes('bad')) throw new Error(`a bug in ${items.join()}`)
      return items.map((value) => ({ value }))
    }
    const { grouping, groups, endNext } = openGrouping(answer)
    const settled = Promise.allSettled(['1', 'bad', '3'].map((item) => grouping.do('a', item)))
    await turns()
    for (let at = 0; at < 4; at += 1) await endNext()
    expect(groups).toEqual([['1', 'bad', '3'], ['1'], ['bad'], ['3']])
    const [one, bad, three] = await settled
    expect([one, three]).toMatchObject([{ value: '1' }, { value: '3' }])
    expect(bad).toMatchObject({ reason: new Error('a bug in bad') })
  })

  test('an outage rejects the whole group without a retry', async () => {
    const answer = () => {
      throw new Outage('database', 'away')
    }
    const { grouping, groups, endNext } = openGrouping(answer)
    const settled = Promise.allSettled(['1', '2'].map((item) => grouping.do('a', item)))
    await turns()
    await endNext()
    const reasons = (await settled).map((one) => (one.status === 'rejected' ? one.reason : one))
    expect(reasons.map((reason) => reason instanceof Outage)).toEqual([true, true])
    expect(groups).toHaveLength(1)
    const next = grouping.do('a', '3').catch(() => 'refused')
    await turns()
    await endNext()
    expect(await next).toBe('refused')
  })
})
