import type { Clock } from '../base/clock.ts'
import type { Dice } from '../base/dice.ts'
import type { Log } from '../base/log.ts'
import type { OpenHttp } from './http.ts'
import type { RequestReport } from './json-rpc.ts'

/** What an adapter needs from outside. */
export interface AdapterMeans {
  clock: Clock
  dice: Dice
  log: Log
  /** How nodes are reached. */
  openHttp: OpenHttp
  onRequest: (report: RequestReport) => void
}
