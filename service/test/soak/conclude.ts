import type { Difference, Told } from './judge.ts'
import { judgeClaims, judgeDeposits, judgeWithdrawals, paidIn } from './judge.ts'
import { judgeEvents } from './judge-events.ts'
import {
  readAddresses,
  readAlerts,
  readClaims,
  readDeposits,
  readSpends,
  readWaiting,
  readWithdrawals,
} from './ledger.ts'
import { DATABASE } from './place.ts'
import { type ChainReport, type Report, timesOf } from './report.ts'
import { rescanFresh } from './rescan.ts'
import type { Soak } from './run.ts'
import { runSluice } from './service.ts'

/** Compares everything with everything, and writes down what there was. */
export async function conclude(house: Soak, settledSeconds: number): Promise<Report> {
  const { options, database, receivers, services, client, trouble, operator, tell } = house
  const audit = await runSluice(house.config, ['audit'])
  tell('audited')
  const differences = [...(await judgeSettled(house)), ...judgeAudit(audit)]
  const told = await tellAll(house)
  const claims = await readClaims(database, DATABASE)
  for (const one of told) {
    differences.push(...judgeDeposits(one), ...judgeWithdrawals(one), ...judgeClaims(one, claims))
  }
  const events = await judgeEvents(database, receivers)
  differences.push(...events.differences)
  const tokens = new Set(house.chains.flatMap((chain) => chain.tokens))
  // The catalogue's other tokens do not stand on these chains.
  const alerts = (await readAlerts(database, DATABASE)).filter(
    ({ code, subject }) => code !== 'token.mismatch' || tokens.has(subject),
  )
  differences.push(...alerts.map(({ code, message: details }) => ({ what: code, details })))
  differences.push(...client.broken.map((details) => ({ what: 'an answer of 500', details })))
  for (const service of services) {
    const code = await service.stop()
    if (code !== 0) differences.push({ what: `${service.name} ended with ${code}`, details: '' })
  }
  tell('compared; now all is read anew')
  const rescan = await rescanFresh({ ...house, limit: options.settle * 1_000 })
  differences.push(...rescan.differences)
  const { seconds, deposits, spends } = rescan
  return {
    seed: options.seed,
    minutes: options.minutes,
    rate: options.rate,
    processes: options.processes,
    bitcoinNode: bitcoinNodeOf(house),
    chains: told.map((one) => chainReport(house, one)),
    kills: { ...trouble.told.kills },
    serviceStarts: timesOf(services.flatMap(({ starts }) => starts)),
    serviceEnds: services.reduce((sum, { ends }) => sum + ends, 0),
    databaseRestarts: timesOf(trouble.told.databaseRestarts),
    spends: countBy(await readSpends(database, DATABASE), ({ purpose, state }) => {
      return `${purpose} ${state}`
    }),
    resumed: operator.acts.resumed.length,
    released: operator.acts.released.length,
    causes: causesOf(house),
    requestsRepeated: client.retries,
    events: events.counts.events,
    deliveriesRepeated: events.counts.repeated,
    receiverFaults: receivers.faults,
    settledSeconds,
    audit: audit.code === 0 ? 'clean' : `code ${audit.code}`,
    rescan: { seconds, deposits, spends },
    openAlerts: alerts.map(({ code, subject }) => `${code} ${subject}`),
    differences,
    mishaps: mishapsOf(house),
    passed: differences.length === 0,
  }
}

async function judgeSettled({ database }: Soak): Promise<Difference[]> {
  const waiting = await readWaiting(database, DATABASE)
  return Object.entries(waiting)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => ({ what: `${what} have not settled`, details: `${count}` }))
}

function judgeAudit(ran: { code: number | null; stdout: string; stderr: string }): Difference[] {
  if (ran.code === 0) return []
  return [{ what: 'the audit is not clean', details: `${ran.stdout}${ran.stderr}`.slice(0, 2_000) }]
}

async function tellAll({ chains, loads, database }: Soak): Promise<Told[]> {
  const deposits = await readDeposits(database, DATABASE)
  const withdrawals = await readWithdrawals(database, DATABASE)
  const own = await readAddresses(database, DATABASE)
  const told: Told[] = []
  for (const [at, chain] of chains.entries()) {
    const { addresses = [], wanted = [] } = loads[at]?.done ?? {}
    const of = <T extends { chainId: string }>(all: readonly T[]) =>
      all.filter(({ chainId }) => chainId === chain.id)
    told.push({
      chain,
      addresses,
      wanted,
      movements: await chain.movements(),
      own: of(own),
      deposits: of(deposits),
      withdrawals: of(withdrawals),
    })
  }
  return told
}

function chainReport({ options, loads, nodes, trouble, chains }: Soak, told: Told): ChainReport {
  const { chain, wanted, withdrawals, deposits } = told
  const done = loads[chains.indexOf(chain)]?.done
  const seconds = options.minutes * 60
  const reorgs = trouble.told.reorgs.filter(({ chainId }) => chainId === chain.id)
  const counts = nodes.get(chain.id)?.counts
  const ended = (status: string) => withdrawals.filter((one) => one.status === status).length
  return {
    chainId: chain.id,
    paid: done?.paid ?? 0,
    arrived: paidIn(told).length,
    credited: deposits.filter(({ status }) => status === 'Confirmed').length,
    depositsPerSecond: (done?.paid ?? 0) / seconds,
    asked: wanted.length,
    refused: wanted.filter(({ heard }) => heard !== 201).length,
    completed: ended('Completed'),
    failed: ended('Failed'),
    withdrawalsPerSecond: wanted.length / seconds,
    reorgs: reorgs.length,
    deepReorgs: reorgs.filter(({ kind }) => kind === 'deep').length,
    deepest: Math.max(0, ...reorgs.map(({ depth }) => depth)),
    nodeCalls: counts?.requests ?? 0,
    nodeFaults: counts?.faults ?? 0,
  }
}

function bitcoinNodeOf({ options }: Soak): Report['bitcoinNode'] {
  if (!options.families.includes('bitcoin')) return 'none'
  return options.bitcoind === null ? 'simulated' : 'bitcoind'
}

function causesOf({ operator }: Soak): Record<string, number> {
  const { resumed, released } = operator.acts
  return countBy([...resumed, ...released], ({ cause }) => cause.replaceAll(/0x\w+|\d+/g, '…'))
}

function mishapsOf({ loads, trouble, operator }: Soak): string[] {
  const refusals = loads.flatMap(({ done }) => done.wanted).filter(({ refusal }) => refusal !== '')
  return [
    ...trouble.told.mishaps,
    ...operator.acts.failures,
    ...loads.flatMap(({ mishaps }) => mishaps),
    ...refusals.map(({ reference, refusal }) => `${reference}: ${refusal}`),
  ]
}

function countBy<T>(all: readonly T[], keyOf: (one: T) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const one of all) counts[keyOf(one)] = (counts[keyOf(one)] ?? 0) + 1
  return counts
}
