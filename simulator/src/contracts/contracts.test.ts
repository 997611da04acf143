import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import * as committed from './init-code.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const SOURCES = ['TestToken.sol', 'Rogue.sol']
const COMPILE_LIMIT_MS = 120_000
// UPDATE_INIT_CODE=1 writes the init code.
const ORACLES = at('../../../tools/oracles')
const isMissing = !existsSync(`${ORACLES}/node_modules/solc`)

test.skipIf(isMissing)(
  'the committed init code equals what solc compiles (npm ci --prefix tools/oracles)',
  () => {
    const compiled = compileAll()
    if (process.env['UPDATE_INIT_CODE'] === '1') {
      writeFileSync(at('./init-code.ts'), moduleText(compiled))
      return
    }
    expect({ ...committed }).toEqual(compiled)
  },
  COMPILE_LIMIT_MS,
)

interface Compiler {
  compile(input: string): string
}

interface Compiled {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>
}

/** Name of the constant to init code, for each contract of the sources. */
function compileAll(): Record<string, string> {
  const texts = SOURCES.map((name) => [name, { content: readFileSync(at(`./${name}`), 'utf8') }])
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(texts),
    settings: {
      // Old enough for each chain, and without the metadata that would change with a comment.
      evmVersion: 'paris',
      optimizer: { enabled: true, runs: 200 },
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
    },
  }
  const solc = createRequire(`${ORACLES}/package.json`)('solc') as Compiler
  const output: Compiled = JSON.parse(solc.compile(JSON.stringify(input)))
  const complaints = (output.errors ?? []).map((error) => error.formattedMessage)
  expect(complaints).toEqual([])
  const contracts = Object.values(output.contracts ?? {}).flatMap(Object.entries)
  return Object.fromEntries(
    contracts.map(([name, { evm }]) => [constantOf(name), `0x${evm.bytecode.object}`]),
  )
}

/** TestToken becomes TEST_TOKEN. */
function constantOf(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()
}

function moduleText(compiled: Record<string, string>): string {
  const constants = Object.entries(compiled).map(([name, code]) => {
    const lines = code.slice(2).match(/.{1,96}/g) ?? []
    return `export const ${name}: Hex = joined(\`\n${lines.join('\n')}\n\`)\n`
  })
  return [
    "import type { Hex } from '../hex.ts'\n",
    '// Written by contracts.test.ts from the Solidity sources beside this file.\n',
    ...constants,
    "function joined(lines: string): Hex {\n  return `0x${lines.replaceAll('\\n', '')}`\n}\n",
  ].join('\n')
}
