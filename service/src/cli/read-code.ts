import { createInterface } from 'node:readline'
import { InvalidArgumentError, Option } from 'commander'

interface Streams {
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  output: NodeJS.WritableStream
}

/** Where a person types, who is asked on standard error: the result alone is on the other one. */
const TERMINAL: Streams = { input: process.stdin, output: process.stderr }

/** The flag that bears a code, for scripts of tests: `ps` shows it to everybody on the machine. */
export function codeOption(): Option {
  const says = 'a fresh two-factor code of that person; better left out: it is asked for then'
  return new Option('--totp <code>', says)
}

/**
 * A fresh two-factor code: the one that was given with the command, else what is typed at a
 * terminal, or the first line of standard input. Wrong usage where there is none.
 */
export async function readCode(
  given: string | undefined,
  { input, output }: Streams = TERMINAL,
): Promise<string> {
  if (given !== undefined) return given
  if (input.isTTY === true) output.write('Two-factor code: ')
  const code = await firstLine(input)
  if (code !== '') return code
  throw new InvalidArgumentError(
    'There is no two-factor code: type it when it is asked for, or give it on standard input.',
  )
}

async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input })
  try {
    for await (const line of lines) return line.trim()
    return ''
  } finally {
    lines.close()
  }
}
