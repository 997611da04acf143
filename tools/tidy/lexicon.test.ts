import { describe, expect, test } from 'vitest'
import { judge } from './judge.ts'
import { languageIsPlain, oddPhrasesIn } from './lexicon.ts'

const words = (count: number) => 'plain words '.repeat(count / 2)

describe('the lexicon', () => {
  test.each([
    ['The scanner retries a failed request.', 0],
    ['Returns null if the block is unknown.', 0],
    ['What does a deposit cost?', 0],
    ['Whoever asks is told of it anew.', 4],
    ['A URL that is none.', 1],
    ['It stands in block 246.', 1],
  ])('counts the odd phrasings of %s', (text, count) => {
    expect(oddPhrasesIn(text)).toHaveLength(count)
  })

  test('names a folder above the limit', () => {
    const page = (odd: string) => ({ 'docs/a.md': `# Title\n\n${words(1_000)} ${odd}` })
    expect(judge(languageIsPlain, page('Nobody knows.'))).toEqual([])
    expect(judge(languageIsPlain, page('Nobody, nobody and nobody.'))).toEqual([
      'docs:1 has 30 odd phrasings in 10,000 words, 20 at most',
    ])
  })

  test('reads comments and texts of sources, not code', () => {
    const code = 'const nobody = 1\nvoid nobody\n'
    const source = (odd: string) => ({
      'service/src/base/a.ts': `/** ${words(1_000)} ${odd}. */\n${code}`,
    })
    expect(judge(languageIsPlain, source('Plain'))).toEqual([])
    expect(judge(languageIsPlain, source('Nobody, nobody, nobody'))).toHaveLength(1)
  })

  test('ignores code of a page', () => {
    const code = '`nobody`\n\n```text\nnobody nobody nobody\n```\n'
    expect(judge(languageIsPlain, { 'docs/a.md': `# T\n\n${words(1_000)}\n\n${code}` })).toEqual([])
  })
})
