import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { readCode } from './read-code.ts'

function streams(typed: string, isTTY = false) {
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = new PassThrough()
  input.end(typed)
  return { input, output, asked: () => String(output.read() ?? '') }
}

test('a code is read from standard input, without a prompt outside a terminal [S04]', async () => {
  const { asked, ...terminal } = streams(' 123456 \nnext\n')
  expect(await readCode(undefined, terminal)).toBe('123456')
  expect(asked()).toBe('')
})

test('a code is prompted for at a terminal [S04]', async () => {
  const { asked, ...terminal } = streams('123456\n', true)
  expect(await readCode(undefined, terminal)).toBe('123456')
  expect(asked()).toBe('Two-factor code: ')
})

test('a code on the command line is used, and standard input is not read [S04]', async () => {
  const { asked, ...terminal } = streams('123456\n', true)
  expect(await readCode('654321', terminal)).toBe('654321')
  expect(asked()).toBe('')
})

test('a missing code is wrong usage [S04]', async () => {
  for (const typed of ['', '\n', '  \n123456\n'])
    await expect(readCode(undefined, streams(typed))).rejects.toThrow(/one-time code is missing/i)
})
