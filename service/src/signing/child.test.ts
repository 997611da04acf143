import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { SignerChild } from './child.ts'
import { RemoteSigner, SignerAway } from './remote-signer.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-signer-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

describe('a signer as a child', () => {
  test('is started again after it died, with a pause that grows', async () => {
    let now = 1_000_000
    const child = await childOf(() => now)
    const signer = new RemoteSigner(child.connect, 20_000, systemClock)
    expect(await signer.fingerprint()).toBe('5d770e82')
    const before = child.pid
    process.kill(before ?? 0, 'SIGKILL')
    await expect(untilAway(signer)).resolves.toBeInstanceOf(SignerAway)
    await expect(signer.fingerprint()).rejects.toThrow('is started again in')
    now += 250
    expect(await signer.fingerprint()).toBe('5d770e82')
    expect(child.pid).not.toBe(before)
    process.kill(child.pid ?? 0, 'SIGKILL')
    await untilAway(signer)
    now += 250
    await expect(signer.fingerprint()).rejects.toThrow('is started again in')
    now += 250
    expect(await signer.fingerprint()).toBe('5d770e82')
    child.stop()
  })

  test('is not started again after it was stopped', async () => {
    const child = await childOf(() => 0)
    const signer = new RemoteSigner(child.connect, 20_000, systemClock)
    await signer.fingerprint()
    child.stop()
    await untilAway(signer)
    await expect(signer.fingerprint()).rejects.toThrow('stopped')
  })

  test('rejects requests when it cannot be started', async () => {
    const program = join(folder, 'missing')
    const child = new SignerChild({ program, words: [], environment: {}, now: () => 0 })
    await expect(
      new RemoteSigner(child.connect, 20_000, systemClock).fingerprint(),
    ).rejects.toThrow(SignerAway)
  })
})

/** A program that answers each request with a fingerprint. */
const PROGRAM = `#!/usr/bin/env node
let rest = Buffer.alloc(0)
process.stdin.on('data', (chunk) => {
  rest = Buffer.concat([rest, chunk])
  while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE(0)) {
    const { id } = JSON.parse(rest.subarray(4, 4 + rest.readUInt32BE(0)).toString())
    rest = rest.subarray(4 + rest.readUInt32BE(0))
    const json = Buffer.from(JSON.stringify({ id, result: '5d770e82' }))
    const head = Buffer.alloc(4)
    head.writeUInt32BE(json.length)
    process.stdout.write(Buffer.concat([head, json]))
  }
})
`

async function childOf(now: () => number): Promise<SignerChild> {
  const program = join(folder, 'signer.mjs')
  await writeFile(program, PROGRAM)
  const words = [program]
  return new SignerChild({ program: process.execPath, words, environment: process.env, now })
}

/** Asks until the signer does not answer; a killed process takes a moment to end. */
async function untilAway(signer: RemoteSigner): Promise<unknown> {
  for (;;) {
    try {
      await signer.fingerprint()
    } catch (error) {
      return error
    }
  }
}
