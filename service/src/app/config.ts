import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { codeOf, Misconfigured } from '../base/fault.ts'
import type { TokenEntry } from '../catalogue/tokens.ts'
import { type ChainConfig, readChains, readTokens } from './config-chains.ts'
import { isRecord } from './config-fields.ts'
import { SETTINGS, type Setting, type SettingName, type Settings } from './config-settings.ts'

/** The source of a value: a variable, a variable's file, the configuration file, or the default. */
export type Source = 'variable' | 'secret file' | 'file' | 'default'

export interface Config extends Settings {
  chains: readonly ChainConfig[]
  tokens: readonly TokenEntry[]
  /** The configuration file in use; "" without one. */
  file: string
  sources: Readonly<Record<string, Source>>
}

/** All errors of a configuration. */
export class ConfigProblems extends Misconfigured {
  override readonly name = 'ConfigProblems'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The configuration is invalid:\n${problems.map((one) => `  - ${one}`).join('\n')}`)
    this.problems = problems
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

/** The only access to the process's environment. */
export function processEnvironment(): Environment {
  return process.env
}

/**
 * Reads the configuration: variables first, then the file that `SLUICE_CONFIG` names (or
 * `sluice.config.json` if it exists), then the defaults. Empty variables and nulls in the file are
 * ignored. Relative paths start at the working folder. Throws ConfigProblems with all errors.
 */
export function loadConfig(env: Environment): Config {
  const problems: string[] = []
  const { file, content } = readConfigFile(env, problems)
  const { chains, tokens, ...scalars } = content
  problems.push(...refuseUnknown(scalars, env))
  const { settings, sources } = readSettings(env, scalars, problems)
  problems.push(...refuseLoneUrls(settings))
  const config: Config = {
    ...settings,
    chains: readChains(chains, problems),
    tokens: readTokens(tokens, problems),
    file,
    sources,
  }
  problems.push(...refusedInProduction(config))
  if (problems.length > 0) throw new ConfigProblems(problems)
  return withPaths(config)
}

function readConfigFile(
  env: Environment,
  problems: string[],
): { file: string; content: Record<string, unknown> } {
  const named = env['SLUICE_CONFIG'] || null
  const file = named ?? 'sluice.config.json'
  const nothing = { file: '', content: {} }
  let raw: string
  try {
    raw = readFileSync(file, 'utf8')
  } catch (error) {
    const isThere = codeOf(error) !== 'ENOENT'
    if (named !== null) problems.push(`SLUICE_CONFIG: cannot read the file ${file}`)
    else if (isThere) problems.push(`${file}: the user that runs this program cannot read it`)
    return nothing
  }
  const content = parseJson(raw)
  if (content !== null) return { file: resolve(file), content }
  problems.push(`${file}: must be a JSON object, such as {"port": 8080, "chains": {}}`)
  return nothing
}

function parseJson(raw: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(raw)
    return isRecord(parsed) ? parsed : null
  } catch {
    return null
  }
}

/** A misspelt name must not silently fall back to a default. */
function refuseUnknown(scalars: Record<string, unknown>, env: Environment): string[] {
  const names: string[] = Object.keys(SETTINGS)
  const settings: Setting<unknown>[] = Object.values(SETTINGS)
  const known = settings.flatMap(({ env: name, secret }) => (secret ? [name, twin(name)] : [name]))
  const others = ['SLUICE_CONFIG', 'SLUICE_TEST_DATABASE_URL']
  return [
    ...Object.keys(scalars)
      .filter((key) => !names.includes(key))
      .map((key) => `${key}: unknown key; see docs/configuration.md`),
    ...Object.keys(env)
      .filter((name) => name.startsWith('SLUICE_'))
      .filter((name) => !known.includes(name) && !others.includes(name))
      .map((name) => `${name}: unknown variable; see docs/configuration.md`),
  ]
}

function twin(name: string): string {
  return `${name}_FILE`
}

function readSettings(
  env: Environment,
  scalars: Record<string, unknown>,
  problems: string[],
): { settings: Settings; sources: Record<string, Source> } {
  const values: [string, unknown][] = []
  const sources: Record<string, Source> = {}
  const settings: [string, Setting<unknown>][] = Object.entries(SETTINGS)
  for (const [name, setting] of settings) {
    const found = findText(name, setting, env, scalars, problems)
    sources[name] = found?.source ?? 'default'
    const parsed = found === null ? { value: setting.default } : setting.parse(found.text)
    if ('value' in parsed) values.push([name, parsed.value])
    else problems.push(`${found?.where}: ${parsed.wrong}, such as ${setting.example}`)
  }
  return { settings: readAll(values), sources }
}

/** Returns the settings; the caller throws if `problems` lists any that are missing here. */
function readAll(values: readonly [string, unknown][]): Settings {
  const defaults = Object.entries(SETTINGS).map(([name, one]) => [name, one.default])
  return { ...Object.fromEntries(defaults), ...Object.fromEntries(values) } as Settings
}

/** The text of a setting and its location; null if unset. */
function findText(
  name: string,
  setting: Setting<unknown>,
  env: Environment,
  scalars: Record<string, unknown>,
  problems: string[],
): { text: string; source: Source; where: string } | null {
  const text = env[setting.env] || null
  const path = (setting.secret && env[twin(setting.env)]) || null
  if (text !== null && path !== null) {
    problems.push(`${setting.env} and ${twin(setting.env)} are both set; remove one`)
  }
  if (text !== null) return { text, source: 'variable', where: setting.env }
  if (path !== null) return readTwin(setting, path, problems)
  const scalar = scalars[name]
  if (scalar === undefined || scalar === null) return null
  const where = `${name} (${setting.env}) in the file`
  const read = asText(scalar)
  const wrong = 'must be text, a number, true or false'
  if (read === null) problems.push(`${where}: ${wrong}, such as ${setting.example}`)
  return read === null ? null : { text: read, source: 'file', where }
}

/** Reads a secret from the file that the variable with the suffix `_FILE` names. */
function readTwin(
  setting: Setting<unknown>,
  path: string,
  problems: string[],
): { text: string; source: Source; where: string } | null {
  try {
    const text = readFileSync(path, 'utf8').trim()
    // An empty file is an error: as an unset URL it would select the embedded database.
    if (text === '') problems.push(`${twin(setting.env)}: the file ${path} is empty`)
    return { text, source: 'secret file', where: twin(setting.env) }
  } catch {
    const example = '/run/secrets/sluice'
    problems.push(`${twin(setting.env)}: cannot read the file ${path}, such as ${example}`)
    return null
  }
}

/** The text of a variable for a value; null for an object or a list of other than scalars. */
function asText(value: unknown): string | null {
  const values: unknown[] = Array.isArray(value) ? value : [value]
  const isEach = values.every((one) => ['string', 'number', 'boolean'].includes(typeof one))
  return isEach ? values.join(',') : null
}

/** The owner's URL may be omitted only if both others are set. */
function refuseLoneUrls(settings: Settings): string[] {
  if (settings.databaseUrl !== '') return []
  const { databaseUrl, databaseEngineUrl, databaseApiUrl } = SETTINGS
  const pairs = [
    ['databaseEngineUrl', databaseEngineUrl.env, databaseApiUrl.env],
    ['databaseApiUrl', databaseApiUrl.env, databaseEngineUrl.env],
  ] as const
  const set = pairs.filter(([name]) => settings[name] !== '')
  if (set.length !== 1) return []
  return set.map(([, env, other]) => `${env}: also set ${databaseUrl.env} or ${other}`)
}

/** Rejects development settings in production (engineering, 29). */
function refusedInProduction(config: Config): string[] {
  if (config.environment !== 'production') return []
  const refused: string[] = []
  const development: SettingName[] = ['webhookAllowPrivate', 'webhookAllowHttp']
  for (const name of development) {
    if (config[name]) refused.push(`${SETTINGS[name].env}: is for development only; set false`)
  }
  if (config.webhookDevOrigins.length > 0) {
    refused.push(`${SETTINGS.webhookDevOrigins.env}: is for development only; leave it empty`)
  }
  if (config.testCodesUrl !== '') {
    refused.push(`${SETTINGS.testCodesUrl.env}: is for development only; leave it empty`)
  }
  if (config.crashAt !== null) {
    refused.push(`${SETTINGS.crashAt.env}: is for development only; leave it empty`)
  }
  if (config.apiKeyMayConfigure === null) {
    refused.push(`${SETTINGS.apiKeyMayConfigure.env}: must be set in production, such as false`)
  }
  for (const { id, confirmations } of config.chains) {
    if (confirmations === 0) {
      refused.push(`chains.${id}.confirmations: must be at least 1 in production`)
    }
  }
  return refused
}

function withPaths(config: Config): Config {
  const dataFolder = resolve(config.dataFolder)
  return {
    ...config,
    dataFolder,
    seedFile: resolve(config.seedFile || join(dataFolder, 'seed.json')),
    serviceKeyFile: resolve(config.serviceKeyFile || join(dataFolder, 'service.key')),
    seedKeyFile: config.seedKeyFile && resolve(config.seedKeyFile),
    signerSocket: config.signerSocket && resolve(config.signerSocket),
    signerStore: resolve(config.signerStore || join(dataFolder, 'signer.log')),
  }
}

/** The rules for the targets of webhooks. */
export function targetRules(config: Config) {
  return {
    allowHttp: config.webhookAllowHttp,
    allowPrivate: config.webhookAllowPrivate,
    devOrigins: config.webhookDevOrigins,
  }
}
