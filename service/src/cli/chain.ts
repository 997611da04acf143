import { Command } from 'commander'
import { type Millis, iso } from '../base/clock.ts'
import { readNodes } from '../catalogue/chain-nodes.ts'
import { type ChainState, progressOf, readChainStates } from '../catalogue/chain-state.ts'
import type { NodeRow } from '../catalogue/node-rows.ts'
import { actor, loaded, onGround, parseHeight, parseId, print, table } from './context.ts'
import { findChain } from './find-chain.ts'
import { enableFor, enabledLines, offeredCells, offeredHeadings, readOffersTo } from './offered.ts'

/** `sluice chain`: lists, shows, enables, resumes and rescans chains. */
export function chainCommands(): Command {
  const chain = new Command('chain')
  chain
    .command('list')
    .description('list all chains with their state')
    .option('--org <id>', 'show whether each is enabled for this organization', parseId)
    .action(list)
  chain
    .command('status [chain]')
    .description('show how far each chain is and how its nodes last answered')
    .action(status)
  chain
    .command('enable <chain>')
    .description('enable a chain for an organization (--off: disable it)')
    .requiredOption('--org <id>', 'the organization', parseId)
    .option('--off', 'disable it')
    .action(enable)
  chain
    .command('resume <chain>')
    .description('resume a frozen or halted chain after its cause is known')
    .requiredOption('--reason <text>', 'the reason, recorded in the audit log')
    .action(resume)
  chain
    .command('rescan <chain>')
    .description('read a range of blocks again; can be repeated safely')
    .requiredOption('--from <height>', 'first block', parseHeight)
    .requiredOption('--to <height>', 'last block', parseHeight)
    .action(loaded(async () => (await import('./rescan.ts')).rescan))
  return chain
}

async function list({ org }: { org?: string }, command: Command): Promise<void> {
  const shown = await onGround(async ({ database, catalogue }) => {
    const { states, offers } = await database.transaction(async (tx) => ({
      states: await readChainStates(tx),
      offers: await readOffersTo(tx, { catalogue, org }),
    }))
    const byId = new Map(states.map((state) => [state.chainId, state]))
    return catalogue.chains.map((entry) => {
      const { id, name } = entry
      const state = byId.get(id)
      return {
        id,
        name,
        configured: catalogue.isConfigured(id),
        condition: state?.condition ?? 'never contacted',
        cause: state?.cause ?? '',
        tip: state?.tip.height ?? null,
        head: state?.headHeight ?? null,
        final: state?.final?.height ?? null,
        required: catalogue.required(id),
        ...(offers && { offered: offers.chain(entry), ...offers.decisions(entry) }),
      }
    })
  })
  print(command, shown, () =>
    table(
      ['chain', 'name', 'nodes', 'condition', 'tip', 'head', 'cause', ...offeredHeadings(org)],
      shown.map((one) => [
        one.id,
        one.name,
        one.configured ? 'yes' : 'no',
        one.condition,
        String(one.tip ?? '-'),
        String(one.head ?? '-'),
        one.cause || '-',
        ...offeredCells(one),
      ]),
      'There are no chains.',
    ),
  )
}

async function status(id: string | undefined, _options: object, command: Command): Promise<void> {
  const shown = await onGround(async ({ database, catalogue, clock }) => {
    const only = id === undefined ? null : findChain(catalogue, id).id
    const { states, nodes } = await database.transaction(async (tx) => ({
      states: await readChainStates(tx),
      nodes: await readNodes(tx),
    }))
    return catalogue.chains
      .filter((entry) => (only === null ? catalogue.isConfigured(entry.id) : entry.id === only))
      .map((entry) => ({
        id: entry.id,
        ...standingOf(states.find(({ chainId }) => chainId === entry.id) ?? null, clock.now()),
        nodes: nodes.filter(({ chainId }) => chainId === entry.id).map(nodeOf),
      }))
  })
  print(command, shown, () => shown.flatMap(statusLines))
}

/** The fields that a chain without a state lacks. */
type Unreached = Partial<Record<'tip' | 'head' | 'final' | 'lag', undefined>> & {
  condition: string
  cause: string
  lastReorg: null
}

function standingOf(
  state: ChainState | null,
  now: Millis,
): (ReturnType<typeof progressOf> & { cause: string }) | Unreached {
  if (state === null) return { condition: 'never contacted', cause: '', lastReorg: null }
  return { ...progressOf(state, now), cause: state.cause }
}

function nodeOf({ node, state, head, latencyMs, error, checkedAt }: NodeRow) {
  return { node, state, head, latencyMs, error, checkedAt: iso(checkedAt) }
}

function statusLines(chain: ReturnType<typeof standingOf> & StatusNodes): string[] {
  const { id, condition, cause, tip, head, final, lag, lastReorg, nodes } = chain
  return [
    `${id}: ${condition}${cause === '' ? '' : ` (${cause})`}`,
    ...(tip === undefined
      ? []
      : [
          `  tip ${tip.height} ${tip.hash} of ${tip.time}, head ${head}, final ${final ?? '-'}`,
          `  ${lag.blocks} blocks behind, ${lag.seconds} s since the tip`,
        ]),
    ...(lastReorg === null
      ? []
      : [`  last reorg: ${lastReorg.depth} blocks above ${lastReorg.height} at ${lastReorg.at}`]),
    ...table(
      ['  node', 'state', 'head', 'latency', 'checked', 'last error'],
      nodes.map((one) => [
        `  ${one.node}`,
        one.state,
        String(one.head ?? '-'),
        `${one.latencyMs} ms`,
        one.checkedAt,
        one.error || '-',
      ]),
      '  The scanner has not queried its nodes yet.',
    ),
  ]
}

interface StatusNodes {
  id: string
  nodes: readonly ReturnType<typeof nodeOf>[]
}

async function enable(
  id: string,
  options: { org: string; off?: boolean },
  command: Command,
): Promise<void> {
  const enabled = await onGround(async ({ database, catalogue }) => {
    const subject = findChain(catalogue, id).id
    return database.transaction((tx) => enableFor(tx, options, subject))
  })
  print(command, { chainId: id, ...enabled }, () => enabledLines(id, enabled))
}

async function resume(id: string, { reason }: { reason: string }, command: Command): Promise<void> {
  const { resumeChain } = await import('../scanner/resume.ts')
  const condition = await onGround(({ database, catalogue }) => {
    const entry = findChain(catalogue, id)
    return database.transaction((tx) => resumeChain(tx, { entry, actor: actor(), reason }))
  })
  print(command, { chainId: id, condition }, () => [
    condition === 'running' ? `${id} is resumed.` : `${id} is scanned again and stays frozen.`,
  ])
}
