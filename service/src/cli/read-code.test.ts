import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { readCode } from './read-code.ts'

function streams(typed: string, isTTY = false) {
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = new PassThrough()
  input.end(typed)
  return { input, output, asked: () => String(output.read() ?? '') }
}

test('S04 a code is read from standard input, and nothing is asked of nobody', async () => {
  const { asked, ...given } = streams(' 123456 \nnext\n')
  expect(await readCode(undefined, given)).toBe('123456')
  expect(asked()).toBe('')
})

test('S04 a person at a terminal is asked for it', async () => {
  const { asked, ...given } = streams('123456\n', true)
  expect(await readCode(undefined, given)).toBe('123456')
  expect(asked()).toBe('Two-factor code: ')
})

test('S04 one that was given with the command is taken, and nothing is read', async () => {
  const { asked, ...given } = streams('123456\n', true)
  expect(await readCode('654321', given)).toBe('654321')
  expect(asked()).toBe('')
})

test('S04 without any it is wrong usage', async () => {
  for (const typed of ['', '\n', '  \n123456\n'])
    await expect(readCode(undefined, streams(typed))).rejects.toThrow(/one-time code is missing/i)
})
