import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Command } from 'commander'
import type { Config } from '../app/config.ts'
import { seedWrapper } from '../app/keys.ts'
import { systemClock } from '../base/clock.ts'
import { systemRandom } from '../base/random.ts'
import { Misconfigured, Refusal } from '../base/fault.ts'
import { Secret } from '../base/secret.ts'
import { createKeyFile } from '../keys/key-file.ts'
import { createSeed, importSeed, sealSeed, writeSeedFile } from '../keys/seed-file.ts'
import { createServiceKeyFile } from '../keys/service-key.ts'
import { isJson, print, readConfig } from './context.ts'
import { recoverCommand } from './recover.ts'

interface InitOptions {
  importFile?: string
  yes?: boolean
}

/** `sluice keys`: the seed and the service key. */
export function keysCommands(): Command {
  const keys = new Command('keys')
  keys
    .command('init')
    .description('create the seed (shown once) and the service key, or import a seed')
    .option('--import-file <path>', 'import the words of a seed from a file ("-": standard input)')
    .option('--yes', 'do not ask for a word of the new seed as confirmation')
    .action(init)
  keys.addCommand(recoverCommand())
  return keys
}

/** Writes files only after the words are confirmed, and never overwrites a file. */
async function init({ importFile, yes }: InitOptions, command: Command): Promise<void> {
  const config = readConfig()
  const isNew = importFile === undefined
  if (existsSync(config.seedFile)) {
    throw new Refusal('BAD_REQUEST', {}, `A seed already exists at ${config.seedFile}.`)
  }
  const mustAsk = isNew && yes !== true && !isJson(command)
  if (mustAsk && !process.stdin.isTTY) {
    throw new Misconfigured(
      'Standard input is not a terminal, so the words of a new seed cannot be confirmed. Run ' +
        '`sluice keys init --yes` to skip the confirmation.',
    )
  }
  const wrapper = seedWrapper(config, systemRandom)
  const madeSeedKey = make(config.seedKeyFile, (path) => createKeyFile(path, systemRandom))
  const words = isNew ? createSeed(systemRandom) : readWords(importFile)
  const seed = importSeed(words)
  const sealed = await sealSeed(seed, wrapper, { now: systemClock.now() })
  seed.destroy()
  if (isNew && !isJson(command)) showOnce(words)
  if (mustAsk) await confirm(words)
  make(config.seedFile, (path) => writeSeedFile(path, sealed))
  const madeServiceKey = make(config.serviceKeyFile, (path) =>
    createServiceKeyFile(path, systemRandom),
  )
  const { seedFile, serviceKeyFile } = config
  const { fingerprint } = sealed
  const shown = {
    seedFile,
    fingerprint,
    serviceKeyFile,
    ...(isNew ? { words: words.reveal() } : {}),
  }
  print(command, shown, () => [
    `Seed ${fingerprint} is encrypted in ${seedFile}.`,
    ...seedKeyLine(config, madeSeedKey),
    `The service key ${madeServiceKey ? 'is' : 'was already'} in ${serviceKeyFile}.`,
    'Next: sluice org create --name <name>',
  ])
}

function seedKeyLine({ seedKeyFile }: Config, made: boolean): string[] {
  if (seedKeyFile === '') return []
  return [`The key file of the seed ${made ? 'is' : 'was already'} at ${seedKeyFile}.`]
}

function readWords(path: string): Secret {
  try {
    return new Secret(readFileSync(path === '-' ? 0 : path, 'utf8').trim())
  } catch {
    throw new Misconfigured(`The seed file ${path} cannot be read.`)
  }
}

/** Creates a file and its folder unless the file exists; returns whether it did. */
function make(path: string, create: (path: string) => void): boolean {
  if (path === '' || existsSync(path)) return false
  mkdirSync(dirname(path), { recursive: true })
  create(path)
  return true
}

/** Prints the words, which are never shown again. */
function showOnce(words: Secret): void {
  console.log('Write down these words in this order and keep them offline:')
  words
    .reveal()
    .split(' ')
    .forEach((word, at) => console.log(`${String(at + 1).padStart(4)}  ${word}`))
}

/** Asks for one word, to make sure that the words were written down. */
async function confirm(words: Secret): Promise<void> {
  const list = words.reveal().split(' ')
  const at = Math.floor(systemRandom.fraction() * list.length)
  const ask = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await ask.question(`To confirm, type word number ${at + 1}: `)
  ask.close()
  if (answer.trim().toLowerCase() === list[at]) return
  throw new Refusal('BAD_REQUEST', {}, 'The word does not match. Nothing was created.')
}
