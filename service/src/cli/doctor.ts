import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { openChainsOf } from '../app/open-chains.ts'
import { type Ground, MIGRATIONS } from '../app/ground.ts'
import { OTHER_SERVICE_KEY, openSeed, openServiceKeyOf } from '../app/keys.ts'
import { readChainState } from '../catalogue/chain-state.ts'
import { judgeChain } from '../catalogue/verify-chains.ts'
import { readChecksInForce } from '../catalogue/token-check.ts'
import { type TokenFinding, inspectTokens } from '../catalogue/verify-tokens.ts'
import { countAlerts } from '../journal/count-alerts.ts'
import { type KeyProof, proveServiceKey } from '../orgs/prove-service-key.ts'
import { readPin } from '../scanner/look.ts'
import { migrationStatus } from '../store/migrate.ts'
import { onGround, print } from './context.ts'
import { EXIT } from './exit.ts'

interface Check {
  name: string
  ok: boolean
  says: string
}

/** `sluice doctor`: asks everything that the service rests on whether it stands. */
export function doctorCommand(): Command {
  return new Command('doctor').action(async (_options, command: Command) => {
    const checks = await onGround(examine)
    print(command, checks, () =>
      checks.map(({ name, ok, says }) => `${ok ? 'ok  ' : 'BAD '} ${name}: ${says}`),
    )
    if (checks.some(({ ok }) => !ok)) process.exitCode = EXIT.unhealthy
  })
}

async function examine(ground: Ground): Promise<Check[]> {
  return [
    await checkDatabase(ground),
    await checkSeed(ground),
    await checkServiceKey(ground),
    ...(await checkChains(ground)),
    await checkTokens(ground),
    await checkAlerts(ground),
  ]
}

async function checkDatabase({ urls, config }: Ground): Promise<Check> {
  const status = await migrationStatus({ ownerUrl: urls.owner, folder: MIGRATIONS })
  const ok = status.pending.length === 0 && status.unknown.length === 0
  const kind = config.databaseUrl === '' ? 'embedded' : 'external'
  return {
    name: 'database',
    ok,
    says: `${kind}, its schema is ${status.applied.at(-1) ?? 'empty'}`,
  }
}

async function checkSeed({ config, dice }: Ground): Promise<Check> {
  const name = 'keys'
  if (!existsSync(config.seedFile)) {
    return { name, ok: false, says: `no seed at ${config.seedFile}: sluice keys init` }
  }
  try {
    const keyring = await openSeed(config, dice)
    const { fingerprint } = keyring
    keyring.destroy()
    return { name, ok: true, says: `the seed ${fingerprint} opens` }
  } catch (error) {
    return { name, ok: false, says: wordsOf(error) }
  }
}

const KEY_SAYS: Record<KeyProof, string> = {
  proved: 'it is the one this database was written with',
  other: OTHER_SERVICE_KEY,
  nothing: 'nothing was written with it yet',
}

async function checkServiceKey({ config, dice, database }: Ground): Promise<Check> {
  const name = 'service key'
  const serviceKey = openOrSay(() => openServiceKeyOf(config, dice))
  if (typeof serviceKey === 'string') return { name, ok: false, says: serviceKey }
  const proof = await database.transaction((tx) => proveServiceKey(tx, serviceKey))
  return { name, ok: proof !== 'other', says: KEY_SAYS[proof] }
}

function openOrSay<T>(open: () => T): T | string {
  try {
    return open()
  } catch (error) {
    return wordsOf(error)
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

async function checkChains(ground: Ground): Promise<Check[]> {
  const chains = openChainsOf(ground, null)
  const checks: Check[] = []
  for (const adapter of chains.all()) {
    const entry = ground.catalogue.chain(adapter.chainId)
    if (entry === null) continue
    const pin = await ground.database.transaction((tx) => readPin(tx, entry.id))
    const reports = await adapter.identify(pin)
    const state = await ground.database.transaction((tx) => readChainState(tx, entry.id))
    const verdict = judgeChain(entry, state, reports)
    const stands = state === null || state.condition === 'running'
    const ok = verdict.verdict === 'fine' && verdict.strangers.length === 0 && stands
    const cause = verdict.verdict === 'fine' ? verdict.strangers.join('; ') : verdict.cause
    const condition = state === null ? 'not contacted by the service yet' : state.condition
    const at = state === null ? '' : `, block ${state.tip.height} of ${state.headHeight}`
    checks.push({
      name: entry.id,
      ok,
      says: [`${condition}${at}`, cause].filter(Boolean).join('; '),
    })
  }
  await chains.close()
  if (checks.length > 0) return checks
  return [{ name: 'chains', ok: false, says: 'no chain has nodes in the configuration' }]
}

/** The chains are asked themselves: the service may not have run yet, or not for long. */
async function checkTokens(ground: Ground): Promise<Check> {
  const { database, catalogue } = ground
  const chains = openChainsOf(ground, null)
  const found = await inspectTokens({ chains }, catalogue)
  await chains.close()
  const checks = await database.transaction((tx) => readChecksInForce(tx, catalogue))
  const suspended = new Set(
    checks.filter(({ suspendedAt }) => suspendedAt !== null).map(({ tokenId }) => tokenId),
  )
  const isBad = ({ tokenId, state }: TokenFinding) => state === 'mismatch' || suspended.has(tokenId)
  const bad = found.filter(isBad)
  const silent = found.filter((one) => one.state === 'unreachable' && !isBad(one))
  const named = (which: readonly TokenFinding[]) => which.map(({ tokenId }) => tokenId).join(', ')
  const says = [
    `${found.length - bad.length - silent.length} of ${found.length} verified on their chains`,
    ...(bad.length === 0 ? [] : [`not as the catalogue says, or suspended: ${named(bad)}`]),
    ...(silent.length === 0 ? [] : [`no node could be asked about: ${named(silent)}`]),
  ].join('; ')
  return { name: 'tokens', ok: bad.length + silent.length === 0, says }
}

async function checkAlerts({ database }: Ground): Promise<Check> {
  const alerts = await database.transaction(countAlerts)
  const open = alerts.reduce((sum, { count }) => sum + count, 0)
  const says = open === 0 ? 'none open' : `${open} open: sluice alert list`
  return { name: 'alerts', ok: open === 0, says }
}
