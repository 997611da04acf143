import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from './blocks.ts'
import {
  COMPILERS,
  type Consumer,
  compile,
  HAS_ORACLES,
  installClient,
  ORACLES,
  run,
} from './consumer.ts'
import { SECRET, rightDelivery } from './receiving.ts'

let consumer: Consumer
beforeAll(() => {
  consumer = installClient()
})
afterAll(() => consumer.close())

const bin = (...path: string[]) => join(ORACLES, 'node_modules', ...path)

/** Uses the types of options, records, errors, events and pages. */
const PROGRAM = `
import { createClient, isSluiceError, toBaseUnits, verifyWebhook } from '@sluice/client'
import type { Deposit, ErrorCode, Page, WebhookEvent } from '@sluice/client'

const client = createClient({ baseUrl: 'https://a.b', apiKey: async () => 'key', fetch })
export const page: Promise<Page<Deposit>> = client.payments.list({ limit: 5, from: new Date() })
export const amount: string = toBaseUnits('1', 6)
export async function codeOf(signal: AbortSignal): Promise<ErrorCode | number> {
  try {
    for await (const { amount } of client.withdrawals.all({ status: 'Failed' }, { signal }))
      if (amount === '') return amount.length
    return 0
  } catch (error) {
    if (isSluiceError(error, 'INSUFFICIENT_GAS')) return error.details.estimatedGasNeeded.length
    return isSluiceError(error) ? error.code : 1
  }
}
export function describe(event: WebhookEvent): string {
  switch (event.type) {
    case 'deposit.reverted':
      return event.payload.previousStatus
    case 'balance.updated':
      return event.payload.delta
    default:
      return event.payload satisfies object ? event.type : ''
  }
}
export const verified = (headers: Headers) => verifyWebhook(new Uint8Array(), headers, ['a', 'b'])
`

const WRONGS = [
  `client.organisation.setMinWithdrawalSigners('3')`,
  `client.payments.list({ status: 'Confirmd' })`,
  `client.payments.list({ limit: '5' })`,
  `isSluiceError(new Error(), 'DUPLICATE_REFERENC')`,
  `toDecimal(1.5, 6)`,
  `client.withdrawals.approve('id')`,
]

const BROWSER = {
  lib: ['es2023', 'dom'],
  types: [],
  module: 'esnext',
  moduleResolution: 'bundler',
}

describe('the client as it is published (checkers: npm ci --prefix tools/oracles)', () => {
  test.skipIf(!HAS_ORACLES)('is generated from the current interface', () => {
    const tool = join(ROOT, 'tools', 'generate-client.mjs')
    expect(run(process.execPath, [tool, '--check'])).toEqual({ status: 0, output: '' })
  })

  test.skipIf(!HAS_ORACLES)('passes publint without a suggestion', () => {
    const { status, output } = run(process.execPath, [
      bin('publint', 'src', 'cli.js'),
      'run',
      consumer.tarball,
      '--strict',
    ])
    expect({ status, output }).toMatchObject({
      status: 0,
      output: expect.stringContaining('All good!'),
    })
  })

  test.skipIf(!HAS_ORACLES)('passes are-the-types-wrong for every kind of import', () => {
    const tool = bin('@arethetypeswrong', 'cli', 'dist', 'index.js')
    const args = [consumer.tarball, '--profile', 'esm-only', '--format', 'json']
    const { status, output } = run(process.execPath, [tool, ...args])
    expect({ status, output }).toMatchObject({ status: 0 })
  })

  test('has no tests, sources or tools in its package', () => {
    const kinds = consumer.files.map((path) => path.replace(/^dist\/[a-z-]+\./, 'dist/*.'))
    expect([...new Set(kinds)].sort()).toEqual([
      'LICENSE',
      'README.md',
      'dist/*.d.ts',
      'dist/*.js',
      'dist/*.js.map',
      'package.json',
    ])
    const manifest: Record<string, unknown> = JSON.parse(
      readFileSync(join(ROOT, 'client', 'package.json'), 'utf8'),
    )
    for (const absent of ['private', 'dependencies', 'peerDependencies', 'scripts', 'main'])
      expect(manifest).not.toHaveProperty(absent)
    expect(manifest).toMatchObject({ sideEffects: false, type: 'module', license: 'MIT' })
  })

  test.each([
    ['Node', {}],
    ['a browser', BROWSER],
  ])('compiles with TypeScript 7 in %s', (_where, options) => {
    expect(compile(consumer, { 'program.ts': PROGRAM }, { options })).toBe('')
  })

  test.skipIf(!HAS_ORACLES)('compiles with TypeScript 5.9 in a browser', () => {
    const settings = { compiler: COMPILERS[5.9], options: BROWSER }
    expect(compile(consumer, { 'program.ts': PROGRAM }, settings)).toBe('')
  })

  test('has types that refuse parameters that the service would refuse', () => {
    const head = "import { createClient, isSluiceError, toDecimal } from '@sluice/client'"
    const made = "const client = createClient({ baseUrl: '' })"
    const right = "toDecimal('1', 6)"
    const code = [...WRONGS, right, made, head].toReversed().join('\n')
    const options = { ...BROWSER, skipLibCheck: true }
    const said = compile(consumer, { 'wrong.ts': code }, { compiler: COMPILERS[7], options })
    const lines = [...said.matchAll(/wrong\.ts\((\d+),/g)].map(([, line]) => Number(line))
    expect([...new Set(lines)]).toEqual([4, 5, 6, 7, 8, 9])
  })

  test('adds less than 3 kB to a program that only verifies webhooks', async () => {
    const code = await bundle(`export { verifyWebhook } from '@sluice/client'`)
    expect(code).toContain('webhook-signature')
    expect(code).not.toContain('/payments')
    expect(gzipSync(code).length).toBeLessThan(3_000)
  })

  test('runs with the globals of the web alone', async () => {
    const code = await bundle(`
      import { createClient, verifyWebhook } from '@sluice/client'
      globalThis.both = async (body, headers, secret) => [
        (await verifyWebhook(body, headers, secret)).payload.amount,
        (await createClient({ baseUrl: 'https://a.b', apiKey: 'k', fetch }).chains.get('x')).id,
      ]
    `)
    const { headers, body } = rightDelivery()
    const answer = { status: 200, headers: new Headers(), text: async () => '{"chain":{"id":"x"}}' }
    const web = { AbortController, Headers, TextDecoder, TextEncoder, URL, atob, clearTimeout }
    const globals = { ...web, crypto, performance, setTimeout, fetch: async () => answer }
    const context = createContext({ ...globals, body: Buffer.from(body), headers, secret: SECRET })
    runInContext(code, context)
    expect(await runInContext('both(body, headers, secret)', context)).toEqual(['25000000', 'x'])
  })
})

/** Bundles a program with the parts of the client that it uses. */
async function bundle(program: string): Promise<string> {
  const entry = join(consumer.folder, 'entry.js')
  writeFileSync(entry, program)
  const built = await build({
    root: consumer.folder,
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: true, lib: { entry, formats: ['es'] } },
  })
  const chunks = [built].flat().flatMap((one) => ('output' in one ? one.output : []))
  return chunks.map((chunk) => ('code' in chunk ? chunk.code : '')).join('')
}
