import { word } from '../hex.ts'
import {
  type CallRun,
  type Contract,
  moveTokens,
  type State,
  TOKEN_SUPPLY,
  tokensOf,
} from './state.ts'
import type { TronTransaction } from './transaction.ts'

type Token = Extract<Contract, { kind: 'token' }>

/** keccak of Transfer(address,address,uint256), as every TRC-20 announces what it moves. */
export const TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const EXISTING_ENERGY = 64_285n
const NEW_ENERGY = 130_285n
const REVERT_ENERGY = 607n
const VIEW_ENERGY = 473n
const REASON_TEXT = Buffer.from('insufficient').toString('hex').padEnd(64, '0')
/** Error("…") in the encoding of Solidity. */
const REASON = `08c379a0${word(32n)}${word(12n)}${REASON_TEXT}`

/** A call of a token: `transfer`, and the read methods of TRC-20. */
export function callToken(
  state: State,
  call: { address: string; contract: Token; value: TronTransaction['value'] },
): CallRun {
  const { address, contract, value } = call
  const data = String(value['data'] ?? '')
  const owner = String(value['owner_address'])
  const to = data.slice(8, 72)
  const amount = data.slice(72, 136)
  switch (data.slice(0, 8)) {
    case '70a08231': {
      const holder = `41${to.slice(24)}`
      return view(word(held(state, { address, contract, holder })))
    }
    case '313ce567':
      return view(word(BigInt(contract.decimals)))
    case '95d89b41':
      return view(textOf(contract.symbol))
    case '06fdde03':
      return view(textOf(contract.name))
    case 'a9059cbb': {
      // The padding before the twenty bytes of an address must be zeros (Solidity 0.8 and later).
      if (!/^0{24}/.test(to) || data.length !== 136) return failed()
      const move = { from: owner, to: `41${to.slice(24)}`, amount: BigInt(`0x${amount}`) }
      return transfer(state, { address, contract, ...move })
    }
    default:
      return failed()
  }
}

function transfer(
  state: State,
  moved: { address: string; contract: Token; from: string; to: string; amount: bigint },
): CallRun {
  const { address, contract, from, to } = moved
  const amount = contract.manner === 'skimming' ? (moved.amount * 99n) / 100n : moved.amount
  if (contract.isPaused) return failed()
  const enough = held(state, { address, contract, holder: from }) >= amount
  if (!enough && contract.manner === 'quiet') return { ...view(word(0n)), energy: 541n }
  if (!enough && contract.manner === 'honest') return failed()
  const isNew = tokensOf(state, address, to) === 0n
  const log = {
    address: address.slice(2),
    data: word(amount),
    topics: [TRANSFER_TOPIC, word(from.slice(2)), word(to.slice(2))],
  }
  return {
    result: 'SUCCESS',
    energy: isNew ? NEW_ENERGY : EXISTING_ENERGY,
    answer: answerOf(contract),
    logs: [log],
    internals: [],
    apply: () => {
      if (contract.manner === 'lying') return
      const before = held(state, { address, contract, holder: from })
      state.tokens.set(`${address}/${from}`, before)
      if (!moveTokens(state, { contract: address, from, to, amount })) throw new Error('too few')
    },
  }
}

/** Answer of a successful transfer. */
function answerOf({ manner }: Token): string {
  if (manner === 'mute') return ''
  return word(manner === 'denying' ? 0n : 1n)
}

/** The creator of a token has the whole supply until some of it is spent. */
function held(state: State, account: { address: string; contract: Token; holder: string }): bigint {
  const { address, contract, holder } = account
  const known = state.tokens.has(`${address}/${holder}`)
  if (!known && holder === contract.owner) return TOKEN_SUPPLY
  return tokensOf(state, address, holder)
}

function view(answer: string): CallRun {
  const none = { logs: [], internals: [], apply: () => {} }
  return { result: 'SUCCESS', energy: VIEW_ENERGY, answer, ...none }
}

function failed(): CallRun {
  const none = { logs: [], internals: [], apply: () => {} }
  return { result: 'REVERT', energy: REVERT_ENERGY, answer: REASON, ...none }
}

function textOf(text: string): string {
  const bytes = Buffer.from(text, 'utf8')
  const padded = bytes.toString('hex').padEnd(64, '0')
  return `${word(32n)}${word(BigInt(bytes.length))}${padded}`
}
