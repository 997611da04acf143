import { encodeValues } from '../evm-abi.ts'
import { type Hex, quantity } from '../hex.ts'
import { type FramePlan, transferLog } from './plans.ts'
import type { CallFrameJson, LogJson } from './shapes.ts'

/** Balances under `keyOf`, as they stand while a block is made. */
export interface Accounts {
  get(key: string): bigint
  set(key: string, value: bigint): void
}

export interface ExecutionRules {
  /** Each movement of the chain's own coin emits a Transfer log, as EIP-7708 has it. */
  logsNative: boolean
}

export interface Execution {
  succeeded: boolean
  gasUsed: bigint
  logs: LogJson[]
  trace: CallFrameJson
}

/** Address of the logs of native transfers (EIP-7708). */
export const NATIVE_LOG_ADDRESS: Hex = '0xfffffffffffffffffffffffffffffffffffffffe'

const INTRINSIC_GAS = 21_000n
const STEP_GAS = 9_000n

/** Under which name a balance is kept. */
export function keyOf(address: string, token: string | null = null): string {
  return `${token ?? ''}/${address}`
}

/** A copy-on-write view of accounts. */
export function copyOf(beneath: Accounts): Accounts {
  const writes = new Map<string, bigint>()
  return {
    get: (key) => writes.get(key) ?? beneath.get(key),
    set: (key, value) => void writes.set(key, value),
  }
}

/**
 * Does what the frame says, on the accounts. A frame that fails leaves nothing behind but its
 * trace.
 */
export function execute(top: FramePlan, accounts: Accounts, rules: ExecutionRules): Execution {
  const run: Run = { accounts, rules, undo: [], logs: [], gas: INTRINSIC_GAS }
  const trace = runFrame(run, top)
  return {
    succeeded: trace.error === undefined,
    gasUsed: run.gas,
    logs: run.logs,
    trace,
  }
}

interface Run {
  accounts: Accounts
  rules: ExecutionRules
  /** Balances before each change, for frames that fail. */
  undo: [key: string, before: bigint][]
  logs: LogJson[]
  gas: bigint
}

function runFrame(run: Run, plan: FramePlan): CallFrameJson {
  const marks = { undo: run.undo.length, logs: run.logs.length }
  const start = run.gas
  const calls: CallFrameJson[] = []
  run.gas += plan.burns
  let isGood = moveValue(run, plan)
  for (const step of isGood ? plan.steps : []) {
    run.gas += STEP_GAS
    if (step.do === 'call') calls.push(runFrame(run, step.frame))
    else if (step.do === 'log') run.logs.push(step.log)
    else isGood = shift(run, keyOf(step.address, step.token), step.by) && isGood
  }
  isGood &&= !plan.fails
  if (!isGood) rewind(run, marks)
  return frameJson(plan, { gasUsed: run.gas - start, calls, isGood })
}

/** False if the sender has too little. */
function moveValue(run: Run, { type, from, to, value }: FramePlan): boolean {
  if (value === 0n || type === 'DELEGATECALL' || type === 'STATICCALL') return true
  if (!shift(run, keyOf(from), -value)) return false
  shift(run, keyOf(to), value)
  if (run.rules.logsNative) run.logs.push(transferLog(NATIVE_LOG_ADDRESS, from, to, value))
  return true
}

function shift({ accounts, undo }: Run, key: string, by: bigint): boolean {
  const before = accounts.get(key)
  if (before + by < 0n) return false
  undo.push([key, before])
  accounts.set(key, before + by)
  return true
}

function rewind(run: Run, marks: { undo: number; logs: number }): void {
  for (const [key, before] of run.undo.splice(marks.undo).toReversed()) {
    run.accounts.set(key, before)
  }
  run.logs.length = marks.logs
}

/** geth's callTracer: a child of a failed frame has no error. */
function frameJson(
  { type, from, to, value, input, steps }: FramePlan,
  { gasUsed, calls, isGood }: { gasUsed: bigint; calls: CallFrameJson[]; isGood: boolean },
): CallFrameJson {
  const isToken = steps.some((step) => step.do === 'shift' && step.token === to)
  const hasValue = type !== 'DELEGATECALL' && type !== 'STATICCALL'
  return {
    from,
    gas: quantity(gasUsed * 2n),
    gasUsed: quantity(gasUsed),
    to,
    input,
    ...(isGood && isToken ? { output: encodeValues(['bool'], [true]) } : {}),
    ...(isGood ? {} : { error: 'execution reverted' }),
    ...(calls.length > 0 ? { calls } : {}),
    ...(hasValue ? { value: quantity(value) } : {}),
    type,
  }
}
