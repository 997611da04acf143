import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { freePort } from '@sluice/simulator'

/** A delivery as the service sends it. */
export interface Delivery {
  headers: Record<string, string>
  body: string
}

export const SECRET = `whsec_${randomBytes(32).toString('base64')}`

const ID = '01936f5e-0000-7000-8000-000000000001'
const EVENT = {
  id: ID,
  type: 'deposit.confirmed',
  timestamp: '2026-01-01T00:00:00.000Z',
  orgId: 'o',
  sequence: 7,
  payload: { id: 'deposit-1', externalUserId: 'Žofie 日本', amount: '25000000' },
}

/** A delivery that is right, sent so many seconds ago. */
export function rightDelivery(ageSeconds = 0, event: object = EVENT): Delivery {
  const body = JSON.stringify(event)
  const at = new Date(Date.now() - ageSeconds * 1_000)
  const headers = {
    'content-type': 'application/json',
    'webhook-id': ID,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(SECRET).sign(ID, at, body),
    'x-webhook-signature': createHmac('sha256', SECRET).update(body).digest('hex'),
  }
  return { headers, body }
}

/** During a rotation: the signature of another secret is before the correct one. */
export function rotatingDelivery(): Delivery {
  const { headers, body } = rightDelivery()
  const other = `v1,${randomBytes(32).toString('base64')}`
  const signature = `${other} ${headers['webhook-signature']}`
  return { headers: { ...headers, 'webhook-signature': signature }, body }
}

/** A delivery signed with an empty key, which a receiver without a secret must refuse. */
export function unkeyedDelivery(): Delivery {
  const { headers, body } = rightDelivery()
  const signed = `${ID}.${headers['webhook-timestamp']}.${body}`
  const signature = `v1,${createHmac('sha256', '').update(signed).digest('base64')}`
  return { headers: { ...headers, 'webhook-signature': signature }, body }
}

/** Deliveries that a receiver has to refuse, by what is wrong with them. */
export function wrongDeliveries(): Record<string, Delivery> {
  const { headers, body } = rightDelivery()
  const without = (name: string) => ({
    body,
    headers: Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name)),
  })
  const later = String(Number(headers['webhook-timestamp']) + 1)
  const digest = { 'x-webhook-signature': headers['x-webhook-signature'] ?? '' }
  return {
    'a changed body': { headers, body: body.replace('25000000', '95000000') },
    'a changed time': { headers: { ...headers, 'webhook-timestamp': later }, body },
    'a changed id': { headers: { ...headers, 'webhook-id': 'other' }, body },
    'an old delivery': rightDelivery(400),
    'a delivery without its time': { headers: digest, body },
    'a delivery from the future': rightDelivery(-400),
    'no signature': without('webhook-signature'),
    'no timestamp': without('webhook-timestamp'),
    'an empty signature': { headers: { ...headers, 'webhook-signature': 'v1,' }, body },
    'a malformed signature': { headers: { ...headers, 'webhook-signature': 'v1,%%%' }, body },
    'a malformed timestamp': { headers: { ...headers, 'webhook-timestamp': 'now' }, body },
  }
}

/** A receiver in a separate process. */
export interface Receiver {
  /** Sends a delivery, and gives the status of the answer. */
  send(delivery: Delivery): Promise<number>
  output(): string
  end(): Promise<void>
}

const WAIT_MS = 90_000
const POLL_MS = 50

/**
 * Starts a program that listens on `PORT` and reads `WEBHOOK_SECRET`, which is not set if it is
 * null. Throws if the program exits.
 */
export async function startReceiver(
  program: string,
  args: readonly string[],
  { cwd, secret = SECRET }: { cwd: string; secret?: string | null | undefined },
): Promise<Receiver> {
  const port = await freePort()
  const known = { WEBHOOK_SECRET: secret ?? undefined, PORT: String(port) }
  const env = { ...process.env, ...known }
  const given = args.map((arg) => arg.replace('$PORT', String(port)))
  const child = spawn(program, given, { env, cwd })
  let said = ''
  const hear = (text: unknown) => {
    said += String(text)
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const url = `http://127.0.0.1:${port}/`
  await untilListening(url, child, () => said)
  return {
    send: async ({ headers, body }) => (await fetch(url, { method: 'POST', headers, body })).status,
    output: () => said,
    end: () => ended(child),
  }
}

async function untilListening(url: string, child: ChildProcess, said: () => string): Promise<void> {
  for (const deadline = Date.now() + WAIT_MS; ; ) {
    const answer = await fetch(url, { method: 'POST', body: '{}' }).catch(() => null)
    if (answer !== null) return
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`no receiver: ${said()}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) resolve()
    child.once('close', () => resolve())
    child.kill('SIGKILL')
  })
}
