import { payingBy } from '../chains/chain-adapter.ts'
import { Command } from 'commander'
import type { Ground } from '../app/ground.ts'
import { openSpendHooks } from '../app/spend-hooks.ts'
import { Refusal } from '../base/fault.ts'
import { readChainState } from '../catalogue/chain-state.ts'
import { displayAddress } from '../chains/format-address.ts'
import {
  giveUpCoins,
  type GivingUp,
  lockUnincludable,
  refuseIncludable,
} from '../transactions/utxo/give-up-coins.ts'
import { asSigner, findSigner } from './as-signer.ts'
import { onGround, parseId, print, withChains } from './context.ts'
import { codeOption, readCode } from './read-code.ts'

interface GiveUpOptions {
  as: string
  totp?: string
  despitePayment?: true
  reason: string
}

/** `sluice spend`: gives up transactions that can never be included. */
export function spendCommands(): Command {
  const spend = new Command('spend')
  spend
    .command('give-up')
    .argument('<spend>', 'its id', parseId)
    .description('give up a payment that can never be included; two people must confirm')
    .requiredOption('--as <name>', 'the confirming approver or admin')
    .addOption(codeOption())
    .requiredOption('--reason <text>', 'the reason, recorded in the audit log')
    .option(
      '--despite-payment',
      'proceed although another transaction paid one of the recipients (both people pass this)',
    )
    .action(giveUp)
  return spend
}

async function giveUp(id: string, options: GiveUpOptions, command: Command): Promise<void> {
  const { as, despitePayment = false, reason } = options
  const done = await onGround(async (ground) => {
    const { catalogue } = ground
    const person = await findSigner(ground, as)
    const wanted = { catalogue, orgId: person.orgId, spendId: id, despitePayment }
    await askNodes(ground, wanted)
    // Read last: nodes may take longer to answer than a code is valid.
    const totp = await readCode(options.totp)
    const said = { hooks: openSpendHooks({ catalogue }), userId: person.id, reason }
    return asSigner(ground, { person, totp }, (tx, stillSigns) =>
      giveUpCoins(tx, { ...wanted, ...said, stillSigns }),
    )
  })
  const { state, spend, payments } = done
  const subjects = payments.map(({ subjectId }) => subjectId)
  const again = despitePayment
    ? `sluice spend give-up ${id} --as <name> --reason <text> --despite-payment`
    : `sluice spend give-up ${id} --as <name> --reason <text>`
  print(command, { id, state, withdrawals: subjects, transactions: done.hashes }, () => [
    ...(state === 'Proposed'
      ? [`Recorded. A second person must confirm with the same command: ${again}`]
      : [`Spend ${id} is given up. Its withdrawals have failed, and their amounts are released.`]),
    ...payments.map(
      ({ subjectId, to, amount }) =>
        `  ${subjectId}: ${amount} to ${displayAddress(spend.chainId, to)}`,
    ),
    'If one of its transactions is included later, these recipients are paid although the amounts',
    'were released. The organization then bears the loss.',
    ...done.hashes.map((hash) => `  ${hash}`),
  ])
}

/** Refuses early if nodes contradict; the decision itself is based on blocks. */
async function askNodes(ground: Ground, wanted: GivingUp): Promise<void> {
  const { unincludable, tip } = await ground.database.transaction(async (tx) => {
    const found = await lockUnincludable(tx, wanted)
    const state = await readChainState(tx, found.spend.chainId)
    return { unincludable: found, tip: state?.tip ?? null }
  })
  const { chainId } = unincludable.spend
  await withChains(ground, async (chains) => {
    const adapter = chains.get(chainId)
    if (adapter === null || tip === null) {
      const says = `${chainId} has no nodes in the configuration.`
      throw new Refusal('CHAIN_NOT_ENABLED', { chainId }, says)
    }
    await refuseIncludable(payingBy(adapter, 'utxo'), { unincludable, tip })
  })
}
