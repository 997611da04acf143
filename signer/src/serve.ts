import { Refused } from './base.ts'
import {
  type Answered,
  type Call,
  type Channel,
  formatAnswer,
  formatSignature,
  messagesOf,
  parseCall,
  type Result,
  signingRequestOf,
} from './protocol.ts'
import type { Signer } from './request.ts'

/**
 * Answers the requests of one connection until it ends. Several are under way at once; each answer
 * names its request. `report` hears of each error that is not a refusal.
 */
export async function serveSigner(
  signer: Signer,
  { input, output }: Channel,
  report: (error: unknown) => void,
): Promise<void> {
  const answerTo = async (message: unknown) => {
    const answered = await answer(signer, message, report)
    if (answered !== null) output.write(formatAnswer(answered))
  }
  for await (const message of messagesOf(input)) {
    void answerTo(message)
  }
}

async function answer(
  signer: Signer,
  message: unknown,
  report: (error: unknown) => void,
): Promise<Answered | null> {
  const id = Number(Object(message)['id'])
  if (!Number.isInteger(id) || id < 0) return null
  try {
    return { id, result: await resultOf(signer, parseCall(message).call) }
  } catch (error) {
    if (error instanceof Refused) return { id, refused: error.code, message: error.message }
    report(error)
    return { id, failed: 'The signer has failed; its log says why.' }
  }
}

async function resultOf(signer: Signer, call: Call): Promise<Result> {
  if (call.call === 'fingerprint') return signer.fingerprint()
  if (call.call === 'sign') {
    return (await signer.sign(signingRequestOf(call))).map(formatSignature)
  }
  if (call.call === 'lastSigned') {
    return signer.lastSigned(call.orgId, call.chainId, call.from)
  }
  if (call.call === 'order') return signer.order(call.order)
  if (call.call === 'accountXpub') return signer.accountXpub(call.orgId, call.at)
  return Buffer.from(await signer.publicKey(call.orgId, call.at)).toString('hex')
}
