import type { Command } from 'commander'
import { assert } from '../base/assert.ts'
import { Outage, Refusal } from '../base/fault.ts'
import { type ChainState, readChainState } from '../catalogue/chain-state.ts'
import type { Chains } from '../chains/registry.ts'
import type { Ground } from '../app/ground.ts'
import { openOwnServiceKey } from '../app/keys.ts'
import { openChainsOf } from '../app/open-chains.ts'
import { openSpendHooks } from '../app/spend-hooks.ts'
import { continueRescan, readRescan, requestRescan } from '../scanner/rescan.ts'
import type { Rescan } from '../scanner/rescan-rows.ts'
import { scannerLease } from '../scanner/run.ts'
import { holdLease } from '../store/hold-lease.ts'
import { findChain } from './find-chain.ts'
import { actor, onGround, print } from './context.ts'

const LOOK_MS = 300

/** Requests a rescan and follows it. The running service does it, or this process without one. */
export async function rescan(
  id: string,
  range: { from: number; to: number },
  command: Command,
): Promise<void> {
  const done = await onGround(async (ground) => {
    const chainId = findChain(ground.catalogue, id).id
    if (!ground.catalogue.isConfigured(chainId)) {
      const says = `${chainId} has no nodes in the configuration.`
      throw new Refusal('CHAIN_NOT_ENABLED', { chainId }, says)
    }
    const asked = await ground.database.transaction(async (tx) => {
      const made = await requestRescan(tx, { chainId, ...range, actor: actor() })
      warnIfHalted(await readChainState(tx, chainId))
      return made
    })
    return watch(ground, asked)
  })
  print(command, done, () => [
    `Read blocks ${done.from} to ${done.to} of ${id} again; found ${done.found} new deposits.`,
  ])
}

/** Explains why the rescan does not start yet. */
function warnIfHalted(state: ChainState | null): void {
  if (state?.condition !== 'halted') return
  console.error(
    `${state.chainId} is halted (${state.cause}). The rescan starts after: ` +
      `sluice chain resume ${state.chainId} --reason <text>`,
  )
}

/** The process that holds the chain's lease does the work: a running service or this one. */
async function watch(ground: Ground, asked: Rescan): Promise<Rescan> {
  const progress = progressBar(asked)
  const done = new AbortController()
  const chains = openChainsOf(ground, null)
  const working = helpOut(ground, chains, asked, done.signal)
  const waiting = untilDone(ground, asked, progress, done.signal)
  try {
    await Promise.race([working, waiting])
    return finish(progress, await waiting)
  } finally {
    done.abort()
    await working.catch(() => undefined)
    await chains.close()
  }
}

async function untilDone(
  { database, clock }: Ground,
  asked: Rescan,
  progress: (rescan: Rescan) => void,
  signal: AbortSignal,
): Promise<Rescan> {
  while (!signal.aborted) {
    const now = await database.transaction((tx) => readRescan(tx, asked.id))
    if (now === null || now.state !== 'waiting') return now ?? asked
    progress(now)
    await clock.sleep(LOOK_MS, signal)
  }
  return asked
}

/** Waits for the chain's lease and reads blocks while it holds it. Throws what the nodes throw. */
async function helpOut(
  ground: Ground,
  chains: Chains,
  { chainId }: Rescan,
  signal: AbortSignal,
): Promise<void> {
  const { database, catalogue, clock, log, ids } = ground
  const adapter = chains.get(chainId)
  assert(adapter !== null, 'a chain with nodes has no adapter', { chainId })
  const entry = findChain(catalogue, chainId)
  const serviceKey = await openOwnServiceKey(ground)
  const deps = { database, serviceKey, catalogue, clock, log, adapter, entry }
  const bounds = { startHeight: null, runMax: 1, fetchMax: 1, notice: () => undefined }
  const hooks = openSpendHooks({ catalogue })
  const watcher = { ...deps, ...bounds, hooks, required: catalogue.required(chainId) }
  const wanted = { name: scannerLease(chainId), holder: ids.next() }
  await holdLease({ database, clock, log }, wanted, signal, async (lease, term) => {
    while (!term.aborted) {
      const worked = await continueRescan({ ...watcher, lease })
      if (!worked) await clock.sleep(LOOK_MS, term)
    }
  })
}

function finish(progress: (rescan: Rescan) => void, last: Rescan): Rescan {
  progress(last)
  if (process.stderr.isTTY) process.stderr.write('\n')
  if (last.state === 'failed') throw new Outage(last.chainId, `the rescan failed: ${last.cause}`)
  return last
}

const BAR = 30

/** Prints a progress bar on a terminal, otherwise a line for each tenth. */
function progressBar({ from, to }: Rescan): (rescan: Rescan) => void {
  let told = -1
  return ({ next }) => {
    const share = (next - from) / (to - from + 1)
    if (process.stderr.isTTY) {
      const bar = '#'.repeat(Math.round(share * BAR)).padEnd(BAR, '.')
      process.stderr.write(`\r[${bar}] ${Math.floor(share * 100)} %  block ${next - 1}`)
      return
    }
    const tenth = Math.floor(share * 10)
    if (tenth > told) console.error(`${tenth * 10} % of the blocks are read`)
    told = Math.max(told, tenth)
  }
}
