import { readFileSync, writeFileSync } from 'node:fs'
import { type FaultProxy, startFaultProxy } from '@sluice/simulator'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { build, type Started } from '../processes/program.ts'
import { untilOrEnd } from './killed-harness.ts'
import {
  ask,
  carryOut,
  freeLeases,
  type KilledSpender,
  openKilledSpender,
} from './killed-spender.ts'
import { expectEachOnce } from './paid-once.ts'

const TIMEOUT_MS = 180_000
const SEND = 'eth_sendRawTransaction'
/** Logged by the next step, or by the overdue renewal. */
const FENCED = /"spender:.*lease lost|spender lease is held by another process/g

beforeAll(build)

test(
  'a spender paused beyond its lease broadcasts nothing new afterwards [W23]',
  async () => {
    const killed = await openKilledSpender()
    const first = await startBehindProxy(killed, 'first', 'api,scanner,spender')
    // After a fee quote, before signing.
    const quoting = await stopAt(killed, { sleeper: first, door: first, method: 'eth_estimateGas' })
    const second = await startBehindProxy(killed, 'second', 'scanner,spender')
    expect(await carryOut(killed, second.service)).toBe(true)
    await wake(quoting)
    // After a broadcast, before its answer: others wait behind it.
    const sending = await stopAt(killed, { sleeper: second, door: first, method: SEND })
    expect(await carryOut(killed, first.service)).toBe(true)
    await wake(sending)
    await expectEachOnce(killed)
    expect(second.proxy.counts[SEND]).toBe(sending.handed)
  },
  TIMEOUT_MS,
)

/** A process that reaches the node through its own proxy. */
interface Proxied {
  service: Started
  proxy: FaultProxy
}

async function startBehindProxy(
  killed: KilledSpender,
  name: string,
  roles: string,
): Promise<Proxied> {
  const proxy = await startFaultProxy({ target: killed.anvil.url, seed: name })
  onTestFinished(() => proxy.stop())
  const config = `${killed.config}.${name}.json`
  const text = readFileSync(killed.config, 'utf8')
  writeFileSync(config, text.replace(killed.anvil.url, proxy.url))
  return { service: await killed.start({ roles, config }), proxy }
}

/** A process paused in a call, and a function that lets the call be answered. */
interface Asleep {
  sleeper: Proxied
  answer: () => void
  /** Transactions that it had handed over. */
  handed: number
}

/** Requests payments, and pauses the spender while it waits for its node. */
async function stopAt(
  killed: KilledSpender,
  { sleeper, door, method }: { sleeper: Proxied; door: Proxied; method: string },
): Promise<Asleep> {
  const { proxy, service } = sleeper
  let answer = (): void => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  const asked = proxy.rules.add({
    match: { method },
    action: { do: 'mutate', change: (result: unknown) => held.then(() => result) },
  })
  expect(await ask(killed, door.service)).toBe(true)
  await untilOrEnd(service, `its ${method}`, async () => asked.hits > 0)
  service.child.kill('SIGSTOP')
  // Its lease expires, as it would after a while.
  await freeLeases(killed.harness)
  return { sleeper, answer, handed: proxy.counts[SEND] ?? 0 }
}

/** It receives its answer, continues, and broadcasts no transaction. */
async function wake({ sleeper, answer, handed }: Asleep): Promise<void> {
  const { proxy, service } = sleeper
  const fences = () => service.output().match(FENCED)?.length ?? 0
  const before = fences()
  proxy.rules.clear()
  answer()
  service.child.kill('SIGCONT')
  const isFenced = async () => fences() > before
  expect(await untilOrEnd(service, 'its refusal', isFenced)).toBe(true)
  expect(proxy.counts[SEND] ?? 0).toBe(handed)
}
