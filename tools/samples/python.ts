import { join } from 'node:path'
import { ROOT } from './blocks.ts'
import { type Ran, run } from './consumer.ts'

/** The folder with the Python client, as a path for imports. */
export const PYTHON_SOURCES = join(ROOT, 'client-python', 'src')

const PROGRAM = 'python3'
const IS_OLD = 'import sys; sys.exit(sys.version_info < (3, 9))'

/** Whether Python 3.9 or newer is installed. */
export const HAS_PYTHON = run(PROGRAM, ['-c', IS_OLD]).status === 0

/** The reason in the name of a test that is skipped without it. */
export const NO_PYTHON = HAS_PYTHON ? '' : ' (python3, 3.9 or newer, is not installed here)'

/** The environment of a program that imports the client and leaves no compiled files behind. */
export const PYTHON_ENV = {
  ...process.env,
  PYTHONPATH: PYTHON_SOURCES,
  PYTHONDONTWRITEBYTECODE: '1',
}

/** Runs a program of Python to its end, in the folder of the client. */
export function python(args: readonly string[], env: NodeJS.ProcessEnv = {}): Ran {
  const cwd = join(ROOT, 'client-python')
  return run(PROGRAM, args, { cwd, env: { ...PYTHON_ENV, ...env } })
}
