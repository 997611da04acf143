import type { Signer } from '@sluice/signer'
import { Outage } from '../../base/fault.ts'
import { SignerAway } from '../../signing/remote-signer.ts'

const SIGNER = 'signer'

/** A signer whose absence is an Outage, as that of a node or a database. */
export function withOutages(signer: Signer): Signer {
  return {
    fingerprint: () => orOutage(signer.fingerprint()),
    accountXpub: (orgId, at) => orOutage(signer.accountXpub(orgId, at)),
    publicKey: (orgId, at) => orOutage(signer.publicKey(orgId, at)),
    lastSigned: (orgId, chainId, from) => orOutage(signer.lastSigned(orgId, chainId, from)),
    sign: (request) => orOutage(signer.sign(request)),
    order: (order) => orOutage(signer.order(order)),
  }
}

/** Whether an error says that the signer is away. */
export function isSignerAway(error: unknown): error is Outage {
  return error instanceof Outage && error.what === SIGNER
}

async function orOutage<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof SignerAway) throw new Outage(SIGNER, error.message, { cause: error })
    throw error
  }
}
