import type { PaymentTrace } from '@sluice/wire'
import type { Command } from 'commander'
import { readNodes, readFacts } from '../api/trace/facts.ts'
import { trace } from '../api/trace/trace.ts'
import type { Ground } from '../app/ground.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { RowVerifier } from '../accounts/row-mac.ts'
import { openOwnServiceKey } from '../app/keys.ts'
import { hashOn } from '../chains/format-address.ts'
import type { Chains } from '../chains/registry.ts'
import { onGround, print, withChains } from './context.ts'
import { findChain } from './find-chain.ts'

/** Answer of a chain without the transaction; printed only if no chain has it. */
const NO_SIGHT: readonly string[] = ['TRANSACTION_NOT_FOUND', 'CHAIN_NOT_FOLLOWED']

/** `sluice deposit trace`: for all organizations, on one chain or on every chain with nodes. */
export async function traceDeposit(
  transaction: string,
  { chain }: { chain?: string },
  command: Command,
): Promise<void> {
  const traces = await onGround((ground) => traceOn(ground, { transaction, chain }))
  const known = traces.filter(
    ({ steps, payments }) =>
      payments.length > 0 || !steps.some(({ code }) => NO_SIGHT.includes(code)),
  )
  const shown = known.length > 0 ? known : traces
  print(command, shown, () => shown.flatMap(linesOf))
}

async function traceOn(
  ground: Ground,
  { transaction, chain }: { transaction: string; chain: string | undefined },
): Promise<PaymentTrace[]> {
  const { catalogue } = ground
  const entries =
    chain === undefined
      ? catalogue.chains.filter(({ id }) => catalogue.isConfigured(id))
      : [findChain(catalogue, chain)]
  const serviceKey = await openOwnServiceKey(ground)
  return withChains(ground, (chains) => {
    const request = { serviceKey, chains, transaction }
    return Promise.all(entries.map((entry) => traceFor(ground, { ...request, entry })))
  })
}

async function traceFor(
  { database, catalogue }: Pick<Ground, 'database' | 'catalogue'>,
  request: {
    serviceKey: RowVerifier
    chains: Pick<Chains, 'get'>
    entry: ChainEntry
    transaction: string
  },
): Promise<PaymentTrace> {
  const { serviceKey, chains, entry, transaction } = request
  const txnHash = hashOn(entry.id, transaction)
  const asked = { catalogue, chainId: entry.id, txnHash }
  const seen = await readNodes(chains.get(entry.id), asked)
  const facts = { serviceKey, catalogue, entry, txnHash, seen, isTokenOn: () => true }
  return database.transaction(async (tx) => trace(await readFacts(tx, facts)))
}

function linesOf({ chainId, txnHash, steps, payments }: PaymentTrace): string[] {
  return [
    `${txnHash} on ${chainId}`,
    ...steps.map(({ code, message }) => `  ${code}: ${message}`),
    ...payments.flatMap(({ amount, tokenId, recipient, depositId, steps: more }) => [
      `  ${amount} base units of ${tokenId ?? 'an unknown token'} to ${recipient}`,
      ...(depositId === null ? [] : [`    deposit ${depositId}`]),
      ...more.map(({ code, message }) => `    ${code}: ${message}`),
    ]),
  ]
}
