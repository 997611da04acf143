/** A family of chains, by its CAIP-2 namespace. */
export type Family = 'eip155' | 'bip122' | 'tron' | 'xrpl'

/** The effect of an unsigned transaction, by its bytes. Addresses are in the chain's own text. */
export interface Decoded {
  /** CAIP-2 chain that the bytes name (EVM); null if they name none. */
  chainId: string | null
  /** The sender that the bytes name (TRON, XRPL); null if the signature alone decides. */
  from: string | null
  action: Action
  slot: Slot
  /**
   * Upper bound of the network fee, in base units of the native currency. TRON: the fee limit,
   * which bounds only the energy. Bitcoin: inputs minus outputs, if the amounts of the inputs are
   * true.
   */
  maxFee: bigint
}

/** An amount for an address. */
export interface Output {
  address: string
  /** Base units. */
  amount: bigint
}

/** An output that an input of a Bitcoin transaction spends. */
export type Input = Output

export type Action =
  | {
      kind: 'payment'
      /** The contract of a token; null for the native currency. */
      contract: string | null
      to: string
      /** Base units. */
      amount: bigint
      /** TRON: the text of the memo. XRPL: the destination tag, decimal. */
      memo: string | null
    }
  /** Bitcoin: all outputs, in their order. */
  | { kind: 'outputs'; outputs: readonly Output[] }
  /** XRPL: the account refuses payments without a tag from then on. */
  | { kind: 'require-tag' }
  /** XRPL: the account reserves tickets. */
  | { kind: 'tickets'; count: number }
  /** TRON: energy of a stake, in sun, without a lock. */
  | { kind: 'delegation'; act: 'lend' | 'take-back'; to: string; stake: bigint }

/** The slot of a transaction: two transactions in one slot cannot both take effect. */
export type Slot =
  /** EVM: the nonce. XRPL: the Sequence. */
  | { kind: 'nonce'; nonce: number }
  | { kind: 'ticket'; ticket: number }
  /** TRON: not a conflict, but the end of its validity in block time (ms since 1970). */
  | { kind: 'window'; expiresAt: number }
  /** Bitcoin: the spent outputs, as `txid:vout`, in the order of the inputs. */
  | { kind: 'inputs'; outpoints: readonly string[] }

/** Bytes that are not exactly one transaction of a known form; the message says why. */
export class Undecodable extends Error {
  override readonly name = 'Undecodable'
}

/** Throws Undecodable unless `condition` holds. */
export function demand(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Undecodable(message)
}
