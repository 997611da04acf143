import { createServer } from 'node:net'

/** Above 10080, the highest of the ports that `fetch` refuses to ask (Fetch Standard 2.9). */
const LOWEST = 10_081
const HIGHEST = 32_000
const TRIES_MAX = 50
/** Processes that ask at the same time, each for ports of its own. */
const LANES = 4
const WIDTH = Math.floor((HIGHEST - LOWEST) / LANES)
let lowest = LOWEST

/** From here on this process takes its ports where no other does; 0 is for all that say none. */
export function inLane(lane: number): void {
  lowest = LOWEST + (lane % LANES) * WIDTH
}

/**
 * A port of 127.0.0.1 on which nothing listens at this moment, below 32768 where the system takes
 * the ports of outgoing connections from. Somebody else may take it before its user does: be ready
 * to ask again.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = lowest + Math.floor(Math.random() * WIDTH)
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
  }
  throw new Error(`no free port between ${LOWEST} and ${HIGHEST} in ${TRIES_MAX} tries`)
}

/** Whoever was given one may not listen on it yet. */
const given = new Set<number>()

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.close(() => resolve(true))
    })
  })
}
