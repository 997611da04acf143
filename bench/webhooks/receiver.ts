import { testCertificate } from '@sluice/simulator'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Child, startChild } from '../harness/children.ts'
import { type Reading, check, until } from '../harness/measure.ts'
import type { Count, ReceiverNews } from './serve-receiver.ts'

/** How many webhooks every side sends before its time begins. */
export function warmUpOf(deliveries: number): number {
  return Math.ceil(deliveries / 4)
}

const LIMIT_MS = 300_000

/** A TLS receiver in a separate process. */
export interface ReceiverProcess {
  origin: string
  /** Its certificate, for senders to trust. */
  ca: string
  caFile: string
  child: Child<ReceiverNews>
  /**
   * Forgets all requests. The first ones after that are a warm-up of both sides and do not count.
   */
  begin(given: { secrets: Record<string, string>; warmUp: number }): void
  /**
   * Waits until so many different events have come beyond the warm-up: how fast those were, and how
   * many the sender made in a second of its processor's time.
   */
  measure(sender: { cpu(): number }, count: number): Promise<Reading & { counted: Count }>
  count(): Promise<Count>
  /** Waits until so many different events have come, and says what came. */
  waitFor(distinct: number, limitMs: number): Promise<Count>
  stop(): Promise<void>
}

export async function startReceiverProcess(folder: string): Promise<ReceiverProcess> {
  const { key, cert } = testCertificate()
  const caFile = join(folder, 'receiver.pem')
  await writeFile(caFile, cert)
  const child = await startChild<ReceiverNews>(new URL('serve-receiver.ts', import.meta.url), [], {
    env: { ...process.env, BENCH_TLS_KEY: key, BENCH_TLS_CERT: cert },
  })
  const { port } = await child.hear((news) => ('ready' in news ? news : null))
  const counting: ((count: Count) => void)[] = []
  let warmed = () => {}
  child.listen((news) => {
    if ('count' in news) counting.shift()?.(news.count)
    if ('warm' in news) warmed()
  })
  const count = () =>
    new Promise<Count>((resolve) => {
      counting.push(resolve)
      child.send({ count: true })
    })
  const waitFor = async (distinct: number, limitMs: number) => {
    const what = `${distinct} webhooks`
    await until(async () => (await count()).distinct >= distinct, limitMs, what, 100)
    const counted = await count()
    check(counted.badSignatures === 0, 'signatures', counted)
    return counted
  }
  let first = { warmUp: 0, isWarm: Promise.resolve() }
  return {
    origin: `https://127.0.0.1:${port}`,
    ca: cert,
    caFile,
    child,
    count,
    begin: ({ secrets, warmUp }) => {
      first = { warmUp, isWarm: new Promise((resolve) => (warmed = resolve)) }
      child.send({ secrets, warmUp, reset: true })
    },
    measure: async (sender, wanted) => {
      await first.isWarm
      const cpuBefore = sender.cpu()
      const counted = await waitFor(first.warmUp + wanted, LIMIT_MS)
      const perCpuSecond = wanted / (sender.cpu() - cpuBefore)
      const seconds = (counted.lastAt - counted.firstAt) / 1_000
      check(counted.requests === first.warmUp + wanted, 'webhooks, each once', counted)
      return { rate: wanted / seconds, more: { perCpuSecond }, counted }
    },
    waitFor,
    stop: () => child.stop(),
  }
}
