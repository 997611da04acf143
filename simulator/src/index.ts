export * from './anvil.ts'
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
export * from './fault-proxy.ts'
export * from './fault-rules.ts'
export * from './seeded.ts'
export * from './evm-chain.ts'
export * from './evm-node.ts'
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
