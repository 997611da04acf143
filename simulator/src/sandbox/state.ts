import { existsSync } from 'node:fs'
import { mkdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Content of `.sluice/sandbox.json`. */
export interface SandboxState {
  baseUrl: string
  controlUrl: string
  apiKey: string
  organization: { id: string; name: string }
  users: { id: string; username: string; password: string; totpSecret: string; role: string }[]
  chains: string[]
  tokens: { id: string; chainId: string; symbol: string; decimals: number }[]
}

/** The sandbox's own files; others in the folder are left alone. */
const OWN = [
  'sandbox.json',
  'sluice.config.json',
  'service.log',
  'webhooks.jsonl',
  'anvil-11155111.json',
  'anvil-97.json',
  'anvil-11155111',
  'anvil-97',
  'bitcoin.blocks',
  'bitcoind',
  'xrpl-ledgers.json',
  'tron-blocks.json',
]

/** Marks a folder as the sandbox's own, from before its first database. */
const MARKER = '.sandbox'

/**
 * Creates and marks the folder. Throws an Error if another installation has its database there: a
 * first start and `--fresh` delete the database of the folder.
 */
export async function claim(folder: string): Promise<void> {
  const isOwn = [MARKER, 'sandbox.json'].some((name) => existsSync(join(folder, name)))
  const data = join(folder, 'data')
  if (!isOwn && existsSync(data)) {
    throw new Error(
      `${data} is the database of another installation, which the sandbox does not touch. ` +
        'Choose another folder: SANDBOX_FOLDER=<folder> npm start',
    )
  }
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, MARKER), '')
}

/** Forgets everything that the sandbox ever made. */
export async function forget(folder: string): Promise<void> {
  await forgetInstallation(folder)
  for (const name of OWN) await rm(join(folder, name), { recursive: true, force: true })
}

/** Forgets the service's database and keys. */
export async function forgetInstallation(folder: string): Promise<void> {
  const data = join(folder, 'data')
  // If root runs the sandbox from a folder that is closed to others, the database is elsewhere.
  const elsewhere = await readlink(join(data, 'elsewhere')).catch(() => null)
  if (elsewhere !== null) await rm(elsewhere, { recursive: true, force: true })
  await rm(data, { recursive: true, force: true })
}

/** State of the last start; null on the first. */
export async function readState(folder: string): Promise<SandboxState | null> {
  const text = await readFile(join(folder, 'sandbox.json'), 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as SandboxState)
}

/** Secrets are in it: only the owner may read. */
export async function writeState(folder: string, state: SandboxState): Promise<void> {
  const path = join(folder, 'sandbox.json')
  await writeFile(path, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
}
