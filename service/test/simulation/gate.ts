import type { RawBuilder } from 'kysely'
import type { Database, Tx } from '../../src/store/database.ts'
import { CommitUnknown } from '../../src/store/outage.ts'

/** The process ended here: its memory is lost, and nothing after it runs. */
export class Killed extends Error {
  override readonly name = 'Killed'
}

/** Faults of a process during one step; passes and commits count from 1. */
export interface Ordeal {
  /** It ends at this await or crash point. */
  killAt?: number
  /** It pauses at this call to a node until resumed. */
  pauseAt?: number
  /** The answer to this commit is lost; `happened`: whether it was applied. */
  commitLost?: { nth: number; happened: boolean }
}

/**
 * Every await of a process passes through it: here the process dies, pauses, or loses the answer to
 * a commit.
 */
export class Gate {
  isDead = false
  /** It is paused. */
  isPaused = false
  /** Awaits and crash points since the step began. */
  passes = 0
  /** The answer to a commit was lost. */
  hasLostCommit = false
  /** What other processes do when this one reaches a point for the last of `times` times. */
  meanwhile: { point: string; times: number; happen: () => void } | null = null
  #calls = 0
  #commits = 0
  #ordeal: Ordeal = {}
  /** Several, if calls continue after their step. */
  readonly #wakes: (() => void)[] = []

  /** Sets the faults of the next step. */
  begin(ordeal: Ordeal): void {
    this.#ordeal = ordeal
    this.passes = 0
    this.hasLostCommit = false
    this.meanwhile = null
    this.#calls = 0
    this.#commits = 0
  }

  /** Resumes a paused process. */
  wake(): void {
    this.isPaused = false
    for (const wake of this.#wakes.splice(0)) wake()
  }

  /** Ends the process at its next await. */
  kill(): void {
    this.isDead = true
    this.wake()
  }

  pass(point: string): void {
    if (this.isDead) throw new Killed(point)
    this.#interrupt(point)
    this.passes += 1
    if (this.passes !== this.#ordeal.killAt) return
    this.isDead = true
    throw new Killed(point)
  }

  #interrupt(point: string): void {
    const { meanwhile } = this
    if (meanwhile?.point !== point) return
    meanwhile.times -= 1
    if (meanwhile.times > 0) return
    this.meanwhile = null
    meanwhile.happen()
  }

  /** A call to a node: the only place of a long pause. */
  async call(point: string): Promise<void> {
    this.pass(point)
    this.#calls += 1
    if (this.#calls !== this.#ordeal.pauseAt) return
    const woken = new Promise<void>((resolve) => this.#wakes.push(resolve))
    this.isPaused = true
    await woken
    if (this.isDead) throw new Killed(point)
  }

  /** The outcome of the next commit. */
  commit(): { lost: boolean; happened: boolean } {
    this.#commits += 1
    const { commitLost } = this.#ordeal
    if (commitLost?.nth !== this.#commits) return { lost: false, happened: true }
    this.hasLostCommit = true
    return { lost: true, happened: commitLost.happened }
  }
}

/** Carries out of a transaction that its commit never reached the database. */
class NeverCommitted extends Error {}

/** The database of one process: each of its steps passes the gate. */
export function gatedDatabase(
  database: Database,
  gate: Gate,
  heard: { begun(): Promise<void>; committed(): void },
): Database {
  const gated = async <T>(
    perform: (work: (tx: Tx) => Promise<T>) => Promise<T>,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> => {
    gate.pass('begin')
    await heard.begun()
    const { lost, happened } = gate.commit()
    try {
      const done = await perform(async (tx) => {
        const result = await work(gatedTx(tx, gate))
        gate.pass('commit')
        if (lost && !happened) tx.beforeCommit(() => Promise.reject(new NeverCommitted()))
        return result
      })
      heard.committed()
      if (lost) throw new CommitUnknown('database', 'lost while it committed')
      gate.pass('committed')
      return done
    } catch (error) {
      if (error instanceof NeverCommitted)
        throw new CommitUnknown('database', 'lost while it committed')
      throw error
    }
  }
  return {
    transaction: (work) => gated((inner) => database.transaction(inner), work),
    forOrg: (orgId, work) => gated((inner) => database.forOrg(orgId, inner), work),
    asApi: (work) => gated((inner) => database.asApi(inner), work),
    snapshot: (work) => gated((inner) => database.snapshot(inner), work),
    witness: async () => '',
    close: async () => undefined,
  }
}

function gatedTx(tx: Tx, gate: Gate): Tx {
  const passed = <T>(send: () => Promise<T>): Promise<T> => {
    gate.pass('statement')
    return send()
  }
  return {
    clock: tx.clock,
    ids: tx.ids,
    local: tx.local,
    many: <Row>(query: RawBuilder<Row>) => passed(() => tx.many(query)),
    maybe: <Row>(query: RawBuilder<Row>) => passed(() => tx.maybe(query)),
    one: <Row>(query: RawBuilder<Row>) => passed(() => tx.one(query)),
    run: (query) => passed(() => tx.run(query)),
    beforeCommit: (work) => tx.beforeCommit((inner) => work(gatedTx(inner, gate))),
    afterCommit: (work) => tx.afterCommit(work),
  }
}
