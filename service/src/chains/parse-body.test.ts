import { describe, expect, test } from 'vitest'
import { Unfinished } from './http.ts'
import { parseBody, parseBodyExactly } from './parse-body.ts'

const NODE = 'node'
const MANY = 500_000

const bodyOf = (text: string) => Buffer.from(text)
const listOf = (item: string) => bodyOf(`[${Array(MANY).fill(item).join(',')}]`)

describe('the body of an answer', () => {
  test('is read without its byte order mark', () => {
    expect(parseBody(NODE, bodyOf('\uFEFF{"a":1}'))).toEqual({ a: 1 })
    expect(parseBodyExactly(NODE, bodyOf('\uFEFF{"a":1}'))).toEqual({ a: '1' })
  })

  test('is parsed as JSON, or undefined if invalid', () => {
    expect(parseBody(NODE, bodyOf('{"a":[1.50,"x"]}'))).toEqual({ a: [1.5, 'x'] })
    expect(parseBodyExactly(NODE, bodyOf('{"a":[1.50,"x"]}'))).toEqual({ a: ['1.50', 'x'] })
    for (const text of ['', '<html>', '{"a":', '\u0000']) {
      expect(parseBody(NODE, bodyOf(text))).toBeUndefined()
      expect(parseBodyExactly(NODE, bodyOf(text))).toBeUndefined()
    }
  })

  test.each(['{}', '[]', '[[]]', '{"a":{}}', '{"abcdefgh":[]}'])(
    'N09 with no end of %s is too much, however it is read',
    (item) => {
      const body = listOf(item)
      expect(() => parseBody(NODE, body)).toThrow(Unfinished)
      expect(() => parseBodyExactly(NODE, body)).toThrow('more objects and lists')
    },
  )

  test('with as many lists as the densest of true ones is read [N09]', () => {
    const item = `{"address":"0x${'a'.repeat(40)}","storageKeys":[]}`
    const body = bodyOf(`[${Array(20_000).fill(item).join(',')}]`)
    expect(body.length).toBeGreaterThan(1_000_000)
    expect(parseBody(NODE, body)).toHaveLength(20_000)
  })

  test('whose texts are full of brackets is read: a contract may have written them [N09]', () => {
    const said = '{[\\"{[\\\\'.repeat(MANY)
    const body = bodyOf(`{"revertReason":"${said}","error":"{["}`)
    expect(parseBody(NODE, body)).toMatchObject({ error: '{[' })
  })

  test('a short one is read with any content', () => {
    expect(parseBody(NODE, bodyOf(`[${'{},'.repeat(1_000)}{}]`))).toHaveLength(1_001)
  })
})
