import { Resolver } from 'node:dns/promises'
import { type Clock, type Millis, inTime } from '../base/clock.ts'
import { Outage, Refusal } from '../base/fault.ts'
import { openHostsFile } from './hosts-file.ts'
import type { Resolve } from './target.ts'

/** How long one lookup may take, all its servers and retries included. */
const LOOKUP_MS: Millis = 3_000
/** How long one try of one server may take. */
const TRY_MS: Millis = 1_000
const TRIES = 2
/** Concurrent lookups that one organization may cause by requests. */
const LOOKUPS_PER_ORGANIZATION_MAX = 4

export interface ResolveOptions {
  /** Name servers, `address` or `address:port`; empty: those of /etc/resolv.conf. */
  servers: readonly string[]
  hostsFile?: string
}

/**
 * Resolves names by the hosts file, then by DNS (A and AAAA), as the service `files dns` of
 * nsswitch does. DNS is spoken from the event loop: `getaddrinfo` blocks one of libuv's few
 * threads for each name, so that names without an answer would stop everybody's lookups. Search
 * domains do not apply. Concurrent lookups of one name are one. Throws an Outage if a name has no
 * address, and refuses with RATE_LIMIT_EXCEEDED if `orgId` already has four lookups open.
 */
export function openResolve(clock: Clock, options: ResolveOptions): Resolve {
  const inHosts = openHostsFile(options.hostsFile)
  const lookups = new Map<string, Promise<readonly string[]>>()
  const openOf = new Map<string, number>()
  const lookUp = (host: string) => {
    const open = lookups.get(host)
    if (open) return open
    const lookup = askInTime(clock, host, options.servers).finally(() => lookups.delete(host))
    lookups.set(host, lookup)
    return lookup
  }
  return async (host, orgId) => {
    const known = inHosts(host)
    if (known.length > 0) return known
    if (orgId === undefined) return lookUp(host)
    const open = openOf.get(orgId) ?? 0
    if (open >= LOOKUPS_PER_ORGANIZATION_MAX) throw tooManyLookups()
    openOf.set(orgId, open + 1)
    return lookUp(host).finally(() => {
      const left = (openOf.get(orgId) ?? 1) - 1
      if (left > 0) openOf.set(orgId, left)
      else openOf.delete(orgId)
    })
  }
}

async function askInTime(
  clock: Clock,
  host: string,
  servers: readonly string[],
): Promise<readonly string[]> {
  // One resolver per lookup: it rereads resolv.conf, and its queries can be cancelled separately.
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
  if (servers.length > 0) resolver.setServers(servers)
  const found: string[] = []
  const ask = async (question: Promise<string[]>) => void found.push(...(await question))
  const work = Promise.allSettled([ask(resolver.resolve4(host)), ask(resolver.resolve6(host))])
  // One family may answer and the other hang: its addresses are used.
  const results = await inTime<readonly PromiseSettledResult<void>[] | null>(clock, {
    ms: LOOKUP_MS,
    work,
    late: () => null,
  })
  resolver.cancel()
  if (found.length > 0) return [...found]
  if (results === null) throw new Outage('name service', `no answer for ${host} in ${LOOKUP_MS} ms`)
  const cause = results.find((result) => result.status === 'rejected')?.reason
  throw new Outage('name service', `${host} does not resolve`, { cause })
}

function tooManyLookups(): Refusal {
  return new Refusal(
    'RATE_LIMIT_EXCEEDED',
    { retryAfterSeconds: LOOKUP_MS / 1_000 },
    `${LOOKUPS_PER_ORGANIZATION_MAX} webhook URLs of this organization are being resolved. ` +
      'Wait the seconds in Retry-After, then try again.',
  )
}
