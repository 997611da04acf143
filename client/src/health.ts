import type { Answer, CallOptions } from './operation.ts'
import type { Ask } from './transport.ts'

/** For monitors; needs no credential, and is never repeated. */
export interface Health {
  /** Whether the process is alive. */
  alive(options?: CallOptions): Promise<Answer<'getHealth'>>
  /** The readiness of the service; `status` also reports that it is not ready. */
  ready(options?: CallOptions): Promise<Answer<'getReadiness'>>
}

export function openHealth(ask: Ask): Health {
  return {
    alive: (options) => ask('getHealth', {}, { ...options, retries: 0 }),
    ready: (options) => ask('getReadiness', {}, { ...options, retries: 0 }, { accepted: [503] }),
  }
}
