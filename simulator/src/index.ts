export * from './anvil.ts'
export * from './bitcoin-chain.ts'
export * from './bitcoin-hand.ts'
export * from './bitcoin-node.ts'
export * from './bitcoin-wallet.ts'
export * from './bitcoind.ts'
export { type BitcoinBlock, serializeBlock } from './bitcoin/block.ts'
export { scriptOfAddress, segwitAddress } from './bitcoin/scripts.ts'
export {
  type BitcoinTransaction,
  deserialize as readBitcoinTransaction,
  serialize as bitcoinBytes,
  txidOf as bitcoinTxid,
} from './bitcoin/transaction.ts'
export { BITCOIN_NETWORKS, type BitcoinNetworkName } from './bitcoin/networks.ts'
export * from './contracts/bytecodes.ts'
export * from './contracts/creations.ts'
export * from './evm-abi.ts'
export * from './evm-send.ts'
export * from './evm-wallet.ts'
export * from './free-port.ts'
export * from './hex.ts'
export * from './rlp.ts'
export * from './rpc-client.ts'
export * from './receiver.ts'
export * from './test-certificate.ts'
export * from './verify-webhook.ts'
export { PORT_VARIABLES } from './sandbox/settings.ts'
export * from './sandbox/totp.ts'
export * from './fault-proxy.ts'
export * from './fault-rules.ts'
export * from './seeded.ts'
export * from './evm-chain.ts'
export * from './evm-node.ts'
export { RpcFault } from './evm/params.ts'
export { readSigned, type SignedTransaction } from './evm/raw-transaction.ts'
export { type Ask, type RpcOutcome, staleAnswer } from './stale-view.ts'
export type { BlockNode } from './evm/block-tree.ts'
export * from './evm/encodings.ts'
export { type FramePlan, type Step, frame, transferLog } from './evm/plans.ts'
export type {
  BurnRequest,
  Code,
  EvmChainOptions,
  Payment,
  SendOptions,
  Token,
  TokenPayment,
} from './evm/requests.ts'
export type { Keep, Placement, ReorgRequest, Returnable } from './evm/reorg.ts'
export * from './evm/shapes.ts'
export * from './tron-chain.ts'
export * from './tron-node.ts'
export { base58Of, hex41Of } from './tron/base58.ts'
export type { Script, TronLog } from './tron/state.ts'
export { type TronWallet, signTron, tronWallet } from './tron/wallet.ts'
export {
  type Draft,
  readTransaction,
  rawOf,
  transactionBytes,
  type TronTransaction,
} from './tron/transaction.ts'
export * from './xrpl-chain.ts'
export * from './xrpl-node.ts'
export type { XrplPayment } from './xrpl/deeds.ts'
export type { XrplAccount, XrplFees } from './xrpl/state.ts'
export { signXrpl, type XrplWallet, xrplWallet } from './xrpl/wallet.ts'
