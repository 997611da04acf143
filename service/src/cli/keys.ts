import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Command } from 'commander'
import type { Config } from '../app/config.ts'
import { seedWrapper } from '../app/keys.ts'
import { systemClock } from '../base/clock.ts'
import { systemDice } from '../base/dice.ts'
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

/** `sluice keys`: the secrets of the installation. */
export function keysCommands(): Command {
  const keys = new Command('keys')
  keys
    .command('init')
    .description('make the seed (shown once) and the service key, or import a seed')
    .option('--import-file <path>', 'a file with the words of a seed ("-": standard input)')
    .option('--yes', 'do not ask for a word of the new seed to confirm that it was written down')
    .action(init)
  keys.addCommand(recoverCommand())
  return keys
}

/** Nothing is written before the words are confirmed; no file that stands is ever written over. */
async function init({ importFile, yes }: InitOptions, command: Command): Promise<void> {
  const config = readConfig()
  const isNew = importFile === undefined
  if (existsSync(config.seedFile)) {
    throw new Refusal('BAD_REQUEST', {}, `There is a seed at ${config.seedFile} already.`)
  }
  const mustAsk = isNew && yes !== true && !isJson(command)
  if (mustAsk && !process.stdin.isTTY) {
    throw new Misconfigured(
      'The words of a new seed are confirmed at a terminal, and standard input is none. Run ' +
        '`sluice keys init --yes` to skip that.',
    )
  }
  const wrapper = seedWrapper(config, systemDice)
  const madeSeedKey = make(config.seedKeyFile, (path) => createKeyFile(path, systemDice))
  const words = isNew ? createSeed(systemDice) : readWords(importFile)
  const seed = importSeed(words)
  const sealed = await sealSeed(seed, wrapper, { now: systemClock.now() })
  seed.destroy()
  if (isNew && !isJson(command)) showOnce(words)
  if (mustAsk) await confirm(words)
  make(config.seedFile, (path) => writeSeedFile(path, sealed))
  const madeServiceKey = make(config.serviceKeyFile, (path) =>
    createServiceKeyFile(path, systemDice),
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
    `The seed ${fingerprint} is sealed in ${seedFile}.`,
    ...seedKeyLine(config, madeSeedKey),
    `The service key ${madeServiceKey ? 'is' : 'was already'} in ${serviceKeyFile}.`,
    'Next: sluice org create --name <name>',
  ])
}

function seedKeyLine({ seedKeyFile }: Config, made: boolean): string[] {
  if (seedKeyFile === '') return []
  return [`The key that opens the seed ${made ? 'is' : 'was already'} in ${seedKeyFile}.`]
}

function readWords(path: string): Secret {
  try {
    return new Secret(readFileSync(path === '-' ? 0 : path, 'utf8').trim())
  } catch {
    throw new Misconfigured(`The file ${path} with the words of the seed cannot be read.`)
  }
}

/** Makes a file where there is none, and its folder; says whether it did. */
function make(path: string, create: (path: string) => void): boolean {
  if (path === '' || existsSync(path)) return false
  mkdirSync(dirname(path), { recursive: true })
  create(path)
  return true
}

/** The only time that the words are seen. */
function showOnce(words: Secret): void {
  console.log('Write these words down, in their order, and keep them where no computer reads them:')
  words
    .reveal()
    .split(' ')
    .forEach((word, at) => console.log(`${String(at + 1).padStart(4)}  ${word}`))
}

/** Whoever makes a seed must prove that its words are written down. */
async function confirm(words: Secret): Promise<void> {
  const list = words.reveal().split(' ')
  const at = Math.floor(systemDice.fraction() * list.length)
  const ask = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await ask.question(`To confirm, type word number ${at + 1}: `)
  ask.close()
  if (answer.trim().toLowerCase() === list[at]) return
  throw new Refusal('BAD_REQUEST', {}, 'The word does not match. Nothing was created.')
}
