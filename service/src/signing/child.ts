import { type ChildProcess, spawn } from 'node:child_process'
import type { Channel } from '@sluice/signer'

/** Pauses before a child that died is started again. */
const PAUSE_MIN_MS = 250
const PAUSE_MAX_MS = 30_000
/** A child that lived so long has not failed at its start. */
const STEADY_MS = 60_000

/** How to start a child. */
export interface ChildCommand {
  program: string
  words: readonly string[]
  environment: Readonly<Record<string, string | undefined>>
  /** Milliseconds that never go back. */
  now: () => number
}

/**
 * A signer as a child process, which ends with this process, because its pipes end then. A child
 * that died is started again when it is next asked, after a pause that doubles each time.
 */
export class SignerChild {
  readonly #command: ChildCommand
  #child: ChildProcess | null = null
  #startedAt = 0
  #pauseMs = 0
  #isStopped = false

  constructor(command: ChildCommand) {
    this.#command = command
  }

  /** For `RemoteSigner`: starts the child. Rejects while it pauses, and after `stop`. */
  readonly connect = async (): Promise<Channel> => {
    const { program, words, environment, now } = this.#command
    if (this.#isStopped) throw new Error('the signer was stopped')
    const waitMs = this.#startedAt + this.#pauseMs - now()
    if (this.#pauseMs > 0 && waitMs > 0) {
      throw new Error(`the signer ended and is started again in ${Math.ceil(waitMs / 1_000)} s`)
    }
    this.#child?.kill('SIGKILL')
    const startedAt = now()
    this.#startedAt = startedAt
    const child = spawn(program, words, { env: environment, stdio: ['pipe', 'pipe', 'inherit'] })
    this.#child = child
    this.#pauseMs = Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, this.#pauseMs * 2))
    child.on('error', () => child.kill())
    child.on('exit', () => {
      if (now() - startedAt >= STEADY_MS) this.#pauseMs = 0
    })
    // A write to a child that has ended must not end this process.
    child.stdin.on('error', () => child.kill())
    return { input: child.stdout, output: child.stdin }
  }

  /** The process id of the child; null if it does not run. */
  get pid(): number | null {
    const isRunning = this.#child?.exitCode === null && this.#child.signalCode === null
    return isRunning ? (this.#child?.pid ?? null) : null
  }

  /** Ends the child at once. */
  stop(): void {
    this.#isStopped = true
    this.#child?.kill('SIGTERM')
  }
}
