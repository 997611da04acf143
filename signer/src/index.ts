export type { Approval } from './approve/approval.ts'
export { Refused, REFUSAL_CODES, type RefusalCode } from './base.ts'
export type { Slot } from './decode/decoded.ts'
export { withdrawalHash } from './hash.ts'
export { type Entry, History, type LastSigned } from './history.ts'
export { LocalSigner, type SignerParts } from './local-signer.ts'
export type { Authority } from './policy/order.ts'
export type { SignedOrder } from './policy/policy.ts'
export { type Call, type Channel, formatCall, messagesOf } from './protocol.ts'
export type {
  KeyPath,
  Payment,
  Signature,
  Signer,
  SigningKeys,
  SigningRequest,
  SpentOutput,
  WalletPath,
  WithdrawalFields,
} from './request.ts'
export { serveSigner } from './serve.ts'
export { FileStore, type Store, StoreDamaged } from './store.ts'
export { runSigner, type SignerSettings } from './process.ts'
