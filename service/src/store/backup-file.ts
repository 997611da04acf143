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

/** Only whoever runs the service may read it: it holds everything but the keys. */
const OWNER_ONLY = 0o600
/** What a disk says that knows no second names for a file. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/**
 * Writes lines into a new file, compressed, with a last line that proves it whole: how many lines
 * there are, and the SHA-256 of their text. The file has its name only once all of it is on the
 * disk, but on disks that know no second names: there its last line alone says whether it is whole.
 * Throws a plain sentence where the name is taken, or nothing can be written there.
 */
export async function writeBackupFile(
  path: string,
  work: (onLine: (line: string) => Promise<void>) => Promise<void>,
  link: typeof linkSync = linkSync,
): Promise<void> {
  if (existsSync(path)) throw new Refusal('BAD_REQUEST', {}, `The file ${path} exists already.`)
  const part = `${path}.part`
  const file = await openNew(part)
  const gzip = createGzip()
  const written = finished(gzip.pipe(file))
  // Heard below; until then a full disk must not end the process.
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
 * Gives a file its name, never one that is taken: a rename would write over it. Where the disk
 * knows no second names (shares of a network, FUSE) it is copied.
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

/** Before anything is read: whoever reads the database would take it for the database's fault. */
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

/**
 * The lines of a backup's file. Throws a plain sentence where the file is no backup, or at its end
 * where it is not whole.
 */
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

/**
 * Split at line feeds alone: a row may hold other characters that node's own reader takes for ends.
 */
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
  const says = `The backup ${path} is not whole. Nothing was restored.`
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
