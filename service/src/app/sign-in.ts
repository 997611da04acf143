import type { ServerDeps } from '../api/http/deps.ts'
import { openPeers } from '../api/http/peer.ts'
import { assert } from '../base/assert.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import { type Limits, openLimits } from '../orgs/limits.ts'
import { type Network, parseNetwork } from '../orgs/network.ts'
import { openPasswordChecks } from '../orgs/password-checks.ts'
import { openSessions } from '../orgs/sessions.ts'
import { tidySignIn } from '../orgs/tidy-sign-in.ts'
import type { ChainWorld } from './chain-world.ts'
import type { Ground } from './ground.ts'
import { type Loop, every } from './loops.ts'

/** By so much two processes may differ in what they counted. */
const SETTLE_MS = 1_000
const TIDY_MS = 60_000

/** The parts that sign-in needs: sessions, passwords and rate limits. */
export type SignIn = Pick<ServerDeps, 'sessions' | 'limits' | 'peerOf' | 'passwords'> &
  Pick<ServerDeps['settings'], 'logInRates'>

/** Opens sessions and limits as the configuration says. */
export function openSignIn({ config, database, clock }: Ground, serviceKey: ServiceKey): SignIn {
  const { jwtTtlSeconds: ttlSeconds } = config
  const rates = {
    reads: config.limitReads,
    writes: config.limitWrites,
    depositAddresses: config.limitDepositAddresses,
  }
  return {
    sessions: openSessions({ database, serviceKey, clock, ttlSeconds }),
    limits: openLimits({ clock, serviceKey, rates }),
    peerOf: openPeers(config.trustedProxies.map(toNetwork)),
    passwords: openPasswordChecks(),
    logInRates: { perUser: config.limitLogInsPerUser, perAddress: config.limitLogInsPerAddress },
  }
}

/** Loops that share the counters between processes and delete old ones. */
export function signInLoops(world: ChainWorld, limits: Limits): Loop[] {
  const { database, clock } = world
  return [
    every(world, { name: 'limits', everyMs: SETTLE_MS, tick: () => limits.settle(database) }),
    every(world, { name: 'sign-in', everyMs: TIDY_MS, tick: () => tidySignIn(database, clock) }),
  ]
}

function toNetwork(text: string): Network {
  const network = parseNetwork(text)
  assert(network !== null, 'a network that the configuration let through', { text })
  return network
}
