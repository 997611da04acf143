import { fail } from './exit.ts'
import { buildProgram } from './program.ts'

try {
  const program = await buildProgram(process.argv.slice(2))
  await program.parseAsync()
} catch (error) {
  process.exitCode = fail(error)
}
