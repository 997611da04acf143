import { lookup } from 'node:dns/promises'
import { type Clock, inTime } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import type { Resolve } from './target.ts'

/** How long a name service may take; within the deadline of a delivery with room to spare. */
const RESOLVE_TIMEOUT_MS = 10_000

/**
 * The machine's own name service, hosts file included. One question at a time for one name: each
 * occupies a thread of few, so many deliveries to one slow name must not ask for it side by side.
 */
export function openResolve(clock: Clock): Resolve {
  const asking = new Map<string, Promise<readonly string[]>>()
  return (host) => {
    const under = asking.get(host)
    if (under) return under
    const question = askInTime(clock, host).finally(() => asking.delete(host))
    asking.set(host, question)
    return question
  }
}

async function ask(host: string): Promise<readonly string[]> {
  try {
    const found = await lookup(host, { all: true, verbatim: true })
    return found.map(({ address }) => address)
  } catch (error) {
    throw new Outage('name service', `${host} does not resolve`, { cause: error })
  }
}

function askInTime(clock: Clock, host: string): Promise<readonly string[]> {
  const late = () => {
    throw new Outage('name service', `no answer for ${host} in ${RESOLVE_TIMEOUT_MS} ms`)
  }
  return inTime(clock, { ms: RESOLVE_TIMEOUT_MS, work: ask(host), late })
}
