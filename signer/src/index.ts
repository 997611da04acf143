export type { Approval } from './approve/approval.ts'
export { Refused, type RefusalCode } from './base.ts'
export type { Slot } from './decode/decoded.ts'
export { withdrawalHash } from './hash.ts'
export { History, type LastSigned } from './history.ts'
export { LocalSigner, type SignerParts } from './local-signer.ts'
export type { Authority } from './policy/order.ts'
export type { SignedOrder } from './policy/policy.ts'
export type { Channel } from './protocol.ts'
export { RemoteSigner, SignerAway } from './remote-signer.ts'
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
export { FileStore, MemoryStore, type Store, StoreDamaged } from './store.ts'
export { type ChildCommand, SignerChild } from './child.ts'
export { connectTo, type Listening, listenOn } from './listen.ts'
export { runSigner, type SignerSettings } from './process.ts'
