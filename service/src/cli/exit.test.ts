import { readFileSync } from 'node:fs'
import { CommanderError, InvalidArgumentError } from 'commander'
import { afterEach, expect, test, vi } from 'vitest'
import { ConfigProblems } from '../app/config.ts'
import { Bug } from '../base/assert.ts'
import { Misconfigured, Outage, Refusal } from '../base/fault.ts'
import { EXIT, EXIT_MEANS, fail } from './exit.ts'

afterEach(() => vi.restoreAllMocks())

test.each([
  ['help that was asked for', new CommanderError(0, 'commander.help', ''), 0],
  ['an unknown command', new CommanderError(1, 'commander.unknownCommand', ''), 2],
  ['an invalid argument', new InvalidArgumentError('It must be an id.'), 2],
  ['a configuration', new ConfigProblems(['port: 0']), 2],
  ['a missing key', new Misconfigured('There is no seed.'), 2],
  ['a database outage', new Outage('database', 'no answer'), 3],
  ['a refusal', new Refusal('NOT_FOUND'), 4],
  ['a bug', new Bug('a value outside its closed set', { value: 1n }), 1],
  ['an unexpected error', new Error('ENOSPC'), 1],
  ['a thrown value that is not an error', 'text', 1],
])('ends with the code of the table after %s', (_what, error, code) => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  expect(fail(error)).toBe(code)
  for (const [text] of printed.mock.calls) expect(String(text)).not.toBe('')
})

test('prints the table of exit codes in the operations page as the code has it', () => {
  const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('\n## The command line\n')
  const rows = [...section.matchAll(/^\| (\d) \| (.+) \|$/gm)].map(([, code, text]) => [
    Number(code),
    text,
  ])
  const names = Object.keys(EXIT) as (keyof typeof EXIT)[]
  expect(rows).toEqual(names.map((name) => [EXIT[name], EXIT_MEANS[name]]))
})
