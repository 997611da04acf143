import { testCertificate } from '@sluice/simulator'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Child, startChild } from '../harness/children.ts'
import { check, until } from '../harness/measure.ts'
import type { Count, ReceiverNews } from './serve-receiver.ts'

/** A TLS receiver in a process of its own. */
export interface ReceiverProcess {
  origin: string
  /** Its certificate, for senders to trust. */
  ca: string
  caFile: string
  child: Child<ReceiverNews>
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
  child.listen((news) => {
    if ('count' in news) counting.shift()?.(news.count)
  })
  const count = () =>
    new Promise<Count>((resolve) => {
      counting.push(resolve)
      child.send({ count: true })
    })
  return {
    origin: `https://127.0.0.1:${port}`,
    ca: cert,
    caFile,
    child,
    count,
    waitFor: async (distinct, limitMs) => {
      const what = `${distinct} webhooks`
      await until(async () => (await count()).distinct >= distinct, limitMs, what, 100)
      const counted = await count()
      check(counted.badSignatures === 0, 'signatures', counted)
      return counted
    },
    stop: () => child.stop(),
  }
}
