import type { Clock } from '../base/clock.ts'
import type { Dice } from '../base/dice.ts'
import type { Log } from '../base/log.ts'
import type { OpenHttp } from './http.ts'
import type { RequestReport } from './json-rpc.ts'

/** Dependencies of an adapter. */
export interface AdapterMeans {
  clock: Clock
  dice: Dice
  log: Log
  /** Opens connections to nodes. */
  openHttp: OpenHttp
  onRequest: (report: RequestReport) => void
}
