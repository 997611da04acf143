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

/** PostgreSQL refuses to run as root; whom it runs as instead, or null for the current user. */
export interface RunAs {
  name: string
  uid: number
  gid: number
}

/** Where one embedded database lives. */
export interface Home {
  runAs: RunAs | null
  /** Holds all of it; may be entered by the user that runs the server. */
  folder: string
  data: string
  /** A link to the folder of the socket, which must be short and is therefore elsewhere. */
  socketLink: string
}

/**
 * Root's own place for data, where the folder asked for cannot be entered by anybody else (a home
 * of mode 0700).
 */
const ROOT_HOMES = '/var/lib/sluice'
/**
 * A socket's whole path must stay below 104 (macOS) or 108 (Linux) bytes, `/.s.PGSQL.5432.lock`
 * included.
 */
const SOCKET_FOLDER_MAX = 80
const SOCKET_PREFIX = 'sluice-'

/** Finds or makes the home of the database of a data folder. */
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
    'PostgreSQL does not run as root, and there is neither a user postgres nor nobody.',
  )
}

/**
 * The folder itself, or, where the server's user cannot enter it, one of root's that the folder
 * then points to.
 */
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

/** Makes a folder of mode 0700, its name unforeseeable, that belongs to whom the server runs as. */
export async function makePrivate(prefix: string, runAs: RunAs | null): Promise<string> {
  const folder = await mkdtemp(prefix)
  if (runAs) await chown(folder, runAs.uid, runAs.gid)
  return folder
}

/**
 * The socket's folder: the last one where it is still ours, else a new one with a name that nobody
 * can foresee.
 */
export async function openSocketFolder({ socketLink, runAs }: Home): Promise<string> {
  const known = await readlink(socketLink).catch(() => null)
  if (known !== null && (await isPrivate(known, runAs))) return known
  await rm(socketLink, { force: true })
  const temporary = tmpdir().length > SOCKET_FOLDER_MAX - 20 ? '/tmp' : tmpdir()
  const folder = await makePrivate(join(temporary, SOCKET_PREFIX), runAs)
  await symlink(folder, socketLink)
  return folder
}

/** After a clean stop nothing of the socket is left. */
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
