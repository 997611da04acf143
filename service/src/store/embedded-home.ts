import { spawnSync } from 'node:child_process'
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  rm,
  symlink,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Misconfigured } from '../base/fault.ts'

/** The user for PostgreSQL, which refuses to run as root; null for the current user. */
export interface RunAs {
  name: string
  uid: number
  gid: number
}

/** The folders of an embedded database. */
export interface Home {
  runAs: RunAs | null
  /** Contains everything; accessible to the server's user. */
  folder: string
  data: string
  /** A link to the socket folder, which is elsewhere because its path must be short. */
  socketLink: string
}

/** Root's folder for data, used if the server's user cannot enter the configured folder. */
const ROOT_HOMES = '/var/lib/sluice'
/** The path of a socket must be below 104 (macOS) or 108 (Linux) bytes with its file name. */
const SOCKET_FOLDER_MAX = 80
const SOCKET_PREFIX = 'sluice-'

/** Finds or creates the folders of a database. */
export async function openHome(dataFolder: string): Promise<Home> {
  const asked = resolve(dataFolder)
  await mkdir(asked, { recursive: true })
  const runAs = await whomToRunAs()
  const folder = await enterable(asked, runAs)
  return {
    runAs,
    folder,
    data: join(folder, 'data'),
    socketLink: join(folder, 'socket'),
  }
}

async function whomToRunAs(): Promise<RunAs | null> {
  if (process.getuid?.() !== 0) return null
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const name of ['postgres', 'nobody']) {
    const found = users.find((fields) => fields[0] === name)
    if (found) return { name, uid: Number(found[2]), gid: Number(found[3]) }
  }
  throw new Misconfigured(
    'PostgreSQL does not run as root, and the users postgres and nobody do not exist.',
  )
}

/** The folder itself, or a folder of root that it links to if the server's user cannot enter it. */
async function enterable(asked: string, runAs: RunAs | null): Promise<string> {
  if (runAs === null || canEnter(asked, runAs)) return asked
  const pointer = join(asked, 'elsewhere')
  const known = await readlink(pointer).catch(() => null)
  if (known !== null) return known
  await mkdir(ROOT_HOMES, { recursive: true, mode: 0o755 })
  const made = await mkdtemp(join(ROOT_HOMES, 'postgresql-'))
  await chmod(made, 0o755)
  await symlink(made, pointer)
  return made
}

function canEnter(folder: string, { uid, gid }: RunAs): boolean {
  return spawnSync('test', ['-x', folder], { uid, gid, stdio: 'ignore' }).status === 0
}

/** Creates a folder (0700) with a random name for the server's user. */
export async function makePrivate(prefix: string, runAs: RunAs | null): Promise<string> {
  const folder = await mkdtemp(prefix)
  if (runAs) await chown(folder, runAs.uid, runAs.gid)
  return folder
}

/** The socket folder: the previous one if it still belongs to us, else a new one. */
export async function openSocketFolder({ socketLink, runAs }: Home): Promise<string> {
  const known = await readlink(socketLink).catch(() => null)
  if (known !== null && (await isPrivate(known, runAs))) return known
  await rm(socketLink, { force: true })
  const temporary = tmpdir().length > SOCKET_FOLDER_MAX - 20 ? '/tmp' : tmpdir()
  const folder = await makePrivate(join(temporary, SOCKET_PREFIX), runAs)
  await symlink(folder, socketLink)
  return folder
}

/** Removes the socket folder after a clean stop. */
export async function closeSocketFolder({ socketLink }: Home): Promise<void> {
  const known = await readlink(socketLink).catch(() => null)
  await rm(socketLink, { force: true })
  if (known !== null) await rm(known, { recursive: true, force: true })
}

async function isPrivate(folder: string, runAs: RunAs | null): Promise<boolean> {
  const found = await lstat(folder).catch(() => null)
  const owner = runAs ? runAs.uid : process.getuid?.()
  return Boolean(found?.isDirectory() && found.uid === owner && (found.mode & 0o077) === 0)
}
