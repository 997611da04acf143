import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitBatch } from './split-batch.ts'

const split = (text: string, count: number) =>
  splitBatch(Buffer.from(text), count)?.map((part) => part.toString()) ?? null

describe('the answers to a batch', () => {
  test.each([
    [
      'as geth writes them',
      (id: number, result: string) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`,
    ],
    [
      'with the id in front',
      (id: number, result: string) => `{"id":${id},"jsonrpc":"2.0","result":${result}}`,
    ],
  ])('are found %s, with any text', (_how, write) => {
    fc.assert(
      fc.property(
        fc.array(fc.json(), { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        (results, ends) => {
          const answers = results.map((result, at) => write(at, result))
          const text = `[${answers.join(',')}]${ends ? '\n' : ''}`
          expect(split(text, answers.length)).toEqual(answers)
        },
      ),
    )
  })

  test('are found if a text inside looks like another answer', () => {
    const text = JSON.stringify('a,{"jsonrpc":"2.0","id":2,"result":0}')
    const answers = [1, 2].map((id) => `{"jsonrpc":"2.0","id":${id},"result":${text}}`)
    expect(split(`[${answers.join(',')}]`, 2)).toEqual(answers)
  })

  test.each([
    ['fewer than were asked for', '[{"id":1,"result":0}]', 2],
    ['more than were asked for', '[{"id":1,"result":0},{"id":2,"result":0}]', 1],
    [
      'one answer that is no list',
      '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}',
      1,
    ],
    ['blanks between', '[ {"id":1,"result":0} ]', 1],
    ['other keys in front', '[{"result":0,"id":1}]', 1],
    ['half a list', '[{"id":1,"result":0},{"id":2,"resu', 2],
    ['an empty list', '[]', 1],
    ['nothing', '', 1],
  ])('are left to a parser if there is %s', (_what, text, count) => {
    expect(split(text, count)).toBeNull()
  })

  test('an answer within a result makes one too many [N09]', () => {
    const inner = '{"jsonrpc":"2.0","id":7,"result":0}'
    expect(split(`[{"jsonrpc":"2.0","id":1,"result":[0,${inner}]}]`, 1)).toBeNull()
  })
})
