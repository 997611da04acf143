import type { Seeded } from '@sluice/simulator'
import type { Exchange } from '../../src/store/database.ts'

/** A statement to PostgreSQL, and its result. */
interface Talk {
  line: object
  /** Runs it; resolves on any answer. */
  perform(): Promise<void>
  /** Passes the answer to the waiting caller. */
  deliver(): void
  isAnswered: boolean
}

/** After this time, checks whether an answer waits for a lock. */
const LOOK_MS = 25
const AGAIN_MS = 1
/** The most checks; a longer wait is a deadlock. */
const LOOKS_MAX = 6_000

/**
 * One real action at a time. Each statement of a simulated process to PostgreSQL waits here for its
 * turn: the next runs when the last is answered, and when the code that the answer resumed has run
 * as far as it can. The seed chooses between connections. Results do not depend on the speed of the
 * machine, and transactions interleave in varying ways.
 */
export class Turns {
  readonly #waiting: Talk[] = []
  /** Sent and not answered: they wait for locks of others. */
  readonly #locked: Talk[] = []
  readonly #order: () => Seeded
  readonly #countLocked: () => Promise<number>
  #pump: Promise<void> | null = null

  /**
   * `order` draws the next connection; `countLocked` asks the server how many sessions wait for a
   * lock.
   */
  constructor(order: () => Seeded, countLocked: () => Promise<number>) {
    this.#order = order
    this.#countLocked = countLocked
  }

  readonly exchange: Exchange = (line, send) =>
    new Promise((resolve) => {
      const talk: Talk = {
        line,
        isAnswered: false,
        deliver: () => undefined,
        perform: async () => {
          const answer = send()
          talk.deliver = () => resolve(answer)
          await answer.catch(() => undefined)
          talk.isAnswered = true
        },
      }
      this.#waiting.push(talk)
      if (this.#pump !== null) return
      this.#pump = this.#run()
      // The callers of `quiet` report a failure.
      this.#pump.catch(() => undefined)
    })

  /** Resolves when no work is running, and only time or a call can start more. */
  async quiet(): Promise<void> {
    for (;;) {
      await drained()
      if (this.#pump === null) return
      await this.#pump
    }
  }

  async #run(): Promise<void> {
    for (;;) {
      await drained()
      const next = this.#next()
      if (next === null && this.#locked.length === 0) break
      if (next === null) await this.#someLock()
      else await this.#say(next)
      await this.#deliverUnlocked()
    }
    this.#pump = null
  }

  /** The first statement of a connection that waits for no answer, or null. */
  #next(): Talk | null {
    const taken = new Set(this.#locked.map(({ line }) => line))
    const firsts = this.#waiting.filter(({ line }) => {
      const isFree = !taken.has(line)
      taken.add(line)
      return isFree
    })
    const [only] = firsts
    const talk = firsts.length > 1 ? this.#order().pick(firsts) : only
    if (talk === undefined) return null
    this.#waiting.splice(this.#waiting.indexOf(talk), 1)
    return talk
  }

  async #say(talk: Talk): Promise<void> {
    const answered = talk.perform()
    while (!(await isWithin(answered, LOOK_MS))) {
      if ((await this.#countLocked()) <= this.#locked.length || talk.isAnswered) continue
      this.#locked.push(talk)
      return
    }
    talk.deliver()
  }

  /** All sessions wait for a lock: the server resolves the deadlock. */
  async #someLock(): Promise<void> {
    await until(() => this.#locked.some(({ isAnswered }) => isAnswered))
  }

  /**
   * Statements that no longer wait for a lock are answered in the order in which they were sent.
   */
  async #deliverUnlocked(): Promise<void> {
    if (this.#locked.length === 0) return
    const open = () => this.#locked.filter(({ isAnswered }) => !isAnswered).length
    await until(async () => (await this.#countLocked()) === open())
    for (const talk of this.#locked.filter(({ isAnswered }) => isAnswered)) {
      this.#locked.splice(this.#locked.indexOf(talk), 1)
      await drained()
      talk.deliver()
    }
  }
}

/** Resolves when all that was ready has run: promises, ticks, and turns of the event loop. */
function drained(): Promise<void> {
  // Two that wait for the end of all turns would wait for each other.
  draining ??= drain().finally(() => {
    draining = null
  })
  return draining
}

let draining: Promise<void> | null = null

async function drain(): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve))
  while (process.getActiveResourcesInfo().includes('Immediate'))
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; !(await isSo()); looks += 1) {
    if (looks > LOOKS_MAX) throw new Error('I19: a statement waits for a lock without end')
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  }
}

/** Whether it ends within this many real milliseconds. */
async function isWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const isDone = await Promise.race([work.then(() => true), late])
  clearTimeout(timer)
  return isDone
}
