import type { Seeded } from '@sluice/simulator'
import type { Exchange } from '../../src/store/database.ts'

/** Something that is said to PostgreSQL, and what came of it. */
interface Talk {
  line: object
  /** Says it; resolves when the answer is here, whatever it is. */
  perform(): Promise<void>
  /** Gives the answer to whoever waits for it. */
  deliver(): void
  isAnswered: boolean
}

/** After so long it is asked whether an answer waits for somebody's lock. */
const LOOK_MS = 25
const AGAIN_MS = 1
/** So often at most: what waits for longer never ends. */
const LOOKS_MAX = 6_000

/**
 * One real thing at a time. Everything that a process under simulation says to PostgreSQL waits
 * here for its turn: the next is said when the last was answered, and when all that the answer set
 * going has run as far as it can. Whose turn it is among several connections says the seed. So
 * nothing depends on how fast the machine is, and transactions meet in ways that vary.
 */
export class Turns {
  readonly #waiting: Talk[] = []
  /** Said, and not answered: they wait for locks of others. */
  readonly #locked: Talk[] = []
  readonly #order: () => Seeded
  readonly #countLocked: () => Promise<number>
  #pump: Promise<void> | null = null

  /** `order` draws who is next; `countLocked` asks the server how many wait for a lock. */
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
      // Whoever waits for quiet hears of it.
      this.#pump.catch(() => undefined)
    })

  /** Resolves when nothing is under way any more, and nothing will be but by time or by a call. */
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

  /** The first of a connection that waits for no answer; null where there is none. */
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

  /** Everybody waits for a lock: the server ends what cannot end. */
  async #someLock(): Promise<void> {
    await until(() => this.#locked.some(({ isAnswered }) => isAnswered))
  }

  /** Who waits no longer for a lock is answered, in the order in which they spoke. */
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
    if (looks > LOOKS_MAX) throw new Error('I19: what waits for a lock waits for ever')
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  }
}

/** Whether it ends within so many real milliseconds. */
async function isWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const isDone = await Promise.race([work.then(() => true), late])
  clearTimeout(timer)
  return isDone
}
