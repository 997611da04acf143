import { describe, expect, test } from 'vitest'
import { addToStory, judgeStories, subjectOf } from './judge-stories.ts'

describe('stories', () => {
  const judge = (
    kind: 'deposit' | 'withdrawal',
    status: string | null,
    types: string,
    payload = {},
  ) => {
    const stories = new Map<string, string>()
    for (const type of types.split(' ').filter((one) => one !== '')) {
      const body = { id: 'i', reference: 'one', externalUserId: 'ann', ...payload }
      addToStory(stories, { type: `${kind}.${type}`, body: JSON.stringify({ payload: body }) })
    }
    const names = { id: 'i', reference: 'one', userId: 'ann' }
    const subjects = status === null ? [] : [subjectOf(kind, { ...names, status })]
    return judgeStories(stories, subjects).map(({ what }) => what)
  }

  test.each([
    ['withdrawal', 'Completed', 'created approved processing completed'],
    ['withdrawal', 'Failed', 'created approved failed'],
    ['withdrawal', 'Failed', 'created approved processing failed'],
    ['deposit', 'Confirmed', 'detected confirmed'],
    ['deposit', 'Confirmed', 'detected reverted detected confirmed'],
    ['deposit', 'Confirmed', 'detected confirmed reverted detected confirmed'],
    ['deposit', 'Orphaned', 'detected reverted'],
    ['deposit', 'Orphaned', 'detected confirmed reverted detected reverted'],
  ] as const)('of a %s that is %s accept: %s', (kind, status, types) => {
    expect(judge(kind, status, types)).toEqual([])
  })

  test.each([
    ['withdrawal', 'Completed', ''],
    ['withdrawal', 'Completed', 'created approved processing'],
    ['withdrawal', 'Completed', 'created approved completed'],
    ['withdrawal', 'Completed', 'created approved processing failed'],
    ['withdrawal', 'Completed', 'created approved processing completed completed'],
    ['withdrawal', 'Completed', 'created created approved processing completed'],
    ['withdrawal', 'Failed', 'created approved processing completed'],
    ['withdrawal', 'Failed', 'created approved processing completed failed'],
    ['withdrawal', 'Cancelled', 'created approved cancelled'],
    ['deposit', 'Confirmed', ''],
    ['deposit', 'Confirmed', 'detected'],
    ['deposit', 'Confirmed', 'confirmed'],
    ['deposit', 'Confirmed', 'detected confirmed confirmed'],
    ['deposit', 'Confirmed', 'detected detected confirmed'],
    ['deposit', 'Confirmed', 'detected confirmed reverted'],
    ['deposit', 'Confirmed', 'detected confirmed reverted detected'],
    ['deposit', 'Confirmed', 'detected confirmed detected confirmed'],
    ['deposit', 'Confirmed', 'detected held confirmed'],
    ['deposit', 'Orphaned', 'detected confirmed'],
    ['deposit', 'Orphaned', ''],
  ] as const)('of a %s that is %s reject: %s', (kind, status, types) => {
    expect(judge(kind, status, types)).toEqual([`a ${kind} has events that do not match it`])
  })

  test('of unknown rows, users or references are reported', () => {
    expect(judge('deposit', null, 'detected confirmed')).toEqual(['a story of nothing there is'])
    const both = (noun: string) => [
      `a ${noun} has events that do not match it`,
      'a story of nothing there is',
    ]
    const [credit, payment] = ['detected confirmed', 'created approved processing completed']
    expect(judge('deposit', 'Confirmed', credit, { id: 'j' })).toEqual(both('deposit'))
    expect(judge('deposit', 'Confirmed', credit, { externalUserId: 'bob' })).toEqual(
      both('deposit'),
    )
    expect(judge('withdrawal', 'Completed', payment, { id: 'j' })).toEqual(both('withdrawal'))
    expect(judge('withdrawal', 'Completed', payment, { reference: 'two' })).toEqual(
      both('withdrawal'),
    )
  })

  test('ignore other events', () => {
    const stories = new Map<string, string>()
    addToStory(stories, { type: 'balance.updated', body: '{"payload":{}}' })
    expect(stories.size).toBe(0)
  })
})
