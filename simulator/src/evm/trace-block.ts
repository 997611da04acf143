import type { Hex } from '../hex.ts'
import type { CallFrameJson } from './shapes.ts'

/** Fields that name a frame's place in its block. */
export interface TracePlace {
  blockHash: Hex
  blockNumber: number
  transactionHash: Hex
  transactionPosition: number
}

/** One flat trace, as OpenEthereum began it and Erigon, Nethermind and Reth have it. */
export interface FlatTrace extends TracePlace {
  action: Record<string, string>
  error?: string
  result?: Record<string, Hex> | null
  subtraces: number
  traceAddress: number[]
  type: 'call' | 'create' | 'suicide'
}

/** The frame and all below it, in the order they began. */
export function flatTraces(top: CallFrameJson, place: TracePlace): FlatTrace[] {
  return flatten(top, place, [])
}

function flatten(frame: CallFrameJson, place: TracePlace, traceAddress: number[]): FlatTrace[] {
  const calls = frame.calls ?? []
  const trace: FlatTrace = {
    action: actionOf(frame),
    blockHash: place.blockHash,
    blockNumber: place.blockNumber,
    ...(frame.error === undefined ? {} : { error: 'Reverted' }),
    ...(frame.error === undefined ? { result: resultOf(frame) } : {}),
    subtraces: calls.length,
    traceAddress,
    transactionHash: place.transactionHash,
    transactionPosition: place.transactionPosition,
    type: kindOf(frame),
  }
  return [trace, ...calls.flatMap((call, index) => flatten(call, place, [...traceAddress, index]))]
}

function kindOf({ type }: CallFrameJson): FlatTrace['type'] {
  if (type === 'SELFDESTRUCT') return 'suicide'
  return type.startsWith('CREATE') ? 'create' : 'call'
}

function actionOf(frame: CallFrameJson): Record<string, string> {
  const { type, from, to = '0x', value = '0x0', gas, input } = frame
  const kind = kindOf(frame)
  if (kind === 'suicide') return { address: from, balance: value, refundAddress: to }
  if (kind === 'create') return { creationMethod: 'create', from, gas, init: input, value }
  return { callType: type.toLowerCase(), from, gas, input, to, value }
}

function resultOf(frame: CallFrameJson): Record<string, Hex> | null {
  const { to = '0x', gasUsed, output = '0x' } = frame
  const kind = kindOf(frame)
  if (kind === 'suicide') return null
  return kind === 'create' ? { address: to, code: output, gasUsed } : { gasUsed, output }
}
