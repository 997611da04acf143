import { totalmem } from 'node:os'

const MEGABYTE = 1024 * 1024
/** A sixteenth of the memory: the service and the system's own cache need theirs. */
const SHARE = 16
/** What PostgreSQL takes by itself. */
const BUFFERS_MIN_MB = 128
const BUFFERS_MAX_MB = 1_024

/**
 * Settings of a PostgreSQL that shares a machine of so many bytes with us. Where the table of
 * watched addresses does not fit into its buffers, a look at it often writes some other page back
 * first. With more room in the log a page is written there in full less often; a start after a kill
 * reads all of it.
 */
export function memorySettings(memoryBytes: number): Record<string, string> {
  const share = Math.floor(memoryBytes / SHARE / MEGABYTE)
  const buffers = Math.min(Math.max(share, BUFFERS_MIN_MB), BUFFERS_MAX_MB)
  return { shared_buffers: `${buffers}MB`, max_wal_size: '2GB' }
}

/** Bytes of memory of the machine, or of what a container's limit leaves of it. */
export function machineMemory(total = totalmem(), limit = process.constrainedMemory()): number {
  // Where there is no limit it is nothing, 0, or more than there is.
  return Math.min(total, limit || total)
}
