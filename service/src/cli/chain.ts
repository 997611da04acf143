import { Command } from 'commander'
import { readChainStates } from '../catalogue/chain-state.ts'
import { setSwitch } from '../orgs/switches.ts'
import { actor, loaded, onGround, parseHeight, parseId, print, table } from './context.ts'
import { findChain } from './find-chain.ts'
import { offeredCell, offeredHeading, readOffersTo } from './offered.ts'

/** `sluice chain`: lists, enables, resumes and rescans chains. */
export function chainCommands(): Command {
  const chain = new Command('chain')
  chain
    .command('list')
    .description('list all chains with their state')
    .option('--org <id>', 'show whether each is enabled for this organization', parseId)
    .action(list)
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
        ...(offers && { offered: offers.chain(entry) }),
      }
    })
  })
  print(command, shown, () =>
    table(
      ['chain', 'name', 'nodes', 'condition', 'tip', 'head', 'cause', ...offeredHeading(org)],
      shown.map((one) => [
        one.id,
        one.name,
        one.configured ? 'yes' : 'no',
        one.condition,
        String(one.tip ?? '-'),
        String(one.head ?? '-'),
        one.cause || '-',
        ...offeredCell(one),
      ]),
      'There are no chains.',
    ),
  )
}

async function enable(
  id: string,
  { org, off }: { org: string; off?: boolean },
  command: Command,
): Promise<void> {
  const enabled = off !== true
  await onGround(async ({ database, catalogue }) => {
    const subject = findChain(catalogue, id).id
    await database.transaction((tx) =>
      setSwitch(tx, { orgId: org, subject, enabled, actor: actor() }),
    )
  })
  print(command, { chainId: id, enabled }, () => [`${id} is ${enabled ? 'enabled' : 'disabled'}.`])
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
