import { createServer } from 'node:net'

/** Above 10080, the highest of the ports that `fetch` refuses to ask (Fetch Standard 2.9). */
const LOWEST = 10_081
const HIGHEST = 32_000
const TRIES_MAX = 50
/** Concurrent processes, each with a separate range of ports. */
const LANES = 4
const WIDTH = Math.floor((HIGHEST - LOWEST) / LANES)
let lowest = LOWEST

/** Sets the range of ports of this process; 0 is the shared default. */
export function inLane(lane: number): void {
  lowest = LOWEST + (lane % LANES) * WIDTH
}

/**
 * A port of 127.0.0.1 without a listener, below the range of outgoing connections (32768). Another
 * process may take it before it is used: be ready to retry.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = lowest + Math.floor(Math.random() * WIDTH)
    if (issued.has(port) || !(await isFree(port))) continue
    issued.add(port)
    return port
  }
  throw new Error(`no free port between ${LOWEST} and ${HIGHEST} in ${TRIES_MAX} tries`)
}

/** Ports returned before may not have a listener yet. */
const issued = new Set<number>()

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.close(() => resolve(true))
    })
  })
}
