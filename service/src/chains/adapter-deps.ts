import type { Clock } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import type { Log } from '../base/log.ts'
import type { OpenHttp } from './http.ts'
import type { RequestReport } from './json-rpc.ts'

/** Dependencies of an adapter. */
export interface AdapterDeps {
  clock: Clock
  random: Random
  log: Log
  /** Opens connections to nodes. */
  openHttp: OpenHttp
  onRequest: (report: RequestReport) => void
}
