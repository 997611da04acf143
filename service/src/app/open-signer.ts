import { type Authority, FileStore, History, LocalSigner, type Signer } from '@sluice/signer'
import type { Clock, Millis } from '../base/clock.ts'
import { Misconfigured, Outage } from '../base/fault.ts'
import type { Random } from '../base/random.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { SignerChild } from '../signing/child.ts'
import { connectTo } from '../signing/connect.ts'
import { RemoteSigner } from '../signing/remote-signer.ts'
import { withOutages } from '../transactions/core/signer-outage.ts'
import { type Config, processEnvironment } from './config.ts'
import { feeCapsOf } from './fee-caps.ts'
import { openSeed, requireSeed } from './keys.ts'

/** A signer that takes longer counts as away. */
const ANSWER_MS: Millis = 2_000

/** Without admins there is no policy: withdrawals are paid as the service asks. */
export const OPEN_AUTHORITY: Authority = { keys: [], quorum: 1, withoutPolicy: 'open' }

/** A signer and its end. */
export interface OpenSigner {
  signer: Signer
  /** Where it runs, for the log. */
  where: string
  close: () => Promise<void>
}

interface Opening {
  config: Config
  catalogue: Catalogue
  random: Random
  clock: Clock
}

/**
 * Opens the signer of a service: behind `SLUICE_SIGNER_SOCKET`, or else as a child process that
 * `program` starts, a program and its words. Throws Misconfigured if the child cannot open the
 * seed. A signer behind a socket may be away: each request is then an Outage.
 */
export async function openServiceSigner(
  { config, clock }: Pick<Opening, 'config' | 'clock'>,
  [program, ...words]: readonly [string, ...string[]],
): Promise<OpenSigner> {
  if (config.signerSocket !== '') return openSocket(config.signerSocket, clock)
  requireSeed(config)
  const environment = processEnvironment()
  const child = new SignerChild({ program, words, environment, now: () => clock.now() })
  const remote = new RemoteSigner(child.connect, ANSWER_MS, clock)
  const signer = withOutages(remote)
  try {
    await signer.fingerprint()
  } catch (error) {
    child.stop()
    if (!(error instanceof Outage)) throw error
    throw new Misconfigured(`The signer did not start: ${error.message}. Its own error is above.`)
  }
  const close = async () => child.stop()
  return { signer, where: 'a child process', close }
}

/**
 * Opens the signer of a command: behind `SLUICE_SIGNER_SOCKET`, or else in this process, with the
 * store of the service's signer. Throws as `openSeed` does.
 */
export async function openCommandSigner(opening: Opening): Promise<OpenSigner> {
  const { config, random, clock } = opening
  if (config.signerSocket !== '') return openSocket(config.signerSocket, clock)
  const keys = await openSeed(config, random)
  const history = new History()
  const store = await FileStore.open(config.signerStore, history)
  const now = () => clock.now()
  const maxFee = maxFeeOf(opening)
  const authority = OPEN_AUTHORITY
  const signer = new LocalSigner({ keys, history, store, now, maxFee, authority })
  const close = async () => {
    keys.destroy()
    await store.close()
  }
  return { signer, where: 'this process', close }
}

/** The highest fee that the signer allows on a chain: its absolute cap, or 0 without nodes. */
export function maxFeeOf({
  config,
  catalogue,
}: Pick<Opening, 'config' | 'catalogue'>): (chainId: string) => bigint {
  const caps = new Map<string, bigint>(
    config.chains.flatMap((chain) => {
      const entry = catalogue.chain(chain.id)
      return entry === null ? [] : [[chain.id, feeCapsOf(entry, chain).absolute]]
    }),
  )
  return (chainId) => caps.get(chainId) ?? 0n
}

function openSocket(path: string, clock: Clock): OpenSigner {
  const remote = new RemoteSigner(() => connectTo(path), ANSWER_MS, clock)
  return { signer: withOutages(remote), where: path, close: async () => remote.close() }
}
