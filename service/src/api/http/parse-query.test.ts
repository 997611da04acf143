import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../base/fault.ts'
import { parseQuery } from './parse-query.ts'

const KNOWN = ['chainId', 'userId', 'limit']

const GOOD: readonly (readonly [text: string, found: Record<string, string>])[] = [
  ['', {}],
  ['&', {}],
  ['chainId=a', { chainId: 'a' }],
  ['chainId=', { chainId: '' }],
  ['chainId', { chainId: '' }],
  ['chainId=a=b', { chainId: 'a=b' }],
  ['chainId=a;b', { chainId: 'a;b' }],
  ['userId=a+b', { userId: 'a b' }],
  ['userId=a%2Bb', { userId: 'a+b' }],
  ['userId=%26%3D%23', { userId: '&=#' }],
  ['userId=%25', { userId: '%' }],
  ['userId=%F0%9F%98%80', { userId: '\u{1F600}' }],
  ['user%49d=a', { userId: 'a' }],
]

const BAD: readonly (readonly [text: string, field: string])[] = [
  ['chainId=a&chainId=b', 'chainId'],
  ['chainId=a&chainId=a', 'chainId'],
  ['chainId=a&chain%49d=b', 'chainId'],
  ['chainId&chainId', 'chainId'],
  ['chainId[]=a', 'chainId'],
  ['chainId%5B%5D=a', 'chainId'],
  ['chainId[0]=a', 'chainId'],
  ['chainId[a]=b', 'chainId'],
  ['chainId.a=b', 'chainId'],
  ['chainId=a&limit[]=1', 'limit'],
  ['userId=%', 'userId'],
  ['userId=%f', 'userId'],
  ['userId=%zz', 'userId'],
  ['userId=%ff', 'userId'],
  ['userId=%C0%AF', 'userId'],
  ['userId=%ED%A0%80', 'userId'],
  ['unknown=%ff', 'unknown'],
  ['unknown=1', 'unknown'],
  ['unknown', 'unknown'],
  ['chainId=a&order=asc', 'order'],
  ['userid=a', 'userid'],
  ['chainId%20=a', 'chainId '],
  ['__proto__=a', '__proto__'],
  ['__proto__[chainId]=a', '__proto__[chainId]'],
  ['constructor=a', 'constructor'],
  ['=a', 'query'],
  [`${'x'.repeat(300)}=a`, 'x'.repeat(100)],
  ['%ff=1', 'query'],
]

describe('a query', () => {
  test.each(GOOD)('is parsed: %s [V06]', (text, found) => {
    expect(parseQuery(text, KNOWN)).toEqual(found)
  })

  test.each(BAD)('is refused with BAD_REQUEST: %s [V06]', (text, field) => {
    expect(refusalOf(() => parseQuery(text, KNOWN))).toMatchObject({
      code: 'BAD_REQUEST',
      details: { field },
    })
  })

  test('refuses every parameter when the operation takes none', () => {
    expect(refusalOf(() => parseQuery('limit=1', []))).toMatchObject({
      code: 'BAD_REQUEST',
      says: 'Unknown query parameter: limit. This operation takes no query parameters.',
      details: { field: 'limit' },
    })
  })

  test('decodes values that a browser encodes [V06]', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (userId) => {
        const text = new URLSearchParams({ userId }).toString()
        expect(parseQuery(text, KNOWN)).toEqual({ userId })
      }),
    )
  })
})

function refusalOf(work: () => unknown): Refusal | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
