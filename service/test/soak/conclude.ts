import type { SoakDatabase } from './database.ts'
import type { Difference, Told } from './judge.ts'
import { judgeDeposits, judgeElsewhere, judgeReleased, judgeWithdrawals, paidIn } from './judge.ts'
import { judgeClaims } from './judge-claims.ts'
import { judgeEvents } from './judge-events.ts'
import { judgeShown } from './judge-shown.ts'
import { type Subject, subjectOf } from './judge-stories.ts'
import {
  type LedgerDeposit,
  type LedgerWithdrawal,
  readAddresses,
  readAlerts,
  readClaims,
  readDeposits,
  readSpends,
  readWaiting,
  readWithdrawals,
  standing,
} from './ledger.ts'
import { DATABASE } from './place.ts'
import { type ChainReport, type Counts, type Report, timesOf } from './report.ts'
import { rescanFresh } from './rescan.ts'
import type { Soak } from './run.ts'
import { runSluice } from './service.ts'

/** A run this long has deep reorgs. */
const DEEP_MINUTES = 2

/** Makes all comparisons and collects the report. */
export async function conclude(harness: Soak, settledSeconds: number): Promise<Report> {
  const { options, database, receivers, services, client, trouble, operator, tell } = harness
  const audit = await runSluice(harness.config, ['audit'])
  const log = await runSluice(harness.config, ['audit-log', 'verify'])
  tell('audited')
  const differences = [
    ...(await judgeSettled(harness)),
    ...judgeRun('the audit is not clean', audit),
    ...judgeRun('the audit log is broken', log),
  ]
  const recorded = await readRecorded(database)
  const told = await notifyAll(harness, recorded)
  differences.push(...(await judgeChains(harness, recorded, told)))
  const events = await judgeEvents(database, receivers, subjectsOf(recorded))
  differences.push(...events.differences)
  const tokens = harness.chains.flatMap((chain) => chain.tokens)
  const alerts = await readAlerts(database, DATABASE, tokens)
  differences.push(...alerts.map(({ code, message: details }) => ({ what: code, details })))
  differences.push(...client.broken.map((details) => ({ what: 'an answer of 500', details })))
  differences.push(...judgeTrouble(harness), ...judgeReleased(operator.acts.released))
  differences.push(...(await endServices(harness)))
  tell('compared; rescanning all chains')
  const rescan = await rescanFresh({ ...harness, limit: options.settle * 1_000 })
  differences.push(...rescan.differences)
  const { seconds, deposits, spends } = rescan
  return {
    seed: options.seed,
    minutes: options.minutes,
    rate: options.rate,
    processes: options.processes,
    bitcoinNode: bitcoinNodeOf(harness),
    chains: told.map((one) => chainReport(harness, one, recorded)),
    kills: { ...trouble.told.kills },
    killed: { ...trouble.told.killed },
    serviceStarts: timesOf(services.flatMap(({ starts }) => starts)),
    serviceEnds: services.reduce((sum, { ends }) => sum + ends, 0),
    databaseRestarts: timesOf(trouble.told.databaseRestarts),
    spends: countBy(await readSpends(database, DATABASE), ({ purpose, state }) => {
      return `${purpose} ${state}`
    }),
    resumed: operator.acts.resumed.length,
    released: operator.acts.released.length,
    causes: causesOf(harness),
    requestsRepeated: client.retries,
    events: events.counts.events,
    deliveriesRepeated: events.counts.repeated,
    receiverFaults: receivers.faults,
    settledSeconds,
    audit: audit.code === 0 ? 'clean' : `code ${audit.code}`,
    rescan: { seconds, deposits, spends, isEqual: rescan.differences.length === 0 },
    openAlerts: alerts.map(({ code, subject }) => `${code} ${subject}`),
    differences,
    mishaps: mishapsOf(harness),
    passed: differences.length === 0,
  }
}

/** Deposits and withdrawals in the service's database. */
interface Recorded {
  deposits: readonly LedgerDeposit[]
  withdrawals: readonly LedgerWithdrawal[]
}

async function readRecorded(database: SoakDatabase): Promise<Recorded> {
  const deposits = await readDeposits(database, DATABASE)
  return { deposits, withdrawals: await readWithdrawals(database, DATABASE) }
}

function subjectsOf({ deposits, withdrawals }: Recorded): Subject[] {
  return [
    ...deposits.map((one) => subjectOf('deposit', one)),
    ...withdrawals.map((one) => subjectOf('withdrawal', one)),
  ]
}

async function judgeChains(
  { chains, database }: Soak,
  { deposits, withdrawals }: Recorded,
  told: readonly Told[],
): Promise<Difference[]> {
  const claims = await readClaims(database, DATABASE)
  const rows = [
    ...deposits,
    ...withdrawals,
    ...claims.map((claim) => ({ ...claim, chainId: claim.tokenId.replace(/\/.*/, '') })),
  ]
  const each = told.flatMap((one) => [
    ...judgeDeposits(one),
    ...judgeWithdrawals(one),
    ...judgeClaims(one, claims),
    ...judgeShown(one),
  ])
  return [...judgeElsewhere(chains, rows), ...each]
}

/** Each must exit cleanly after its signal. */
async function endServices({ services }: Soak): Promise<Difference[]> {
  const differences: Difference[] = []
  for (const service of services) {
    const code = await service.stop()
    if (code !== 0) differences.push({ what: `${service.name} ended with ${code}`, details: '' })
  }
  return differences
}

async function judgeSettled({ database }: Soak): Promise<Difference[]> {
  const waiting = await readWaiting(database, DATABASE)
  return Object.entries(waiting)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => ({ what: `${what} have not settled`, details: `${count}` }))
}

/** A run without a frozen chain has not tested the recovery from it. */
function judgeTrouble({ options, chains, operator }: Soak): Difference[] {
  const isLong = options.minutes >= DEEP_MINUTES && !options.failover
  if (!isLong || chains.every(({ reach }) => reach === 0)) return []
  if (operator.acts.resumed.some(({ condition }) => condition === 'frozen')) return []
  return [{ what: 'no reorg froze a chain', details: 'no credited deposit was undone' }]
}

function judgeRun(what: string, ran: Awaited<ReturnType<typeof runSluice>>): Difference[] {
  if (ran.code === 0) return []
  return [{ what, details: `${ran.stdout}${ran.stderr}`.slice(0, 2_000) }]
}

async function notifyAll(
  { options, chains, loads, database }: Soak,
  { deposits, withdrawals }: Recorded,
): Promise<Told[]> {
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
      withdraws: !options.depositsOnly.includes(chain.family),
      movements: await chain.movements(),
      own: of(own),
      deposits: standing(of(deposits)),
      withdrawals: of(withdrawals),
    })
  }
  return told
}

function chainReport(
  { options, loads, nodes, trouble, chains }: Soak,
  told: Told,
  recorded: Recorded,
): ChainReport {
  const { chain, wanted, withdrawals, deposits } = told
  const done = loads[chains.indexOf(chain)]?.done
  const seconds = options.minutes * 60
  const reorgs = trouble.told.reorgs.filter(({ chainId }) => chainId === chain.id)
  const counts = nodes.get(chain.id)?.counts
  const ended = countBy(withdrawals, ({ status, failureCode }) =>
    failureCode === null ? status : `${status} ${failureCode}`,
  )
  const states = recorded.deposits.filter(({ chainId }) => chainId === chain.id)
  return {
    chainId: chain.id,
    paid: done?.paid ?? 0,
    arrived: paidIn(told).length,
    credited: deposits.filter(({ status }) => status === 'Confirmed').length,
    deposits: countBy(states, ({ status }) => status),
    depositsPerSecond: (done?.paid ?? 0) / seconds,
    asked: wanted.length,
    refused: wanted.filter(({ heard }) => heard !== 201).length,
    completed: ended['Completed'] ?? 0,
    failed: withdrawals.filter(({ status }) => status === 'Failed').length,
    withdrawals: ended,
    withdrawalsPerSecond: wanted.length / seconds,
    reorgs: countBy(reorgs, ({ depth }) => String(depth)),
    deepReorgs: reorgs.filter(({ isDeep }) => isDeep).length,
    nodeCalls: counts?.requests ?? 0,
    nodeFaults: counts?.faults ?? {},
  }
}

function bitcoinNodeOf({ options }: Soak): Report['bitcoinNode'] {
  if (!options.families.includes('bitcoin')) return 'none'
  return options.bitcoind === null ? 'simulated' : 'bitcoind'
}

function causesOf({ operator }: Soak): Counts {
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

function countBy<T>(all: readonly T[], keyOf: (one: T) => string): Counts {
  const counts: Counts = {}
  for (const one of all) counts[keyOf(one)] = (counts[keyOf(one)] ?? 0) + 1
  return counts
}
