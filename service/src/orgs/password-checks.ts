import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { availableParallelism } from 'node:os'
import { Outage } from '../base/fault.ts'
import type { Secret } from '../base/secret.ts'
import { tooMany } from './guess.ts'

/** Compares a password with an argon2id hash in the PHC string format. */
export type VerifyHash = (hash: string, password: Secret) => Promise<boolean>

/** Bounds how many sign-ins are being worked on, and compares their passwords. */
export interface PasswordChecks {
  /** Refuses with RATE_LIMIT_EXCEEDED if too many are being worked on. */
  inTurn<T>(work: (verify: VerifyHash) => Promise<T>): Promise<T>
  /** Ends the threads. */
  close(): Promise<void>
}

/** Sign-ins of one process at a time, waiting ones included: a second of work for one thread. */
const CHECKS_MAX = 16
/** A comparison takes a core 30 to 60 ms. */
const RETRY_AFTER_MS = 2_000
const BUSY = 'Too many sign-ins at the moment. Wait the seconds in Retry-After, then try again.'
/** One core is left to everything else, and never more than two serve strangers. */
const THREADS = Math.min(2, Math.max(1, availableParallelism() - 1))

/**
 * Opens checks on separate threads, started with the first sign-in. The library's asynchronous
 * calls run on libuv's threads, which file access and DNS lookups of all requests need.
 */
export function openPasswordChecks(checksMax = CHECKS_MAX): PasswordChecks {
  return boundChecks(new Threads(THREADS), checksMax)
}

/** The bound alone, around a comparison of the caller's. */
export function boundChecks(
  threads: { verify: VerifyHash; close(): Promise<void> },
  checksMax: number,
): PasswordChecks {
  let open = 0
  return {
    inTurn: async (work) => {
      if (open >= checksMax) throw tooMany(RETRY_AFTER_MS, BUSY)
      open += 1
      try {
        return await work((hash, password) => threads.verify(hash, password))
      } finally {
        open -= 1
      }
    },
    close: () => threads.close(),
  }
}

interface Answer {
  id: number
  isRight: boolean | null
}

interface Pending {
  thread: number
  tell: (answer: boolean | Outage) => void
}

const LIBRARY = createRequire(import.meta.url).resolve('@node-rs/argon2')
/** The code of a thread is inline, because the program is bundled into few files. */
const PROGRAM = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { verifySync } = require(workerData)
  parentPort.on('message', ({ id, hash, password }) => {
    let isRight = null
    try { isRight = verifySync(hash, password) } catch {}
    parentPort.postMessage({ id, isRight })
  })`

class Threads {
  readonly #workers: (Worker | null)[]
  readonly #pending = new Map<number, Pending>()
  #asked = 0

  constructor(count: number) {
    this.#workers = Array<null>(count).fill(null)
  }

  async verify(hash: string, password: Secret): Promise<boolean> {
    this.#asked += 1
    const id = this.#asked
    const thread = id % this.#workers.length
    const worker = this.#workerOf(thread)
    const answer = await new Promise<boolean | Outage>((tell) => {
      this.#pending.set(id, { thread, tell })
      worker.postMessage({ id, hash, password: password.reveal() }, [])
    })
    if (answer instanceof Outage) throw answer
    return answer
  }

  async close(): Promise<void> {
    const running = this.#workers.filter((worker) => worker !== null)
    await Promise.all(running.map((worker) => worker.terminate()))
  }

  #workerOf(thread: number): Worker {
    const running = this.#workers[thread]
    if (running) return running
    const worker = new Worker(PROGRAM, { eval: true, workerData: LIBRARY, env: {} })
    worker.unref()
    worker.on('message', ({ id, isRight }: Answer) =>
      this.#settle(id, isRight ?? new Outage('password check', 'the hash could not be read')),
    )
    worker.on('error', () => undefined)
    worker.on('exit', () => this.#lose(thread))
    this.#workers[thread] = worker
    return worker
  }

  #settle(id: number, answer: boolean | Outage): void {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    pending?.tell(answer)
  }

  /** The next sign-in starts another thread. */
  #lose(thread: number): void {
    this.#workers[thread] = null
    for (const [id, pending] of this.#pending)
      if (pending.thread === thread) this.#settle(id, new Outage('password check', 'it broke off'))
  }
}
