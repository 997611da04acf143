import { describe, expect, test } from 'vitest'
import { judge } from './judge.ts'
import { codesAreInUse } from './codes.ts'

describe('error codes', () => {
  const ERRORS = { 'wire/src/errors.ts': "export const ERRORS = { GONE: [404, ''] } as const" }
  const refuse = (code: string) => ({ 'service/src/gas/a.ts': `throw new Refusal(${code})` })

  test('a code in use passes, however it is chosen', () => {
    const rule = codesAreInUse({})
    expect(judge(rule, { ...ERRORS, ...refuse("'GONE'") })).toEqual([])
    expect(judge(rule, { ...ERRORS, ...refuse("isGone ? 'GONE' : 'GONE'") })).toEqual([])
    expect(judge(rule, { ...ERRORS, 'service/src/gas/a.ts': "reply('GONE')" })).toEqual([])
  })

  test('a code that nothing uses is named, unless it is awaited', () => {
    expect(judge(codesAreInUse({}), ERRORS)).toHaveLength(1)
    expect(judge(codesAreInUse({ GONE: 'withdrawals' }), ERRORS)).toEqual([])
  })

  test('an awaited code that came is named, and one that cannot come', () => {
    const came = judge(codesAreInUse({ GONE: 'gas' }), { ...ERRORS, ...refuse("'GONE'") })
    expect(came).toEqual([expect.stringContaining('take it off')])
    const never = judge(codesAreInUse({ GONE: 'gas', LOST: 'gas' }), ERRORS)
    expect(never).toEqual([expect.stringContaining('LOST is awaited')])
  })

  test('a refusal with a code outside the table is named', () => {
    const found = judge(codesAreInUse({ GONE: 'gas' }), { ...ERRORS, ...refuse("'LOST'") })
    expect(found).toEqual([expect.stringContaining('LOST is refused with')])
  })
})
