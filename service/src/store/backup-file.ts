import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  constants,
  copyFileSync,
  createReadStream,
  createWriteStream,
  existsSync,
  linkSync,
  rmSync,
} from 'node:fs'
import type { WriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { finished } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { codeOf, Misconfigured, Refusal } from '../base/fault.ts'

/** A backup contains everything except the keys. */
const OWNER_ONLY = 0o600
/** Error codes of file systems without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/**
 * Writes lines into a new compressed file. The last line contains their number and SHA-256, which
 * proves that the file is complete. The file gets its name when all of it is on disk, except on
 * file systems without hard links. Throws if the name is taken or the file cannot be written.
 */
export async function writeBackupFile(
  path: string,
  work: (onLine: (line: string) => Promise<void>) => Promise<void>,
  link: typeof linkSync = linkSync,
): Promise<void> {
  if (existsSync(path)) throw new Refusal('BAD_REQUEST', {}, `The file ${path} already exists.`)
  const part = `${path}.part`
  const file = await openNew(part)
  const gzip = createGzip()
  const written = finished(gzip.pipe(file))
  // Awaited below; until then a full disk must not end the process.
  written.catch(() => undefined)
  try {
    await writeProved(work, async (line) => {
      if (!gzip.write(`${line}\n`)) await Promise.race([once(gzip, 'drain'), written])
    })
    gzip.end()
    await written
    await syncPath(part)
    await nameNew(part, path, link)
    await syncPath(dirname(path))
  } finally {
    gzip.destroy()
    file.destroy()
    rmSync(part, { force: true })
  }
}

/**
 * Gives a file its name without replacing another file, as a rename would. Copies it on file
 * systems without hard links (network shares, FUSE).
 */
async function nameNew(part: string, path: string, link: typeof linkSync): Promise<void> {
  try {
    link(part, path)
    return
  } catch (error) {
    if (!NO_LINKS.has(codeOf(error))) throw error
  }
  copyFileSync(part, path, constants.COPYFILE_EXCL)
  try {
    await syncPath(path)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}

/** Opened before the database is read, so that its errors are not taken for the database's. */
async function openNew(path: string): Promise<WriteStream> {
  const file = createWriteStream(path, { mode: OWNER_ONLY, flags: 'wx' })
  try {
    await once(file, 'open')
    return file
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Misconfigured(`The backup cannot be written: ${why}.`, { cause: error })
  }
}

async function writeProved(
  work: (onLine: (line: string) => Promise<void>) => Promise<void>,
  put: (line: string) => Promise<void>,
): Promise<void> {
  const sum = createHash('sha256')
  let lines = 0
  await work(async (line) => {
    sum.update(`${line}\n`)
    lines += 1
    await put(line)
  })
  await put(`= ${lines} ${sum.digest('hex')}`)
}

/** Reads the lines of a backup. Throws if it is not a backup, or at its end if it is incomplete. */
export async function* readBackupFile(path: string): AsyncGenerator<string> {
  const sum = createHash('sha256')
  let lines = 0
  let proof: string | null = null
  for await (const line of linesOf(path)) {
    if (proof !== null) throw broken(path)
    if (line.startsWith('= ')) {
      proof = line
      continue
    }
    sum.update(`${line}\n`)
    lines += 1
    yield line
  }
  if (proof !== `= ${lines} ${sum.digest('hex')}`) throw broken(path)
}

/** Splits at line feeds only; `readline` also splits at characters that a row may contain. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const file = createReadStream(path)
  const gunzip = createGunzip()
  file.on('error', (error) => gunzip.destroy(error))
  gunzip.setEncoding('utf8')
  let rest = ''
  try {
    for await (const chunk of file.pipe(gunzip)) {
      const parts = `${rest}${String(chunk)}`.split('\n')
      rest = parts.pop() ?? ''
      yield* parts
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    if (codeOf(error).startsWith('Z_')) throw broken(path)
    throw new Misconfigured(`The backup ${path} cannot be read: ${why}.`, { cause: error })
  }
  if (rest !== '') throw broken(path)
}

function broken(path: string): Refusal {
  const says = `The backup ${path} is incomplete. The database is unchanged.`
  return new Refusal('BAD_REQUEST', {}, says)
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
