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

  const page = `# Title\n\n${words(1_000)} Nobody knows.`

  test('names a folder above its budget', () => {
    expect(judge(languageIsPlain({}), { 'docs/a.md': page })).toEqual([])
    expect(judge(languageIsPlain({ docs: 5 }), { 'docs/a.md': page })).toEqual([
      'docs:1 has 10 odd phrasings in 10,000 words, 5 at most',
    ])
  })

  test('names a budget that is too high', () => {
    expect(judge(languageIsPlain({ docs: 40 }), { 'docs/a.md': page })).toEqual([
      'docs:1 has 10: lower its budget of 40',
    ])
  })

  test('reads comments and texts of sources, not code', () => {
    const code = 'const nobody = 1\nvoid nobody\n'
    const comment = `/** ${words(1_000)} Nobody, nobody, nobody. */\n${code}`
    expect(judge(languageIsPlain({}), { 'service/src/base/a.ts': comment })).toHaveLength(1)
  })

  test('ignores code of a page', () => {
    const code = `${words(1_000)}\n\n\`nobody\` \n\n\`\`\`text\nnobody nobody nobody\n\`\`\`\n`
    expect(judge(languageIsPlain({ docs: 1 }), { 'docs/a.md': `# T\n\n${code}${page}` })).toEqual([
      'docs:1 has 5 odd phrasings in 10,000 words, 1 at most',
    ])
  })
})
