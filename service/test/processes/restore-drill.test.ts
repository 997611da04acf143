import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { SoakChain } from '../soak/chains/chain.ts'
import { build, serve, sluice, sluiceJson, type Started, until, untilReady } from './program.ts'
import { makeRestoreHarness, type RestoreHarness, withNewDatabase } from './restore-harness.ts'

const TIMEOUT_MS = 600_000
const REASON = 'compared with the nodes'
/** How long a TRON transaction signed before a restore can still be included. */
const FORGOTTEN_MS = 12 * 60_000

beforeAll(build)

test(
  'K07 W25 a backup older than its chains: on every family all is found, and nothing paid twice',
  async () => {
    const harness = await makeRestoreHarness(['evm', 'bitcoin', 'tron', 'xrpl'])
    const file = join(dirname(harness.config), 'harness.backup')
    const pending = await liveBefore(harness, file)
    await liveAfter(harness, pending)
    const config = await withNewDatabase(harness)
    const restored = await sluiceJson<{ frozen: string[]; verified: object }>(config, [
      'restore',
      file,
      '--verify',
    ])
    expect(restored.frozen.toSorted()).toEqual(harness.chains.map(({ id }) => id).toSorted())
    expect(restored.verified).toMatchObject({ drift: 0, wrong: [] })
    const service = serve(config)
    await untilAnswering(harness.port)
    await seeAll(harness)
    await actAsTheRunbookSays({ harness, config, pending })
    await goOn(harness, service)
    expect(await service.end()).toBe(0)
  },
  TIMEOUT_MS,
)

/** Before the backup: a deposit and a withdrawal on each chain, and a waiting withdrawal. */
async function liveBefore(harness: RestoreHarness, file: string): Promise<Map<string, string>> {
  const first = serve(harness.config)
  await untilReady(harness.port, first)
  await harness.fundAll()
  await harness.payAll('alice', 10)
  await untilDeposits(harness, { count: harness.chains.length, status: 'Confirmed' })
  const known = await harness.withdrawAll(1)
  await untilStatus(harness, known, 'Completed')
  expect(await first.end()).toBe(0)
  const withoutSpender = serve(harness.config, { args: ['--roles', 'api,scanner'] })
  await untilReady(harness.port, withoutSpender)
  const pending = await harness.withdrawAll(2)
  await sluiceJson(harness.config, ['backup', file])
  expect(await withoutSpender.end()).toBe(0)
  return pending
}

/** After the backup: the waiting withdrawal is paid, old and new users pay in. */
async function liveAfter(harness: RestoreHarness, pending: Map<string, string>): Promise<void> {
  const lost = serve(harness.config)
  await untilReady(harness.port, lost)
  await untilStatus(harness, pending, 'Completed')
  await harness.payAll('alice', 11)
  await harness.payAll('bob', 12)
  await untilDeposits(harness, { count: 3 * harness.chains.length, status: 'Confirmed' })
  expect(await lost.end()).toBe(0)
}

/** Payments to old addresses are detected, not credited; no transaction is signed. */
async function seeAll(harness: RestoreHarness): Promise<void> {
  await untilDeposits(harness, { count: harness.chains.length, status: 'Detected' })
  for (const chain of harness.chains) expect(await harness.paidTo(chain, 2)).toHaveLength(1)
}

interface Halted {
  chainId: string
  address: string
  foreign: { txnHash: string }[]
}

/** docs/runbooks/restore.md: compare, cancel what was paid, then let all go on. */
async function actAsTheRunbookSays(given: {
  harness: RestoreHarness
  config: string
  pending: Map<string, string>
}): Promise<void> {
  const { harness, config, pending } = given
  for (const chain of harness.chains) await findForgotten(harness, chain, config)
  for (const id of pending.values()) {
    expect(await harness.ask('DELETE', `/withdrawals/${id}`)).toMatchObject({ status: 200 })
  }
  for (const chain of harness.chains) {
    await chain.skip?.(FORGOTTEN_MS)
    await until(`${chain.id} to go on`, async () => {
      const { code } = await sluice(config, ['chain', 'resume', chain.id, '--reason', REASON])
      return code === 0 ? true : null
    })
    const resume = ['sender', 'resume', chain.id, '--reason', REASON]
    expect(await sluice(config, resume)).toMatchObject({ code: 0 })
  }
  await noteDeficits(config)
}

/** Until the missing payments are recorded, no withdrawal is paid. */
async function noteDeficits(config: string): Promise<void> {
  expect(await sluice(config, ['audit'])).toMatchObject({ code: 3 })
  const open = await sluiceJson<{ code: string; subject: string }[]>(config, ['alert', 'list'])
  for (const { code, subject } of open.filter((one) => one.code === 'ledger.difference')) {
    const close = ['alert', 'close', code, subject, '--reason', REASON]
    expect(await sluice(config, close)).toMatchObject({ code: 0 })
  }
}

/** The sender is halted, and named with what it paid. */
async function findForgotten(
  harness: RestoreHarness,
  chain: SoakChain,
  config: string,
): Promise<void> {
  const [payment] = await harness.paidTo(chain, 2)
  await until(`the forgotten payment of ${chain.id}`, async () => {
    const args = ['sender', 'list', '--halted', '--chain', chain.id]
    const halted = await sluiceJson<Halted[]>(config, args)
    const named = halted.flatMap(({ foreign }) => foreign.map(({ txnHash }) => txnHash))
    return named.includes(payment?.txnHash ?? '') ? true : null
  })
}

/** All that is to be credited is, new addresses are new, and each payment is there once. */
async function goOn(harness: RestoreHarness, service: Started): Promise<void> {
  await untilDeposits(harness, { count: 2 * harness.chains.length, status: 'Confirmed' })
  const last = await harness.withdrawAll(3)
  await untilStatus(harness, last, 'Completed', () => service.output())
  for (const chain of harness.chains) {
    const counts = [1, 2, 3].map(async (number) => (await harness.paidTo(chain, number)).length)
    expect([chain.id, await Promise.all(counts)]).toEqual([chain.id, [1, 1, 1]])
  }
}

function untilDeposits(
  harness: RestoreHarness,
  { count, status }: { count: number; status: string },
): Promise<unknown> {
  return until(`${count} deposits ${status}`, async () => {
    const found = await harness.deposits()
    return found.filter((one) => one.status === status).length >= count ? found : null
  })
}

function untilStatus(
  harness: RestoreHarness,
  ids: ReadonlyMap<string, string>,
  status: string,
  context?: () => string,
): Promise<unknown> {
  const ask = async () => {
    const found = await harness.statuses(ids)
    return found.every((one) => one === status) ? found : null
  }
  return until(`withdrawals ${status}`, ask, context)
}

/** A frozen chain leaves the service answering, and not quite ready. */
function untilAnswering(port: number): Promise<unknown> {
  return until('an answer', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    return answer?.ok === true ? true : null
  })
}
