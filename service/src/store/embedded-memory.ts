import { totalmem } from 'node:os'

const MEGABYTE = 1024 * 1024
/** A sixteenth of the memory; the rest is for the service and the system's cache. */
const SHARE = 16
/** PostgreSQL's default. */
const BUFFERS_MIN_MB = 128
const BUFFERS_MAX_MB = 1_024

/**
 * Settings of a PostgreSQL that shares a machine with the service. Buffers that are too small for
 * the watched addresses cause writes on lookups. A larger log writes fewer full pages, and takes
 * longer to replay after a crash.
 */
export function memorySettings(memoryBytes: number): Record<string, string> {
  const share = Math.floor(memoryBytes / SHARE / MEGABYTE)
  const buffers = Math.min(Math.max(share, BUFFERS_MIN_MB), BUFFERS_MAX_MB)
  return { shared_buffers: `${buffers}MB`, max_wal_size: '2GB' }
}

/** Bytes of memory of the machine or of the container's limit. */
export function machineMemory(total = totalmem(), limit = process.constrainedMemory()): number {
  // Without a limit it is undefined, 0, or more than the machine has.
  return Math.min(total, limit || total)
}
