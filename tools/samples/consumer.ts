import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { transformWithOxc } from 'vite'
import { ROOT } from './blocks.ts'

/** A project that has installed the packed client and no other package of the repository. */
export interface Consumer {
  folder: string
  tarball: string
  /** The files of the package. */
  files: string[]
  close(): void
}

/** Builds, packs and installs the client as `npm publish` and `npm install` would, offline. */
export function installClient(): Consumer {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-consumer-'))
  must(process.execPath, [join(ROOT, 'tools', 'build.mjs'), '--if-stale'])
  const npm = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]
  must('npm', npm, { cwd: join(ROOT, 'client') })
  const [name = ''] = readdirSync(folder)
  const tarball = join(folder, name)
  const home = join(folder, 'node_modules', '@sluice', 'client')
  mkdirSync(home, { recursive: true })
  must('tar', ['-xzf', tarball, '-C', home, '--strip-components=1'])
  mkdirSync(join(folder, 'node_modules', '@types'))
  for (const types of ['@types/node', 'undici-types'])
    symlinkSync(join(ROOT, 'node_modules', types), join(folder, 'node_modules', types))
  writeFileSync(join(folder, 'package.json'), '{"type": "module", "private": true}')
  const listed = run('tar', ['-tzf', tarball]).output.trim().split('\n')
  const close = () => rmSync(folder, { recursive: true, force: true })
  return { folder, tarball, files: listed.map((path) => path.replace('package/', '')), close }
}

/** Checkers of a release and independent implementations are installed apart. */
export const ORACLES = join(ROOT, 'tools', 'oracles')
export const HAS_ORACLES = existsSync(join(ORACLES, 'node_modules'))

export const COMPILERS = {
  5.9: join(ORACLES, 'node_modules', 'typescript', 'bin', 'tsc'),
  7: join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'),
}

/** The errors of a compiler for programs in the consumer's folder; "" if it has none. */
export function compile(
  { folder }: Consumer,
  programs: Readonly<Record<string, string>>,
  { compiler = COMPILERS[7], options = {} }: { compiler?: string; options?: object } = {},
): string {
  for (const [name, code] of Object.entries(programs)) writeFileSync(join(folder, name), code)
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    ...options,
  }
  const project = join(folder, 'tsconfig.json')
  writeFileSync(project, JSON.stringify({ compilerOptions, files: Object.keys(programs) }))
  return run(process.execPath, [compiler, '-p', project], { cwd: folder }).output
}

/** Writes a program of TypeScript into the consumer's folder as JavaScript, and gives its path. */
export async function writeProgram({ folder }: Consumer, name: string, code: string) {
  const path = join(folder, `${name}.js`)
  const { code: script } = await transformWithOxc(code, `${name}.ts`, { sourcemap: false })
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, script)
  return path
}

export interface Ran {
  status: number | null
  output: string
}

/** Runs a program to its end. */
export function run(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; input?: string } = {},
): Ran {
  const ran = spawnSync(program, args, { encoding: 'utf8', ...options })
  return { status: ran.status, output: `${ran.stdout ?? ''}${ran.stderr ?? ''}` }
}

function must(program: string, args: readonly string[], options: { cwd?: string } = {}): void {
  const { status, output } = run(program, args, options)
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${output}`)
}
