import { History } from './history.ts'
import { listenOn } from './listen.ts'
import { LocalSigner } from './local-signer.ts'
import type { Authority } from './policy/order.ts'
import type { Channel } from './protocol.ts'
import type { SigningKeys } from './request.ts'
import { serveSigner } from './serve.ts'
import { FileStore } from './store.ts'

/** The settings of a signer's process. */
export interface SignerSettings {
  keys: SigningKeys
  /** The file of its history. */
  store: string
  /** Where it serves: a Unix socket, or the two pipes of its parent process. */
  at: string | Channel
  /** Highest fee of a transaction on a chain, in native base units. */
  maxFee: (chainId: string) => bigint
  authority: Authority
  /** Milliseconds. */
  now: () => number
  /** Hears of errors that are not refusals. */
  report: (error: unknown) => void
}

/**
 * Serves a signer until `stop` aborts or, with pipes, until its parent closes them. Ends at once,
 * whatever is connected: a request that gets no answer is repeated. Throws StoreDamaged, and if the
 * socket cannot be used.
 */
export async function runSigner(settings: SignerSettings, stop: AbortSignal): Promise<void> {
  const { keys, maxFee, authority, now } = settings
  try {
    const history = new History()
    const store = await FileStore.open(settings.store, history)
    try {
      const signer = new LocalSigner({ keys, history, store, now, maxFee, authority })
      await serveUntil(stop, settings, signer)
    } finally {
      await store.close()
    }
  } finally {
    keys.destroy()
  }
}

async function serveUntil(
  stop: AbortSignal,
  { at, report }: SignerSettings,
  signer: LocalSigner,
): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    if (stop.aborted) resolve()
    stop.addEventListener('abort', () => resolve(), { once: true })
  })
  if (typeof at !== 'string') return Promise.race([serveSigner(signer, at, report), stopped])
  const listening = await listenOn(at, signer, report)
  await stopped
  await listening.close()
}
