import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf } from './blocks.ts'
import { type Consumer, installClient, writeProgram } from './consumer.ts'
import { PYTHON_SOURCES } from './python.ts'
import {
  type Receiver,
  rightDelivery,
  rotatingDelivery,
  startReceiver,
  unkeyedDelivery,
  wrongDeliveries,
} from './receiving.ts'

const PAGE = 'docs/guides/verify-webhooks.md'
const TIMEOUT_MS = 120_000

/** How a sample is run, and what has to be installed for it. */
interface Language {
  file: string
  program: string
  args: readonly string[]
  probe: readonly string[]
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  js: { file: 'receiver.mjs', program: process.execPath, args: [], probe: ['--version'] },
  python: { file: 'receiver.py', program: 'python3', args: ['-u'], probe: ['--version'] },
  // With the client, which is found beside the program.
  py: { file: 'with_client.py', program: 'python3', args: ['-uB'], probe: ['--version'] },
  java: { file: 'Receiver.java', program: 'java', args: [], probe: ['-version'] },
  go: { file: 'receiver.go', program: 'go', args: ['run'], probe: ['version'] },
  php: { file: 'receiver.php', program: 'php', args: [], probe: ['--version'] },
  ruby: { file: 'receiver.rb', program: 'ruby', args: [], probe: ['-e', 'require "webrick"'] },
}

let consumer: Consumer
let folder: string
beforeAll(() => {
  consumer = installClient()
  folder = mkdtempSync(join(tmpdir(), 'sluice-guide-'))
  symlinkSync(join(PYTHON_SOURCES, 'sluice'), join(folder, 'sluice'))
})
afterAll(() => {
  consumer.close()
  rmSync(folder, { recursive: true, force: true })
})

const isThere = ({ program, probe }: Language) => spawnSync(program, probe).status === 0

/** Takes what is right, also while a secret is replaced, and nothing else. */
async function prove(receiver: Receiver): Promise<void> {
  try {
    expect(await receiver.send(rightDelivery())).toBe(204)
    expect(await receiver.send(rotatingDelivery())).toBe(204)
    for (const [wrong, delivery] of Object.entries(wrongDeliveries()))
      expect([wrong, await receiver.send(delivery)]).toEqual([wrong, 401])
  } finally {
    await receiver.end()
  }
}

/** A receiver without a usable secret does not start, or refuses every delivery. */
async function proveUnkeyed(start: (secret: string | null) => Promise<Receiver>): Promise<void> {
  for (const secret of ['', 'whsec_', null]) {
    const receiver = await start(secret).catch(String)
    if (typeof receiver === 'string') {
      expect(receiver).toContain('no receiver')
      continue
    }
    const status = await receiver.send(unkeyedDelivery())
    await receiver.end()
    expect({ secret, status }).toEqual({ secret, status: expect.toBeOneOf([401, 500]) })
  }
}

describe('the guide to verifying webhooks', () => {
  const programs = blocksOf(PAGE).filter(({ language }) => language !== 'bash')
  const samples = new Map(programs.map(({ language, code }) => [language, code]))

  test('has one sample for each language that the test can run', () => {
    expect(programs.map(({ language }) => language)).toEqual([...samples.keys()])
    expect([...samples.keys()].sort()).toEqual(['ts', ...Object.keys(LANGUAGES)].sort())
  })

  test('has a client sample that follows the rules of the guide [H07] [H08] [H09]', async () => {
    const path = await writeProgram(consumer, 'guide', samples.get('ts') ?? '')
    const start = (secret?: string | null) =>
      startReceiver(process.execPath, [path], { cwd: consumer.folder, secret })
    await prove(await start())
    await proveUnkeyed(start)
  })

  for (const [name, language] of Object.entries(LANGUAGES)) {
    const { file, program, args } = language
    const isMissing = !isThere(language)
    const title = `has a sample in ${name} that follows the rules of the guide [H07] [H08] [H09]`
    const reason = isMissing ? ` (${program} is not installed here)` : ''
    test.skipIf(isMissing)(
      `${title}${reason}`,
      async () => {
        writeFileSync(join(folder, file), samples.get(name) ?? '')
        const command = name === 'php' ? ['-S', '127.0.0.1:$PORT', file] : [...args, file]
        const start = (secret?: string | null) =>
          startReceiver(program, command, { cwd: folder, secret })
        await prove(await start())
        await proveUnkeyed(start)
      },
      TIMEOUT_MS,
    )
  }
})
