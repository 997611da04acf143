import { createInterface } from 'node:readline'
import { InvalidArgumentError, Option } from 'commander'

interface Streams {
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  output: NodeJS.WritableStream
}

/** Prompts are written to standard error; standard output has the result only. */
function openTerminal(): Streams {
  return { input: process.stdin, output: process.stderr }
}

/** The option for a code. For test scripts: every user of the machine can see it in `ps`. */
export function codeOption(): Option {
  const says = 'a fresh one-time code of that person; omit it to be prompted'
  return new Option('--totp <code>', says)
}

/**
 * Returns a one-time code: from the option, a prompt at the terminal, or the first line of standard
 * input. Wrong usage if it is missing.
 */
export async function readCode(
  code: string | undefined,
  { input, output }: Streams = openTerminal(),
): Promise<string> {
  if (code !== undefined) return code
  if (input.isTTY === true) output.write('Two-factor code: ')
  const line = await firstLine(input)
  if (line !== '') return line
  throw new InvalidArgumentError(
    'The one-time code is missing: type it at the prompt or pass it on standard input.',
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
