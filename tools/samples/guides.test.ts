import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Block, blocksOf } from './blocks.ts'
import { COMPILERS, type Consumer, compile, installClient } from './consumer.ts'

const GUIDES = ['docs/guides/integrate.md', 'docs/guides/verify-webhooks.md']

let consumer: Consumer
beforeAll(() => {
  consumer = installClient()
})
afterAll(() => consumer.close())

function compiled(programs: Readonly<Record<string, string>>): string {
  const given = { compiler: COMPILERS[7], options: { skipLibCheck: true } }
  return compile(consumer, programs, given)
}

const samplesOf = (page: string): Block[] =>
  blocksOf(page).filter(({ language }) => language === 'ts')

describe('the guides', () => {
  test('show no TypeScript that does not compile', () => {
    const samples = GUIDES.flatMap(samplesOf)
    expect(samples.length).toBeGreaterThanOrEqual(6)
    const programs = samples.map(({ page, line, code }) => {
      const name = `${page.replaceAll(/[/.]/g, '-')}-line-${line}.ts`
      return [name, code]
    })
    expect(compiled(Object.fromEntries(programs))).toBe('')
  })

  test('the steps of the quickstart are one program, and each a program with those before', () => {
    const steps = samplesOf('docs/quickstart.md').map(({ code }) => code)
    expect(steps.length).toBeGreaterThanOrEqual(5)
    const grown = steps.map((_, at) => [`step-${at}.ts`, steps.slice(0, at + 1).join('\n')])
    expect(compiled(Object.fromEntries(grown))).toBe('')
  })
})
