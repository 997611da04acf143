import {
  type Passkey,
  type SingleWithdrawal,
  type Withdrawal,
  withdrawalHash,
} from '@sluice/client'
import { useQuery } from '@tanstack/react-query'
import { t } from '../text/text.ts'
import { client } from './client.ts'
import { hexOf } from './hex.ts'

/** The passkeys of the person, and the origin at which they work. */
export type Passkeys = Awaited<ReturnType<typeof client.auth.passkeys>>

/** The passkeys of the signed-in person. */
export function usePasskeys() {
  return useQuery({
    queryKey: ['passkeys'],
    queryFn: ({ signal }) => client.auth.passkeys({ signal }),
  })
}

/** Whether passkeys work at the address of this page. */
export function isTheirSite({ origin }: Passkeys): boolean {
  return origin === globalThis.location.origin
}

/** Whether the person has a passkey that works here; false until it is known. */
export function useHasPasskey(): boolean {
  const { data } = usePasskeys()
  return data !== undefined && isTheirSite(data) && data.passkeys.length > 0
}

/** Adds a passkey: the browser asks for a device after the code was right. */
export async function addPasskey(name: string, totpCode: string): Promise<Passkey> {
  const { startRegistration } = await loadLibrary()
  const optionsJSON = await client.auth.offerPasskey({ totpCode })
  const { id, response } = await inWords(() => startRegistration({ optionsJSON }))
  const { clientDataJSON, attestationObject } = response
  const credential = { id, response: { clientDataJSON, attestationObject } }
  return client.auth.addPasskey({ name, credential })
}

/**
 * Approves a withdrawal with a passkey, which signs the hash of what the page shows. Refuses if the
 * service asks for the signature of another payment.
 */
export async function approveByPasskey(withdrawal: SingleWithdrawal): Promise<Withdrawal> {
  const [{ startAuthentication }, optionsJSON, hash] = await Promise.all([
    loadLibrary(),
    client.withdrawals.passkeyOptions(withdrawal.id),
    withdrawalHash(withdrawal),
  ])
  if (hexOf(optionsJSON.challenge) !== hash) throw new Error(t('passkeys.otherPayment'))
  const { id, response } = await inWords(() => startAuthentication({ optionsJSON }))
  const { clientDataJSON, authenticatorData, signature } = response
  const assertion = { id, response: { clientDataJSON, authenticatorData, signature } }
  return client.withdrawals.approve(withdrawal.id, assertion)
}

/** Loaded when it is first needed. */
function loadLibrary() {
  return import('@simplewebauthn/browser')
}

/** Replaces the errors of the browser, which are for programs. */
async function inWords<T>(prompt: () => Promise<T>): Promise<T> {
  try {
    return await prompt()
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'InvalidStateError') throw new Error(t('passkeys.known'), { cause: error })
    if (name === 'NotAllowedError') throw new Error(t('passkeys.cancelled'), { cause: error })
    throw new Error(t('passkeys.failed'), { cause: error })
  }
}
