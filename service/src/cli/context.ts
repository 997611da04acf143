import { userInfo } from 'node:os'
import { type Command, InvalidArgumentError } from 'commander'
import { type Config, loadConfig, processEnvironment } from '../app/config.ts'
import { type Ground, type GroundOf, openGround } from '../app/ground.ts'
import { isId } from '../base/id.ts'
import { type Log, openLog } from '../base/log.ts'
import type { Chains } from '../chains/registry.ts'
import { visibleLine, visibleValue } from './visible.ts'

/** The actor of this process in the audit log. */
export function actor(): string {
  return `cli:${userInfo().username}`
}

/** The configuration of this process. Throws ConfigProblems. */
export function readConfig(): Config {
  return loadConfig(processEnvironment())
}

/** A log on standard error for commands: errors only, unless a lower level is configured. */
export function commandLog(config: Config): Log {
  const level = config.logLevel === 'info' ? 'error' : config.logLevel
  return openLog({ level, pretty: isPretty(config), stream: 2 })
}

/** Whether log lines are for people. */
export function isPretty({ logFormat }: Config): boolean {
  return logFormat === 'pretty' || (logFormat === 'auto' && process.stdout.isTTY)
}

/** Runs a command's work with an open database and closes it afterwards. */
export async function onGround<T>(
  work: (ground: Ground) => Promise<T>,
  forWhom: GroundOf = 'command',
): Promise<T> {
  const config = readConfig()
  const ground = await openGround(config, commandLog(config), forWhom)
  try {
    return await work(ground)
  } finally {
    await ground.close()
  }
}

/** Runs a command's work with the chains that have nodes and closes them afterwards. */
export async function withChains<T>(
  ground: Pick<Ground, 'config' | 'clock' | 'random' | 'log' | 'catalogue'>,
  work: (chains: Chains) => Promise<T>,
): Promise<T> {
  // The adapters are most of the program, and few commands query a node.
  const { openChainsOf } = await import('../app/open-chains.ts')
  const chains = openChainsOf(ground, null)
  try {
    return await work(chains)
  } finally {
    await chains.close()
  }
}

/** An action from a file that is loaded when it runs: help and other actions do not wait for it. */
export function loaded<Words extends unknown[]>(
  load: () => Promise<(...words: Words) => Promise<void>>,
): (...words: Words) => Promise<void> {
  return async (...words) => (await load())(...words)
}

/** Parses the id of an organization or deposit. Wrong usage if it is malformed. */
export function parseId(text: string): string {
  if (isId(text)) return text
  throw new InvalidArgumentError('It must be an id, such as 01890a5d-ac96-774b-bcce-b302099a8057.')
}

/** Parses a count. Wrong usage if it is malformed. */
export function parseCount(text: string): number {
  if (/^[1-9][0-9]{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number from 1 to 999999.')
}

/** Parses the height of a block. Wrong usage if it is malformed. */
export function parseHeight(text: string): number {
  if (/^[0-9]{1,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be the height of a block, such as 1200.')
}

/**
 * Prints a result: as exact JSON with `--json`, otherwise as lines for people, in which direction
 * marks are escaped.
 */
export function print(command: Command, result: unknown, lines: () => readonly string[]): void {
  if (isJson(command)) {
    console.log(JSON.stringify(result, (_key, value: unknown) => plain(value), 2))
    return
  }
  for (const line of lines()) console.log(visibleLine(line))
}

/** Prints a hint on standard error if a list is as long as its limit. */
export function warnIfCut(shown: readonly unknown[], limit: number): void {
  if (shown.length < limit) return
  console.error(`There may be more than ${limit} rows: set --limit.`)
}

/** Whether `--json` was given, at any position. */
export function isJson(command: Command): boolean {
  return command.optsWithGlobals()['json'] === true
}

function plain(value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}

/** Lines of a table with a heading and aligned columns, or `none` if there are no rows. */
export function table(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
): string[] {
  if (rows.length === 0) return [none]
  const all = [heading, ...rows.map((row) => row.map(visibleValue))]
  const widths = heading.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)))
  return all.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
