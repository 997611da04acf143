import { describe, expect, test } from 'vitest'
import { noHiddenInputs } from './banned.ts'
import { judge } from './judge.ts'

const PATH = 'service/src/deposits/detect.ts'

describe('hidden inputs', () => {
  test.each([
    ['process.env.HOME', 'app/config.ts'],
    ["process['env']", 'app/config.ts'],
    ["import { env } from 'node:process'", 'app/config.ts'],
    ['Date.now()', 'clock.now()'],
    ['const read = Date.now', 'clock.now()'],
    ['new Date(0)', 'base/clock.ts'],
    ['Date()', 'base/clock.ts'],
    ['performance.now()', 'base/clock.ts'],
    ['setTimeout(work, 1)', 'clock.sleep'],
    ['globalThis.setInterval(work, 1)', 'clock.sleep'],
    ['start({ later: setTimeout })', 'clock.sleep'],
    ["import { setTimeout as wait } from 'node:timers/promises'", 'clock.sleep'],
    ['Math.random()', 'base/random.ts'],
    ["import { randomBytes } from 'node:crypto'", 'base/random.ts'],
    ['crypto.getRandomValues(bytes)', 'base/random.ts'],
    ['crypto.randomUUID()', 'base/random.ts'],
    ["import { randomBytes as more } from '@noble/hashes/utils.js'", 'base/random.ts'],
    ['generateMnemonic(words)', 'random bytes'],
    ['secp256k1.utils.randomSecretKey()', 'random bytes'],
    ['await fetch(url)', 'chains/http.ts'],
    ['const send = options.fetch ?? fetch', 'chains/http.ts'],
    ["import { request } from 'undici'", 'chains/http.ts'],
    ["import { request } from 'node:https'", 'chains/http.ts'],
    ["import * as http from 'node:http'", 'chains/http.ts'],
    ["import { createServer } from 'node:http'", 'api/'],
    ["import { spawn } from 'node:child_process'", 'store/embedded.ts'],
    ["console.log('found')", 'base/log.ts'],
  ])('%s in a module is named, with the advice %s', (text, instead) => {
    expect(judge(noHiddenInputs, { [PATH]: text })).toContainEqual(expect.stringContaining(instead))
  })

  test.each([
    '// Date.now() and fetch(url) in a comment',
    'const text = "new Date(0), process.env.HOME"',
    'const text = `console.log(${name})`',
    'const pattern = /Math.random()/',
    'clock.fetch(url)',
    'node.setTimeout(5)',
    'interface Node { fetch(url: string): void; setTimeout: number }',
    'function open({ fetch }: Options) {}',
    'const isDate = value instanceof Date',
    "import type { IncomingMessage } from 'node:http'",
    "import { type IncomingMessage } from 'node:http'",
  ])('%s passes', (text) => {
    expect(judge(noHiddenInputs, { [PATH]: text })).toEqual([])
  })

  test.each([
    ['service/src/app/config-file.ts', 'process.env'],
    ['simulator/src/sandbox/main.ts', 'process.env'],
    ['service/src/base/clock.ts', 'Date.now()'],
    ['service/src/base/random.ts', 'Math.random()'],
    ['service/src/chains/http.ts', 'fetch(url)'],
    ['service/src/webhooks/deliver.ts', "import { request } from 'undici'"],
    ['service/src/app/metrics.ts', "import { createServer } from 'node:http'"],
    ['service/src/store/embedded-start.ts', "import { spawn } from 'node:child_process'"],
    ['service/src/cli/serve.ts', "console.log('ready')"],
    ['simulator/src/receiver.ts', "import { createServer } from 'node:http'; Date.now()"],
    ['service/src/deposits/detect.test.ts', 'Date.now(); fetch(url); process.env'],
    ['service/test/flows/a.ts', 'setTimeout(work, 1)'],
    ['client/src/client.ts', 'fetch(url)'],
    ['bench/scan.ts', 'process.env'],
  ])('%s may contain %s', (path, text) => {
    expect(judge(noHiddenInputs, { [path]: text })).toEqual([])
  })
})
