import { closeSync, fstatSync, fsyncSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf, Misconfigured } from '../base/fault.ts'

const OWNER_ONLY = 0o600
const OTHERS = 0o077

/**
 * Reads a whole file that holds a secret. Refuses, in words for the operator, a file that is
 * missing, that is no plain file, that group or others may touch, or that is longer than
 * `bytesMax`. The caller wipes what it gets.
 */
export function readPrivateFile(path: string, bytesMax: number): Uint8Array {
  const file = openFile(path, 'r', 'read')
  try {
    // Asked of the open file and not of the path, so that none can be slipped in between.
    const { mode, size } = checkPlainFile(path, file)
    if ((mode & OTHERS) !== 0) refuseFile(path, `is open to other users. Run: chmod 600 ${path}`)
    if (size > bytesMax) refuseFile(path, `is longer than ${bytesMax} bytes: not what is expected`)
    return readAll(path, file, size)
  } finally {
    closeSync(file)
  }
}

/**
 * Writes a new file that only its owner may read (0600), through to the disk. Refuses where
 * something of that name exists: an overwritten seed or key cannot be brought back.
 */
export function createPrivateFile(path: string, bytes: Uint8Array): void {
  const file = openFile(path, 'wx', 'write')
  try {
    writeAll(file, bytes)
    fsyncSync(file)
  } catch (error) {
    unlinkSync(path)
    refuseFile(path, reasonOf(error, 'write'))
  } finally {
    closeSync(file)
  }
  syncFolder(dirname(path))
}

/** Refuses a key or seed file in words for the operator, who alone can mend it. */
export function refuseFile(path: string, what: string): never {
  throw new Misconfigured(`The file ${path} ${what}.`)
}

function checkPlainFile(path: string, file: number): { mode: number; size: number } {
  const stat = fstatSync(file)
  if (!stat.isFile()) refuseFile(path, 'is not a plain file')
  return stat
}

function openFile(path: string, flags: 'r' | 'wx', verb: 'read' | 'write'): number {
  try {
    return openSync(path, flags, OWNER_ONLY)
  } catch (error) {
    return refuseFile(path, reasonOf(error, verb))
  }
}

function reasonOf(error: unknown, verb: 'read' | 'write'): string {
  const code = codeOf(error)
  if (code === 'EEXIST') return 'exists already and is never overwritten. Move it away first'
  if (code === 'ENOENT')
    return verb === 'read' ? 'does not exist' : 'lies in a folder that does not exist'
  return `cannot be ${verb === 'read' ? 'read' : 'written'} (${code || 'unknown'})`
}

function readAll(path: string, file: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  const read = readSync(file, bytes, 0, size, 0)
  if (read !== size) refuseFile(path, 'changed while it was read')
  return bytes
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
}

function syncFolder(folder: string): void {
  const file = openSync(folder, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
