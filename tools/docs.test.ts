import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { TRACE_CODES } from '@sluice/wire'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { buildProgram, COMMANDS } from '../service/src/cli/program.ts'
import { commandLines, type CommandLine, faultOf } from './docs/commands.ts'
import { commandsInMessages } from './docs/messages.ts'
import { anchorsOf, brokenLinks } from './docs/links.ts'
import { kindsOf, strangeNames, strangeRequests } from './docs/names.ts'
import { codeIn, type Page, readPages } from './docs/pages.ts'
import { PICTURES } from './pictures/pages.ts'
import { readTree } from './tidy/tree.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAGES = readPages(ROOT)
const PICTURES_MAX = 8
const PICTURE_BYTES_MAX = 900_000

describe('the documentation', () => {
  test('has no broken link', () => {
    expect(brokenLinks(ROOT, PAGES)).toEqual([])
  })

  test('names only existing commands and options', async () => {
    const program = await buildProgram(Object.keys(COMMANDS))
    const lines = commandLines(PAGES)
    expect(lines.length).toBeGreaterThan(50)
    expect(faultsOf(program, lines)).toEqual([])
  })

  test('has only commands in messages of the program that run as printed', async () => {
    const program = await buildProgram(Object.keys(COMMANDS))
    const lines = commandsInMessages(readTree(ROOT).sources, Object.keys(COMMANDS))
    expect(lines.length).toBeGreaterThan(30)
    expect(faultsOf(program, lines)).toEqual([])
  })

  test('names only existing settings, metrics, events, alerts and codes', () => {
    expect(strangeNames(PAGES, kindsOf(metricsServed(), failureCodes()))).toEqual([])
  })

  test('names only requests that the API has', () => {
    expect(strangeRequests(PAGES)).toEqual([])
  })

  test('has only valid JSON in its JSON blocks', () => {
    const blocks = PAGES.flatMap(codeIn).filter(({ language }) => language === 'json')
    expect(blocks.length).toBeGreaterThan(10)
    const broken = blocks.filter(({ text }) => !isJson(text)).map(({ page, text }) => [page, text])
    expect(broken).toEqual([])
  })

  test('explains every outcome of a trace in the runbook', () => {
    const runbook = PAGES.find(({ path }) => path === 'docs/runbooks/missing-deposit.md')
    const text = runbook?.text ?? ''
    const missing = Object.keys(TRACE_CODES).filter((code) => !text.includes(`\`${code}\``))
    expect(missing).toEqual([])
  })

  test('has commands and the end of the incident in every runbook', () => {
    const runbooks = PAGES.filter(({ path }) => path.startsWith('docs/runbooks/'))
    expect(runbooks.length).toBe(11)
    const said = runbooks.map(({ path, text }) => ({
      path,
      over: /^## Resolved when|^\*\*Resolved when\*\*/m.test(text),
      commands: commandLines([{ path, text }]).length > 0,
    }))
    expect(said.filter(({ over, commands }) => !over || !commands)).toEqual([])
  })

  test('links every page from the index', () => {
    const index = PAGES.find(({ path }) => path === 'docs/README.md')?.text ?? ''
    const pages = PAGES.filter(({ path }) => /^docs\/(?!decisions\/|README)/.test(path))
    const lost = pages.filter(({ path }) => !index.includes(`(${path.slice('docs/'.length)})`))
    expect(lost.map(({ path }) => path)).toEqual([])
  })
})

describe('the pictures of the documentation', () => {
  const names = readdirSync(`${ROOT}docs/pictures`)
  const pictures = names.map((name) => readFileSync(`${ROOT}docs/pictures/${name}`))

  test('are those that `npm run pictures` takes, and all are on the tour', () => {
    const taken = PICTURES.map(({ name }) => `${name}.png`)
    expect(names.toSorted()).toEqual(taken.toSorted())
    const tour = PAGES.find(({ path }) => path === 'docs/dashboard.md')?.text ?? ''
    expect(names.filter((name) => !tour.includes(`](pictures/${name})`))).toEqual([])
  })

  test('are few and small', () => {
    expect(names.length).toBeLessThanOrEqual(PICTURES_MAX)
    const bytes = pictures.reduce((sum, picture) => sum + picture.length, 0)
    expect(bytes).toBeLessThanOrEqual(PICTURE_BYTES_MAX)
  })

  test('have a size and an alternative text of a few words', () => {
    // Width and height begin at byte 16 of a PNG file.
    const sizes = pictures.map((picture) => [picture.readUInt32BE(16), picture.readUInt32BE(20)])
    expect(sizes).toEqual(names.map(() => [1120, 720]))
    const texts = PAGES.flatMap(({ text }) =>
      [...text.matchAll(/!\[([^\]]*)\]\([^)]*\.png\)/g)].map(([, alt = '']) => alt),
    )
    expect(texts.length).toBeGreaterThanOrEqual(names.length)
    expect(texts.filter((alt) => alt.split(/\s+/).length < 5)).toEqual([])
  })
})

describe('the check of the documentation', () => {
  const page = (text: string): Page => ({ path: 'docs/README.md', text })
  const line = (text: string): CommandLine => {
    const [found] = commandLines([page(`\`\`\`bash\n${text}\n\`\`\``)])
    if (found === undefined) throw new Error(`no line: ${text}`)
    return found
  }

  test.each([
    ['sluice chain resume <chain> --reason "a b"', null],
    ['npx sluice config example > file.json    # every key', null],
    ['SLUICE_CONFIG=a.json npx sluice chain list', null],
    ['sluice deposits trace <transaction>', null],
    ['sluice chain resume <chain>', '--reason is missing'],
    ['sluice chain resume --reason x', 'too few words'],
    ['sluice chain resume a b --reason x', 'too many words'],
    ['sluice chain pause <chain>', 'no command pause'],
    ['sluice chain', 'no command is named'],
    ['sluice deposit list --org <id> --status Gone', '--status cannot be Gone'],
    ['sluice deposit list --org <id> --state Held', 'no option --state'],
    ['sluice wallets', 'no command wallets'],
  ])('finds in `%s`: %s', async (text, fault) => {
    const program = await buildProgram(Object.keys(COMMANDS))
    expect(faultOf(program, line(text))).toBe(fault)
  })

  test('finds links to missing files and headings', () => {
    const text = '# Documentation\n[a](nowhere.md) [b](#documentation) [c](#nothing) [d](../x.md#y)'
    expect(brokenLinks(ROOT, [page(text)])).toEqual([
      'docs/README.md: nowhere.md',
      'docs/README.md: #nothing',
      'docs/README.md: ../x.md#y',
    ])
    expect(anchorsOf(page('# A `b` & c\n## A `b` & c'))).toContain('a-b--c-1')
  })

  test('finds unknown names and requests', () => {
    const text = '`SLUICE_NOTHING`, `chains.<id>.node`, `sluice_none`, `gas.high`, `NO_SUCH_CODE`'
    const found = strangeNames([page(text)], kindsOf(metricsServed(), failureCodes()))
    expect(found).toHaveLength(5)
    expect(strangeRequests([page('`GET /payment` `GET /withdrawals/:id`')])).toEqual([
      'docs/README.md: GET /payment',
    ])
  })

  test('finds code in indented blocks and in sentences over two lines', () => {
    const found = codeIn(page('1. a\n\n   ```bash\n   sluice serve\n   ```\n\n`sluice\ndoctor`'))
    expect(found.map(({ text }) => text)).toEqual(['sluice serve\n', 'sluice doctor'])
  })
})

/** The names of all metrics, from the sources that define them. */
function metricsServed(): Set<string> {
  const sources = ['metrics', 'gauges'].map((name) =>
    readFileSync(`${ROOT}service/src/app/${name}.ts`, 'utf8'),
  )
  const words = sources.join('\n').match(/['`](?:sluice_)?[a-z]+(?:_[a-z]+)+['`]/g) ?? []
  const names = words.map((word) => word.replaceAll(/['`]|sluice_/g, ''))
  return new Set(names.map((name) => `sluice_${name}`))
}

/** The failure codes of withdrawals. */
function failureCodes(): string[] {
  const source = readFileSync(`${ROOT}service/src/withdrawals/withdrawal.ts`, 'utf8')
  return source.match(/\b[A-Z]{2,}(?:_[A-Z]+)+\b/g) ?? []
}

function faultsOf(program: Command, lines: readonly CommandLine[]): string[] {
  return lines.flatMap((line) => {
    const fault = faultOf(program, line)
    return fault === null ? [] : [`${line.page}: ${line.line}: ${fault}`]
  })
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
