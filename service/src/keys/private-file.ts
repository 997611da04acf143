import { closeSync, fstatSync, fsyncSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf, Misconfigured } from '../base/fault.ts'

const OWNER_ONLY = 0o600
const OTHERS = 0o077

/**
 * Reads a file that contains a secret. Throws Misconfigured if it is missing, not a plain file,
 * accessible to group or others, or longer than `bytesMax`. The caller wipes the result.
 */
export function readPrivateFile(path: string, bytesMax: number): Uint8Array {
  const file = openFile(path, 'r', 'read')
  try {
    // On the open file, not the path, so that the file cannot be replaced in between.
    const { mode, size } = checkPlainFile(path, file)
    if ((mode & OTHERS) !== 0) refuseFile(path, `is open to other users. Run: chmod 600 ${path}`)
    if (size > bytesMax) refuseFile(path, `is longer than ${bytesMax} bytes: not what is expected`)
    return readAll(path, file, size)
  } finally {
    closeSync(file)
  }
}

/**
 * Writes a new file (0600) and syncs it to disk. Throws Misconfigured if the path exists, because
 * an overwritten seed or key is lost.
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

/** Throws Misconfigured for a key or seed file. */
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
  if (code === 'EEXIST') return 'already exists and is never overwritten. Move it away first'
  if (code === 'ENOENT')
    return verb === 'read' ? 'does not exist' : 'is in a folder that does not exist'
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
